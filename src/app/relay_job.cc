#include <memory>
#include <string>

#include "app/app.h"
#include "app/parts.h"
#include "app/signal_stop.h"
#include "base/clock.h"
#include "base/status_macros.h"
#include "core/topic_counters.h"
#include "kafka/kafka_sink.h"
#include "observability/admin_server.h"
#include "outbox/event_mapper.h"
#include "postgres/replication_source.h"
#include "relay/waiter.h"
#include "walpost/relay.h"

namespace walpost::app {
namespace {

// Builds every part, runs the relay on the calling thread, and takes all down again in reverse
// order.
absl::Status BuildAndRun(const config::Settings& settings, const StopSignal& stop, Logger& logger) {
  SystemClock clock;
  RelayMetrics metrics;
  TopicCounterTable topics;
  // What is wrong by itself is said before anything is waited for.
  WALPOST_RETURN_IF_ERROR(postgres::ValidateConninfo(settings.postgres.conninfo));
  WALPOST_ASSIGN_OR_RETURN(outbox::EventMapper mapper,
                           outbox::EventMapper::Create(settings.outboxes, settings.ignored_tables));
  std::unique_ptr<observability::AdminServer> admin;
  if (!settings.admin.listen.empty()) {
    const observability::AdminOptions options{.listen = settings.admin.listen,
                                              .version = WALPOST_VERSION,
                                              .limits = {settings.relay.stall_timeout}};
    WALPOST_ASSIGN_OR_RETURN(admin,
                             observability::AdminServer::Start(options, metrics, topics, clock));
    logger.Info("admin server listens",
                {{"address", settings.admin.listen}, {"port", admin->port()}});
  }
  WALPOST_ASSIGN_OR_RETURN(auto sink, kafka::KafkaSink::Create(ProducerOptionsFrom(settings),
                                                               topics, metrics, logger, clock));
  WALPOST_RETURN_IF_ERROR(sink->WaitForBroker(settings.relay.start_timeout, stop));
  postgres::PgReplicationSource source(
      ConnectionOptionsFrom(settings),
      {.tables = mapper.Tables(),
       .messages = mapper.WantsMessages(),
       .updates = settings.relay.halt_on_update,
       .check_table = [&mapper](
                          const QualifiedName& name,
                          const CatalogTable& table) { return mapper.CheckTable(name, table); }},
      clock, logger);
  PollWaiter waiter;
  Relay relay({.source = source,
               .mapper = mapper,
               .sink = *sink,
               .stop = stop,
               .waiter = waiter,
               .clock = clock,
               .logger = logger,
               .metrics = metrics},
              settings.relay);
  return relay.Run();
}

}  // namespace

absl::Status RunRelay(const config::Settings& settings) {
  // Before the first thread, so that none of them takes a signal.
  SignalStop stop(/*second_signal_ends=*/true);
  std::unique_ptr<Logger> logger = observability::MakeLogger(LogOptionsFrom(settings));
  logger->Info("starting", {{"version", WALPOST_VERSION},
                            {"slot", settings.postgres.slot},
                            {"publication", settings.postgres.publication}});
  absl::Status status = BuildAndRun(settings, stop, *logger);
  if (absl::IsCancelled(status)) status = absl::OkStatus();
  if (status.ok()) {
    logger->Info("stopped");
  } else {
    logger->Error("stopped", {{"reason", std::string(status.message())}});
  }
  return status;
}

}  // namespace walpost::app
