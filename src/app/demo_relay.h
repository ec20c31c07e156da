#ifndef WALPOST_APP_DEMO_RELAY_H_
#define WALPOST_APP_DEMO_RELAY_H_

#include <absl/status/status.h>
#include <absl/status/statusor.h>

#include <memory>
#include <thread>

#include "app/stop_event.h"
#include "base/clock.h"
#include "core/outbox_settings.h"
#include "core/topic_counters.h"
#include "kafka/kafka_sink.h"
#include "outbox/event_mapper.h"
#include "postgres/connection_options.h"
#include "postgres/replication_source.h"
#include "relay/waiter.h"
#include "walpost/relay.h"

namespace walpost::app {

// A whole relay on a thread of its own, as `walpost run` is on its main thread. Made and stopped on
// another thread; in between, the parts belong to the relay thread.
class DemoRelay {
 public:
  // Starts it once a broker has answered. `logger` must outlive it; `stop` ends the wait.
  static absl::StatusOr<std::unique_ptr<DemoRelay>> Start(
      const postgres::ConnectionOptions& connection, const kafka::ProducerOptions& producer,
      const OutboxSettings& outbox, Logger& logger, const StopSignal& stop);
  ~DemoRelay();
  DemoRelay(const DemoRelay&) = delete;
  DemoRelay& operator=(const DemoRelay&) = delete;

  // Whether Run() has ended: before Stop() that is a failure.
  bool ended() const { return ended_.load(); }

  // Whether it has opened its stream.
  bool streaming() const { return metrics_.state.load() == RelayState::kStreaming; }

  // Drains it and answers how it ended. Again is no error.
  absl::Status Stop();

  // The position that is confirmed to the slot. Any thread.
  Lsn confirmed() const { return Lsn(static_cast<std::uint64_t>(metrics_.confirmed_lsn.Get())); }

 private:
  DemoRelay(outbox::EventMapper mapper, Logger& logger)
      : mapper_(std::move(mapper)), logger_(logger) {}

  void Run();

  SystemClock clock_;
  PollWaiter waiter_;
  StopEvent stop_;
  RelayMetrics metrics_;
  TopicCounterTable topics_;
  outbox::EventMapper mapper_;
  Logger& logger_;
  std::unique_ptr<kafka::KafkaSink> sink_;
  std::unique_ptr<postgres::PgReplicationSource> source_;
  std::atomic<bool> ended_{false};
  absl::Status status_;  // the relay thread's until it has ended
  std::thread thread_;
};

}  // namespace walpost::app

#endif  // WALPOST_APP_DEMO_RELAY_H_
