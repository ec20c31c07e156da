#ifndef WALPOST_KAFKA_TOPIC_TABLE_H_
#define WALPOST_KAFKA_TOPIC_TABLE_H_

#include <absl/status/status.h>
#include <absl/status/statusor.h>
#include <absl/time/time.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "base/strings.h"
#include "core/topic_counters.h"
#include "kafka/handles.h"
#include "kafka/partition_gate.h"
#include "walpost/outbox_event.h"

namespace walpost::kafka {

// One topic of the producer; its address is the topic's opaque.
struct Topic {
  TopicHandle handle;
  TopicCounters* counters = nullptr;
  PartitionGate gate;
};

// The topics that a producer has been given events for. Not thread-safe.
class TopicTable {
 public:
  // `counters` must outlive the table.
  explicit TopicTable(TopicCounterTable& counters) : counters_(counters) {}

  // The topic of the last event, if it is this one: the next event is likely to have the same.
  Topic* Last(std::string_view name) {
    return last_ != nullptr && name == last_name_ ? last_ : nullptr;
  }
  // Any other; made when it is new. Errors: those of PublishError().
  absl::StatusOr<Topic*> Find(rd_kafka_s* client, std::string_view name);

  // Before the client ends.
  void Clear();

 private:
  absl::Status Make(rd_kafka_s* client, const std::string& name, Topic& topic);

  TopicCounterTable& counters_;
  // A topic does not move while the table lives.
  std::unordered_map<std::string, Topic, StringHash, std::equal_to<>> topics_;
  std::string_view last_name_;
  Topic* last_ = nullptr;
};

// Asks the brokers how many partitions the topic has, for at most a second, and tells the gate; not
// of a topic that has never been there. kResourceExhausted: none has told.
// kUnavailable: a topic that was there is not any more, or is forbidden.
absl::Status LearnPartitions(rd_kafka_s* client, Topic& topic, absl::Duration now);

// Where the event goes; nothing if that may be anywhere, since it has no key, or the partitions are
// not known yet. The place is that of the client's own partitioner, but for the number of
// partitions that the gate knows, so that none is used that the gate does not watch.
// `keyless_is_placed`: the partitioner is one that gives those without a key a place, too.
std::optional<std::int32_t> PlaceOf(const OutboxEvent& event, const Topic& topic,
                                    bool keyless_is_placed);

}  // namespace walpost::kafka

#endif  // WALPOST_KAFKA_TOPIC_TABLE_H_
