#include "support/topic_reader.h"

#include <absl/time/clock.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <unordered_set>

namespace walpost::support {
namespace {

constexpr int kQueryMillis = 5'000;

std::optional<std::string> Bytes(const void* data, std::size_t size) {
  if (data == nullptr) return {};
  return std::string(static_cast<const char*>(data), size);
}

Record FromMessage(const rd_kafka_message_t& message) {
  Record record;
  record.topic = rd_kafka_topic_name(message.rkt);
  record.partition = message.partition;
  record.offset = message.offset;
  record.timestamp_ms = rd_kafka_message_timestamp(&message, nullptr);
  record.key = Bytes(message.key, message.key_len);
  record.value = Bytes(message.payload, message.len);
  rd_kafka_headers_t* headers = nullptr;
  if (rd_kafka_message_headers(&message, &headers) == RD_KAFKA_RESP_ERR_NO_ERROR) {
    const char* name = nullptr;
    const void* value = nullptr;
    std::size_t size = 0;
    for (std::size_t i = 0;
         rd_kafka_header_get_all(headers, i, &name, &value, &size) == RD_KAFKA_RESP_ERR_NO_ERROR;
         ++i) {
      record.headers.emplace_back(name, Bytes(value, size));
    }
  }
  return record;
}

ClientPtr MakeConsumer(const std::string& bootstrap) {
  std::array<char, 256> error{};
  rd_kafka_conf_t* conf = rd_kafka_conf_new();
  const std::pair<const char*, const char*> properties[] = {
      {"bootstrap.servers", bootstrap.c_str()},
      {"group.id", "walpost-tests"},
      {"enable.auto.commit", "false"},
      {"isolation.level", "read_committed"},
      {"fetch.wait.max.ms", "20"},
      {"reconnect.backoff.max.ms", "500"},
      {"log_level", "0"},
  };
  for (const auto& [name, value] : properties) {
    if (rd_kafka_conf_set(conf, name, value, error.data(), error.size()) != RD_KAFKA_CONF_OK) {
      std::fprintf(stderr, "%s\n", error.data());
      std::abort();
    }
  }
  ClientPtr client(rd_kafka_new(RD_KAFKA_CONSUMER, conf, error.data(), error.size()));
  rd_kafka_poll_set_consumer(client.get());
  return client;
}

int PartitionCount(rd_kafka_t* client, const std::string& topic) {
  rd_kafka_topic_t* handle = rd_kafka_topic_new(client, topic.c_str(), nullptr);
  const rd_kafka_metadata_t* raw = nullptr;
  const rd_kafka_resp_err_t error = rd_kafka_metadata(client, 0, handle, &raw, kQueryMillis);
  rd_kafka_topic_destroy(handle);
  const MetadataPtr metadata(raw);
  return error == RD_KAFKA_RESP_ERR_NO_ERROR && metadata->topic_cnt == 1
             ? metadata->topics[0].partition_cnt
             : 0;
}

}  // namespace

std::string Record::Header(const std::string& name) const {
  const auto found =
      std::find_if(headers.begin(), headers.end(), [&](const auto& h) { return h.first == name; });
  return found == headers.end() ? "" : found->second.value_or("");
}

TopicReader::TopicReader(const std::string& bootstrap, std::vector<std::string> topics)
    : topics_(std::move(topics)), client_(MakeConsumer(bootstrap)) {
  Assign();
}

TopicReader::~TopicReader() { rd_kafka_consumer_close(client_.get()); }

void TopicReader::Assign() {
  const PartitionsPtr partitions(rd_kafka_topic_partition_list_new(8));
  for (const std::string& topic : topics_) {
    const int count = PartitionCount(client_.get(), topic);
    if (count == 0) std::fprintf(stderr, "topic %s has no partitions to read\n", topic.c_str());
    for (int i = 0; i < count; ++i) {
      rd_kafka_topic_partition_list_add(partitions.get(), topic.c_str(), i)->offset =
          RD_KAFKA_OFFSET_BEGINNING;
      next_offset_[{topic, i}] = 0;
    }
  }
  rd_kafka_assign(client_.get(), partitions.get());
}

void TopicReader::Poll(absl::Duration limit) {
  const MessagePtr message(
      rd_kafka_consumer_poll(client_.get(), static_cast<int>(absl::ToInt64Milliseconds(limit))));
  if (message == nullptr || message->err != RD_KAFKA_RESP_ERR_NO_ERROR) return;
  Record record = FromMessage(*message);
  next_offset_[{record.topic, record.partition}] = record.offset + 1;
  ++times_seen_[record.Id()];
  records_.push_back(std::move(record));
}

bool TopicReader::ReadUntilDistinct(std::size_t count, absl::Duration limit) {
  const absl::Time deadline = absl::Now() + limit;
  while (distinct() < count && absl::Now() < deadline) Poll(absl::Milliseconds(50));
  return distinct() >= count;
}

bool TopicReader::ReadUntilCount(std::size_t count, absl::Duration limit) {
  const absl::Time deadline = absl::Now() + limit;
  while (records_.size() < count && absl::Now() < deadline) Poll(absl::Milliseconds(50));
  return records_.size() >= count;
}

bool TopicReader::AtEnd() {
  for (const auto& [partition, next] : next_offset_) {
    std::int64_t low = 0, high = 0;
    if (rd_kafka_query_watermark_offsets(client_.get(), partition.first.c_str(), partition.second,
                                         &low, &high, kQueryMillis) != RD_KAFKA_RESP_ERR_NO_ERROR ||
        next < high) {
      return false;
    }
  }
  return true;
}

bool TopicReader::ReadToEnd(absl::Duration limit) {
  const absl::Time deadline = absl::Now() + limit;
  while (!AtEnd()) {
    if (absl::Now() >= deadline) return false;
    // Several for each question to the broker.
    std::size_t before = 0;
    do {
      before = records_.size();
      Poll(absl::Milliseconds(50));
    } while (records_.size() > before);
  }
  return true;
}

const Record* TopicReader::Find(const std::string& id) const {
  const auto found = std::find_if(records_.begin(), records_.end(),
                                  [&](const Record& record) { return record.Id() == id; });
  return found == records_.end() ? nullptr : &*found;
}

std::vector<std::string> TopicReader::FirstSeen() const {
  std::unordered_set<std::string> seen;
  std::vector<std::string> ids;
  for (const Record& record : records_) {
    if (seen.insert(record.Id()).second) ids.push_back(record.Id());
  }
  return ids;
}

}  // namespace walpost::support
