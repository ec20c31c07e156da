#ifndef WALPOST_KAFKA_KAFKA_SINK_H_
#define WALPOST_KAFKA_KAFKA_SINK_H_

#include <absl/status/status.h>
#include <absl/status/statusor.h>
#include <absl/time/time.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/unique_fd.h"
#include "core/topic_counters.h"
#include "kafka/broker_health.h"
#include "kafka/handles.h"
#include "kafka/producer_options.h"
#include "kafka/topic_table.h"
#include "walpost/event_sink.h"
#include "walpost/logger.h"
#include "walpost/relay_metrics.h"
#include "walpost/stop_signal.h"

namespace walpost::kafka {

// Publishes events through librdkafka's idempotent producer; an event counts as delivered when
// every in-sync replica has it.
//
// An event that cannot be delivered ends the producer, since nothing that was published after it
// may overtake it: PollDeliveries() reports the failure and answers kUnavailable in the same call,
// what is still queued fails as well or is never reported, and all of it has to be published again,
// in order, after Restart(). A batch that a broker refuses as a whole (too large for the topic, or
// one record invalid) is a failure of that kind too: smaller batches after the Restart() tell which
// event, if any, is refused by itself. The first event of a producer goes into each partition
// alone, see PartitionGate.
//
// For one thread, the relay's; librdkafka's own threads do the I/O and never call our code. Publish
// takes no lock and no memory of ours but for the first event of a topic.
class KafkaSink final : public EventSink {
 public:
  // Makes a producer, which connects in the background; see WaitForBroker. The references must
  // outlive the sink.
  //
  // kInvalidArgument: no brokers, or a property that is unknown, malformed, or would break the
  // promise; the message names it.
  static absl::StatusOr<std::unique_ptr<KafkaSink>> Create(ProducerOptions options,
                                                           TopicCounterTable& counters,
                                                           RelayMetrics& metrics, Logger& logger,
                                                           const Clock& clock);

  // Discards what is queued, without reporting it. Takes well under a second, also with the broker
  // down, unless a name server hangs.
  ~KafkaSink() override;
  KafkaSink(const KafkaSink&) = delete;
  KafkaSink& operator=(const KafkaSink&) = delete;

  // As the contract says. The timestamp 0 is refused unless options.allow_epoch.
  absl::StatusOr<std::size_t> Publish(const OutboxEvent& event, EventTicket ticket) override;
  absl::Status PollDeliveries(DeliveryListener& listener) override;
  int event_fd() const override { return event_fd_.get(); }
  absl::Status Restart() override;

  // Blocks until a broker has answered, for at most `limit`. Delivery reports that arrive meanwhile
  // are kept for PollDeliveries.
  //
  // kUnavailable: none answered; with the last reason. kUnauthenticated: the last reason was about
  // credentials or TLS; answered a few seconds after the first such, limit or not. kCancelled: a
  // stop was requested.
  absl::Status WaitForBroker(absl::Duration limit, const StopSignal& stop);

  // For tests: makes the producer fail as it does when the broker has lost its state.
  absl::Status InjectFatalErrorForTest();

 private:
  KafkaSink(ProducerOptions options, UniqueFd event_fd, TopicCounterTable& counters,
            RelayMetrics& metrics, Logger& logger, const Clock& clock);

  absl::Status Start();
  void Discard();
  absl::StatusOr<Topic*> FindTopic(std::string_view name);
  absl::Status Refusal(int code, const OutboxEvent& event);
  absl::Status NotTaken(absl::Status reason);
  absl::Status CheckPartition(const OutboxEvent& event, Topic& topic);
  absl::Status AwaitPartitions(Topic& topic);
  absl::Status CheckTimestamp(const OutboxEvent& event) const;

  EventHandle NextEvent(absl::Duration wait);
  void Handle(rd_kafka_op_s* event, DeliveryListener& listener);
  void HandleDeliveries(rd_kafka_op_s* event, DeliveryListener& listener);
  void HandleFailure(const rd_kafka_message_s& message, std::size_t batch,
                     DeliveryListener& listener);
  void SendSmallerBatches(const rd_kafka_message_s& refused, std::size_t bytes);
  void HearRefusal(DeliveryListener& listener);
  void HandleOther(rd_kafka_op_s* event);
  void HandleError(rd_kafka_op_s* event);
  void HandleLog(rd_kafka_op_s* event);
  void HandleStats(rd_kafka_op_s* event);
  bool NoticeFatalError();
  void DrainEventFd();
  void WakeEventFd();

  bool AskAnyBroker(absl::Duration limit, const StopSignal& stop);
  void ServeWhileWaiting();
  absl::Status NobodyAnswered(absl::Duration limit) const;

  const ProducerOptions options_;
  const UniqueFd event_fd_;
  RelayMetrics& metrics_;
  Logger& logger_;
  const Clock& clock_;
  BrokerHealth health_;

  // In the order that their destruction needs, last first.
  ClientHandle client_;
  QueueHandle queue_;
  TopicTable topics_;
  std::deque<EventHandle> kept_events_;  // delivery reports met by WaitForBroker

  bool takes_epoch_ = false;     // events with the timestamp 0
  bool places_keyless_ = false;  // see PlaceOf()
  absl::Duration now_;           // as of the last PollDeliveries()
  std::size_t in_flight_ = 0;
  bool delivered_since_poll_ = false;
  // Why the producer is lost; OK while it is not.
  absl::Status lost_;
  // The client announced that it is lost to a failed batch, which it has not reported yet.
  bool awaits_refusal_ = false;
  bool refusal_heard_ = false;
  // Whether the last failed connection failed for its credentials or certificates.
  bool refused_credentials_ = false;
  // Upper bound of a batch, lowered when a broker refused one that held several events; 0 for the
  // default.
  std::size_t max_batch_bytes_ = 0;
};

}  // namespace walpost::kafka

#endif  // WALPOST_KAFKA_KAFKA_SINK_H_
