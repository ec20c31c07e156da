#include "app/demo_relay.h"

#include <utility>

#include "base/status_macros.h"

namespace walpost::app {

absl::StatusOr<std::unique_ptr<DemoRelay>> DemoRelay::Start(
    const postgres::ConnectionOptions& connection, const kafka::ProducerOptions& producer,
    const OutboxSettings& outbox, Logger& logger, const StopSignal& stop) {
  WALPOST_ASSIGN_OR_RETURN(outbox::EventMapper mapper, outbox::EventMapper::Create({outbox}));
  std::unique_ptr<DemoRelay> relay(new DemoRelay(std::move(mapper), logger));
  WALPOST_ASSIGN_OR_RETURN(
      relay->sink_,
      kafka::KafkaSink::Create(producer, relay->topics_, relay->metrics_, logger, relay->clock_));
  WALPOST_RETURN_IF_ERROR(relay->sink_->WaitForBroker(RelayOptions{}.start_timeout, stop));
  relay->source_ = std::make_unique<postgres::PgReplicationSource>(
      connection, postgres::StreamRequest{.tables = relay->mapper_.Tables()}, relay->clock_,
      logger);
  relay->thread_ = std::thread([r = relay.get()] { r->Run(); });
  return relay;
}

DemoRelay::~DemoRelay() { static_cast<void>(Stop().ok()); }

void DemoRelay::Run() {
  Relay relay({.source = *source_,
               .mapper = mapper_,
               .sink = *sink_,
               .stop = stop_,
               .waiter = waiter_,
               .clock = clock_,
               .logger = logger_,
               .metrics = metrics_},
              RelayOptions{});
  status_ = relay.Run();
  ended_.store(true);
}

absl::Status DemoRelay::Stop() {
  stop_.Request();
  if (thread_.joinable()) thread_.join();
  return status_;
}

}  // namespace walpost::app
