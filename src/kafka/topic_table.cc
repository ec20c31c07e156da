#include "kafka/topic_table.h"

#include <librdkafka/rdkafka.h>

#include <memory>

#include "base/status_macros.h"
#include "kafka/error_mapping.h"
#include "kafka/milliseconds.h"

namespace walpost::kafka {
namespace {

// How long the brokers are asked for the partitions of a topic.
constexpr absl::Duration kMetadataLimit = absl::Seconds(1);

}  // namespace

absl::StatusOr<Topic*> TopicTable::Find(rd_kafka_t* client, std::string_view name) {
  auto it = topics_.find(name);
  if (it == topics_.end()) {
    it = topics_.try_emplace(std::string(name)).first;
    const absl::Status made = Make(client, it->first, it->second);
    if (!made.ok()) {
      topics_.erase(it);
      last_ = nullptr;
      return made;
    }
  }
  last_name_ = it->first;
  last_ = &it->second;
  return last_;
}

absl::Status TopicTable::Make(rd_kafka_t* client, const std::string& name, Topic& topic) {
  rd_kafka_topic_conf_t* conf = rd_kafka_default_topic_conf_dup(client);
  rd_kafka_topic_conf_set_opaque(conf, &topic);
  topic.handle.reset(rd_kafka_topic_new(client, name.c_str(), conf));
  if (topic.handle == nullptr) {
    return PublishError(rd_kafka_last_error(),
                        {.topic = name, .bytes = 0, .max_message_bytes = {}, .id = {}});
  }
  topic.counters = &counters_.ForTopic(name);
  return absl::OkStatus();
}

void TopicTable::Clear() {
  last_ = nullptr;
  last_name_ = {};
  topics_.clear();
}

absl::Status LearnPartitions(rd_kafka_t* client, Topic& topic, absl::Duration now) {
  const rd_kafka_metadata_t* raw = nullptr;
  const rd_kafka_resp_err_t error =
      rd_kafka_metadata(client, 0, topic.handle.get(), &raw, ToMilliseconds(kMetadataLimit));
  const std::unique_ptr<const rd_kafka_metadata_t, void (*)(const rd_kafka_metadata_t*)> metadata(
      raw, rd_kafka_metadata_destroy);
  if (error != RD_KAFKA_RESP_ERR_NO_ERROR || metadata->topic_cnt != 1) {
    return absl::ResourceExhaustedError("no broker has told the topic's partitions yet");
  }
  const rd_kafka_metadata_topic_t& told = metadata->topics[0];
  if (told.err == RD_KAFKA_RESP_ERR_NO_ERROR && told.partition_cnt > 0) {
    topic.gate.SetPartitions(told.partition_cnt, now);
    return absl::OkStatus();
  }
  // The first event may make the topic. One that was there may come back with other partitions.
  if (topic.gate.partitions() == 0) return absl::OkStatus();
  // It may come back, whatever the error is: never the event's own fault.
  return absl::UnavailableError(
      PublishError(told.err, {.topic = told.topic, .bytes = 0, .max_message_bytes = {}, .id = {}})
          .message());
}

std::optional<std::int32_t> PlaceOf(const OutboxEvent& event, const Topic& topic,
                                    bool keyless_is_placed) {
  if (event.partition) return event.partition;
  const std::int32_t partitions = topic.gate.partitions();
  if (partitions == 0) return std::nullopt;
  if (partitions == 1) return 0;
  if (!event.key && !keyless_is_placed) return std::nullopt;
  const std::string_view key = event.key.value_or(std::string_view());
  return rd_kafka_msg_partitioner_murmur2(topic.handle.get(), key.data(), key.size(), partitions,
                                          nullptr, nullptr);
}

}  // namespace walpost::kafka
