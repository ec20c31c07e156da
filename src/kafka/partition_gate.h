#ifndef WALPOST_KAFKA_PARTITION_GATE_H_
#define WALPOST_KAFKA_PARTITION_GATE_H_

#include <absl/time/time.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace walpost::kafka {

// Lets the first event of a producer into each partition of one topic alone: what comes behind it
// waits until it is acknowledged.
//
// A broker sees a hole in the sequence of an idempotent producer only if it knows the producer. If
// the first batch that a partition gets from one is refused (too large, a timestamp too far ahead),
// the batches that are on their way behind it are taken, and later events of a key would be on the
// topic without the one that they follow. Once an event is acknowledged, a hole is refused. A
// partition that hears nothing from a producer forgets it after a while, so that all this is asked
// again every hour. Source: ProducerAppendInfo and ProducerStateManager of Kafka, and
// producer.id.expiration.ms, a day by default, in
// https://kafka.apache.org/documentation/#brokerconfigs.
//
// Not thread-safe. Times are those of Clock::Monotonic().
class PartitionGate {
 public:
  static constexpr absl::Duration kTrust = absl::Hours(1);
  // How often the partitions are asked for: a topic may get more of them. As often as the client
  // does by itself (topic.metadata.refresh.interval.ms of librdkafka).
  static constexpr absl::Duration kAskEvery = absl::Minutes(5);

  // Whether every event may go, wherever to, as long as it goes to one of partitions().
  bool open(absl::Duration now) const { return now < open_until_; }

  // Of the topic; 0 while it is not known. Until then one event goes at a time.
  std::int32_t partitions() const { return static_cast<std::int32_t>(states_.size()); }
  // Whether it is under way to a topic of which nothing is known.
  bool AwaitsTopic() const { return states_.empty() && waits(); }
  // Whether SetPartitions() should be told: the first event is acknowledged, so the topic is there;
  // or it was told some time ago.
  bool WantsPartitions(absl::Duration now) const;
  // Has no effect while the first event is under way, since where it goes is not known. After an
  // hour, what was acknowledged before counts no more. `count` is at least 1.
  void SetPartitions(std::int32_t count, absl::Duration now);

  // Whether an event for this partition may go; nothing for one that the client places anywhere,
  // which follows no other: it may once the partitions are known.
  bool Admits(std::optional<std::int32_t> partition) const;
  // The producer has taken one that was admitted.
  void OnTaken(std::optional<std::int32_t> partition);

  // Whether OnDelivered() has to be told.
  bool waits() const { return waiting_ > 0; }
  // An event is acknowledged in this partition.
  void OnDelivered(std::int32_t partition);
  // The producer has nothing under way. If something is waited for nevertheless, the topic has not
  // the partitions that it was thought to have.
  void OnNothingUnderWay();

 private:
  enum class State : std::uint8_t { kUnknown, kWaits, kTrusted };

  State* StateOf(std::optional<std::int32_t> partition);
  void Reopen();

  std::vector<State> states_;
  std::size_t waiting_ = 0;  // first events under way
  // Where the first event was acknowledged, while the partitions are not known.
  std::optional<std::int32_t> first_;
  absl::Duration trust_ends_ = -absl::InfiniteDuration();
  absl::Duration ask_at_ = -absl::InfiniteDuration();
  absl::Duration open_until_ = -absl::InfiniteDuration();
};

}  // namespace walpost::kafka

#endif  // WALPOST_KAFKA_PARTITION_GATE_H_
