#include "kafka/topic_reader.h"

#include <absl/strings/str_cat.h>
#include <absl/time/clock.h>
#include <librdkafka/rdkafka.h>

#include <algorithm>
#include <array>

#include "base/status_macros.h"
#include "kafka/error_mapping.h"
#include "kafka/message.h"
#include "kafka/milliseconds.h"

namespace walpost::kafka {
namespace {

// One attempt to hear from a broker; several fit into a timeout, so that a reason is learned.
constexpr absl::Duration kAttempt = absl::Milliseconds(500);
constexpr absl::Duration kPause = absl::Milliseconds(20);

struct MessageDeleter {
  void operator()(rd_kafka_message_t* message) const { rd_kafka_message_destroy(message); }
};
struct MetadataDeleter {
  void operator()(const rd_kafka_metadata_t* metadata) const {
    rd_kafka_metadata_destroy(metadata);
  }
};
using MessageHandle = std::unique_ptr<rd_kafka_message_t, MessageDeleter>;
using MetadataHandle = std::unique_ptr<const rd_kafka_metadata_t, MetadataDeleter>;

absl::Status Set(rd_kafka_conf_t* conf, const std::string& name, const std::string& value) {
  std::array<char, 512> error{};
  if (rd_kafka_conf_set(conf, name.c_str(), value.c_str(), error.data(), error.size()) ==
      RD_KAFKA_CONF_OK) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(
      absl::StrCat("kafka property '", name, "' was refused: ", error.data()));
}

absl::StatusOr<ConfHandle> MakeConsumerConf(const TopicReaderOptions& options) {
  ConfHandle conf(rd_kafka_conf_new());
  rd_kafka_conf_set_log_cb(conf.get(), nullptr);
  WALPOST_RETURN_IF_ERROR(Set(conf.get(), "client.id", "walpost-reader"));
  if (!options.brokers.empty()) {
    WALPOST_RETURN_IF_ERROR(Set(conf.get(), "bootstrap.servers", options.brokers));
  }
  WALPOST_RETURN_IF_ERROR(
      Set(conf.get(), "fetch.wait.max.ms", absl::StrCat(ToMilliseconds(options.fetch_wait))));
  WALPOST_RETURN_IF_ERROR(Set(conf.get(), "reconnect.backoff.max.ms", "2000"));
  WALPOST_RETURN_IF_ERROR(Set(conf.get(), "allow.auto.create.topics",
                              options.create_missing_topics ? "true" : "false"));
  for (const auto& [name, value] : options.properties) {
    WALPOST_RETURN_IF_ERROR(Set(conf.get(), name, value));
  }
  rd_kafka_conf_set_events(conf.get(), RD_KAFKA_EVENT_ERROR);
  return conf;
}

std::optional<std::string> OwnedBytes(const void* bytes, std::size_t size) {
  if (bytes == nullptr) return std::nullopt;
  return std::string(static_cast<const char*>(bytes), size);
}

ReadRecord ToRecord(const rd_kafka_message_t& message) {
  ReadRecord record;
  record.topic = rd_kafka_topic_name(message.rkt);
  record.partition = message.partition;
  record.offset = message.offset;
  record.key = OwnedBytes(message.key, message.key_len);
  record.value = OwnedBytes(message.payload, message.len);
  record.timestamp_ms = rd_kafka_message_timestamp(&message, nullptr);
  ForEachHeader(message, [&](const char* name, const void* value, std::size_t size) {
    record.headers.emplace_back(name, OwnedBytes(value, size));
  });
  return record;
}

// What the client goes on from by itself.
bool IsPassing(rd_kafka_resp_err_t error) {
  return error == RD_KAFKA_RESP_ERR__PARTITION_EOF ||
         error == RD_KAFKA_RESP_ERR__ALL_BROKERS_DOWN ||
         error == RD_KAFKA_RESP_ERR_NOT_LEADER_FOR_PARTITION || IsAboutConnection(error);
}

}  // namespace

absl::StatusOr<std::unique_ptr<TopicReader>> TopicReader::Open(TopicReaderOptions options) {
  if (options.topics.empty()) return absl::InvalidArgumentError("no topics to read");
  if (options.brokers.empty() && !options.properties.contains("bootstrap.servers")) {
    return absl::InvalidArgumentError("no kafka brokers to read from; hint: set kafka.brokers");
  }
  std::unique_ptr<TopicReader> reader(new TopicReader(std::move(options)));
  WALPOST_RETURN_IF_ERROR(reader->Connect());
  const absl::Time deadline = absl::Now() + reader->options_.open_timeout;
  for (const std::string& topic : reader->options_.topics) {
    WALPOST_RETURN_IF_ERROR(reader->StartTopic(topic, deadline));
  }
  return reader;
}

TopicReader::TopicReader(TopicReaderOptions options) : options_(std::move(options)) {}

TopicReader::~TopicReader() {
  for (const Assigned& assigned : assigned_) {
    for (int partition = 0; partition < assigned.partitions; ++partition) {
      rd_kafka_consume_stop(assigned.topic.get(), partition);
    }
  }
}

absl::Status TopicReader::Connect() {
  WALPOST_ASSIGN_OR_RETURN(ConfHandle conf, MakeConsumerConf(options_));
  std::array<char, 512> error{};
  client_.reset(rd_kafka_new(RD_KAFKA_CONSUMER, conf.get(), error.data(), error.size()));
  if (client_ == nullptr) {
    return absl::InvalidArgumentError(
        absl::StrCat("the kafka consumer cannot be configured: ", error.data()));
  }
  static_cast<void>(conf.release());
  queue_.reset(rd_kafka_queue_new(client_.get()));
  return absl::OkStatus();
}

absl::Status TopicReader::StartTopic(const std::string& name, absl::Time deadline) {
  TopicHandle topic(rd_kafka_topic_new(client_.get(), name.c_str(), nullptr));
  if (topic == nullptr) {
    return absl::InvalidArgumentError(absl::StrCat("topic '", name, "' has no legal name"));
  }
  WALPOST_ASSIGN_OR_RETURN(const int partitions, WaitForTopic(name, topic.get(), deadline));
  assigned_.push_back({.topic = std::move(topic), .partitions = 0});
  Assigned& assigned = assigned_.back();
  for (int partition = 0; partition < partitions; ++partition) {
    WALPOST_ASSIGN_OR_RETURN(const std::int64_t offset, FirstOffset(name, partition, deadline));
    if (rd_kafka_consume_start_queue(assigned.topic.get(), partition, offset, queue_.get()) != 0) {
      return absl::UnavailableError(absl::StrCat("topic '", name, "' partition ", partition, ": ",
                                                 rd_kafka_err2str(rd_kafka_last_error())));
    }
    assigned.partitions = partition + 1;
  }
  return absl::OkStatus();
}

absl::StatusOr<int> TopicReader::WaitForTopic(const std::string& name, rd_kafka_topic_t* topic,
                                              absl::Time deadline) {
  bool answered = false;
  for (absl::Time now = absl::Now(); now < deadline; now = absl::Now()) {
    const rd_kafka_metadata_t* raw = nullptr;
    const rd_kafka_resp_err_t error = rd_kafka_metadata(
        client_.get(), 0, topic, &raw, ToMilliseconds(std::min(kAttempt, deadline - now)));
    const MetadataHandle metadata(raw);
    if (error == RD_KAFKA_RESP_ERR_NO_ERROR && metadata->topic_cnt == 1) {
      answered = true;
      const rd_kafka_metadata_topic_t& found = metadata->topics[0];
      if (found.err == RD_KAFKA_RESP_ERR_NO_ERROR && found.partition_cnt > 0) {
        return found.partition_cnt;
      }
    }
    absl::SleepFor(std::min(kPause, deadline - now));
  }
  if (!answered) return Unreachable(absl::StrCat("topic '", name, "' cannot be read"));
  return absl::NotFoundError(absl::StrCat("topic '", name, "' does not exist"));
}

absl::StatusOr<std::int64_t> TopicReader::FirstOffset(const std::string& name,
                                                      std::int32_t partition, absl::Time deadline) {
  if (options_.from_beginning) return RD_KAFKA_OFFSET_BEGINNING;
  // The end as a number: asked for as "the end" it would be found later, behind what is published
  // meanwhile.
  std::int64_t low = 0;
  std::int64_t high = 0;
  const rd_kafka_resp_err_t error = rd_kafka_query_watermark_offsets(
      client_.get(), name.c_str(), partition, &low, &high, ToMilliseconds(deadline - absl::Now()));
  if (error == RD_KAFKA_RESP_ERR_NO_ERROR) return high;
  return Unreachable(
      absl::StrCat("topic '", name, "' partition ", partition, ": ", rd_kafka_err2str(error)));
}

// Says `what` together with the last reason that the client gave for being without a broker.
absl::Status TopicReader::Unreachable(const std::string& what) {
  const QueueHandle errors(rd_kafka_queue_get_main(client_.get()));
  std::string reason = "no answer in time";
  bool credentials = false;
  while (const EventHandle event = EventHandle(rd_kafka_queue_poll(errors.get(), 0))) {
    const rd_kafka_resp_err_t error = rd_kafka_event_error(event.get());
    if (!IsAboutConnection(error)) continue;
    reason = rd_kafka_event_error_string(event.get());
    credentials = IsAboutCredentials(error);
  }
  const std::string text = absl::StrCat("no broker of '", options_.brokers, "' answered: ", what,
                                        ": ", reason, "; hint: check kafka.brokers (--brokers)");
  return credentials ? absl::UnauthenticatedError(text) : absl::UnavailableError(text);
}

absl::StatusOr<std::optional<ReadRecord>> TopicReader::Next(absl::Duration wait) {
  const absl::Time deadline = absl::Now() + wait;
  while (true) {
    const MessageHandle message(
        rd_kafka_consume_queue(queue_.get(), ToMilliseconds(deadline - absl::Now())));
    if (message != nullptr && message->err == RD_KAFKA_RESP_ERR_NO_ERROR) {
      return ToRecord(*message);
    }
    if (message != nullptr && !IsPassing(message->err)) {
      return absl::UnavailableError(
          absl::StrCat("a topic cannot be read: ", rd_kafka_message_errstr(message.get())));
    }
    if (absl::Now() >= deadline) return std::optional<ReadRecord>();
  }
}

}  // namespace walpost::kafka
