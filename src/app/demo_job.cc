#include <absl/strings/str_cat.h>
#include <absl/strings/str_format.h>
#include <unistd.h>

#include <memory>
#include <ostream>
#include <string>
#include <utility>

#include "app/app.h"
#include "app/demo_relay.h"
#include "app/demo_report.h"
#include "app/demo_shop.h"
#include "app/parts.h"
#include "app/signal_stop.h"
#include "app/throwaway_postgres.h"
#include "base/status_macros.h"
#include "kafka/mock_cluster.h"
#include "kafka/topic_reader.h"
#include "observability/log_writer.h"

namespace walpost::app {
namespace {

// How long the last events may take to arrive.
constexpr absl::Duration kArrivalLimit = absl::Seconds(15);
// The embedded broker holds a fetch for this long when there is nothing, and then it is what a
// reader waits for; a real one answers at once when something comes.
constexpr absl::Duration kFetchWait = absl::Milliseconds(1);
// An idempotent producer asks for its id once a broker is known, and again half a second later when
// that was too early.
constexpr absl::Duration kProducerStart = absl::Milliseconds(600);
// The order that is rolled back, to show that its event does not arrive.
constexpr int kAbandonedOrder = 3;

// One run of the demo, from its servers to its summary.
class Demo {
 public:
  Demo(const config::Settings& settings, const DemoOptions& options, std::ostream& out)
      : settings_(settings), options_(options), out_(out), stop_(/*second_signal_ends=*/false) {}

  absl::Status Run();

 private:
  absl::Status Start();
  absl::Status StartPostgres();
  absl::Status StartKafka();
  absl::Status AwaitStreaming();
  absl::Status Relay();
  absl::Status PlaceOrder(int number);
  absl::Status AbandonOrder();
  absl::Status ReadUntil(absl::Duration time);
  absl::Status AwaitTheRest();
  void Show(const kafka::ReadRecord& record);
  absl::Status Summarize();
  absl::Status CleanUp();

  void Say(std::string_view line) { out_ << line << std::endl; }
  bool MoreToPlace(int placed) const { return options_.follow || placed < options_.events; }

  const config::Settings& settings_;
  const DemoOptions& options_;
  std::ostream& out_;
  // Not the second signal either: there is something to clean up.
  SignalStop stop_;
  SystemClock clock_;
  const std::unique_ptr<Logger> logger_ = observability::MakeLogger({.level = LogLevel::kWarn});
  const std::string name_ = absl::StrCat("walpost_demo_", getpid());

  // Ended in the reverse order.
  std::unique_ptr<ThrowawayPostgres> server_;
  std::unique_ptr<kafka::MockCluster> broker_;
  kafka::ProducerOptions producer_;
  OutboxSettings outbox_;
  std::string topic_;
  std::unique_ptr<DemoShop> shop_;
  std::unique_ptr<DemoRelay> relay_;
  std::unique_ptr<kafka::TopicReader> reader_;
  DemoTally tally_;
  Lsn confirmed_;
};

// What went wrong first is what is told; a stop is no failure.
absl::Status FirstFailure(absl::Status first, const absl::Status& second) {
  if (first.ok() || absl::IsCancelled(first)) return second;
  return first;
}

absl::Status Demo::Run() {
  absl::Status status = Start();
  if (status.ok()) status = Relay();
  if (relay_ != nullptr) status = FirstFailure(status, Summarize());
  return FirstFailure(status, CleanUp());
}

absl::Status Demo::Start() {
  WALPOST_RETURN_IF_ERROR(StartPostgres());
  WALPOST_RETURN_IF_ERROR(StartKafka());
  outbox_.table = shop_->outbox().ToString();
  WALPOST_ASSIGN_OR_RETURN(relay_,
                           DemoRelay::Start(shop_->options(), producer_, outbox_, *logger_, stop_));
  WALPOST_ASSIGN_OR_RETURN(reader_, kafka::TopicReader::Open({.brokers = producer_.brokers,
                                                              .properties = {},
                                                              .topics = {topic_},
                                                              .create_missing_topics = true,
                                                              .fetch_wait = kFetchWait}));
  WALPOST_RETURN_IF_ERROR(AwaitStreaming());
  Say("relay: streaming; each line is an event that a consumer received, and the time since its "
      "COMMIT\n");
  return absl::OkStatus();
}

// So that no event counts the time which connections take.
absl::Status Demo::AwaitStreaming() {
  const absl::Duration deadline = clock_.Monotonic() + kArrivalLimit;
  const absl::Duration producer_ready = clock_.Monotonic() + kProducerStart;
  PollWaiter waiter;
  while (!relay_->streaming() || clock_.Monotonic() < producer_ready) {
    if (stop_.requested()) return absl::CancelledError("stopped");
    if (relay_->ended()) return relay_->Stop();
    if (clock_.Monotonic() > deadline) return absl::UnavailableError("the relay does not stream");
    waiter.Wait({.stop_fd = stop_.fd(), .timeout = absl::Milliseconds(5)});
  }
  return absl::OkStatus();
}

absl::Status Demo::StartPostgres() {
  postgres::ConnectionOptions connection = ConnectionOptionsFrom(settings_);
  if (connection.conninfo.empty()) {
    ClearPostgresEnvironment();
    WALPOST_ASSIGN_OR_RETURN(server_, ThrowawayPostgres::Start(stop_));
    connection.conninfo = server_->conninfo();
    connection.password_file.clear();
    Say(absl::StrCat("postgres: a throw-away server ", server_->binaries().version, " in ",
                     server_->folder(),
                     server_->user().empty() ? "" : absl::StrCat(", as user ", server_->user())));
  } else {
    Say("postgres: the server of --conninfo; what the demo makes there it removes at the end");
  }
  shop_ = std::make_unique<DemoShop>(std::move(connection), name_, stop_);
  WALPOST_RETURN_IF_ERROR(shop_->Create());
  Say(absl::StrCat("postgres: made tables ", name_, ".orders and ", name_,
                   ".outbox, publication and slot ", name_));
  return absl::OkStatus();
}

absl::Status Demo::StartKafka() {
  producer_ = ProducerOptionsFrom(settings_);
  outbox_.topic = "outbox.event.${aggregatetype}";
  if (producer_.brokers.empty()) {
    WALPOST_ASSIGN_OR_RETURN(broker_, kafka::MockCluster::Start(1));
    producer_.brokers = broker_->bootstrap();
    Say(absl::StrCat("kafka: an embedded broker on ", producer_.brokers));
  } else {
    // Apart from every topic that is in use there.
    outbox_.topic = absl::StrCat(name_, ".${aggregatetype}");
    Say(absl::StrCat("kafka: the brokers at ", producer_.brokers, "; the topic ", name_, ".",
                     DemoShop::kAggregateType, " stays there, since a relay cannot remove it"));
  }
  topic_ = broker_ != nullptr ? absl::StrCat("outbox.event.", DemoShop::kAggregateType)
                              : absl::StrCat(name_, ".", DemoShop::kAggregateType);
  return absl::OkStatus();
}

absl::Status Demo::Relay() {
  const absl::Duration pause = absl::Seconds(1 / options_.rate);
  absl::Duration next = clock_.Monotonic();
  for (int placed = 0; MoreToPlace(placed) && !stop_.requested(); ++placed) {
    if (placed + 1 == kAbandonedOrder) WALPOST_RETURN_IF_ERROR(AbandonOrder());
    WALPOST_RETURN_IF_ERROR(PlaceOrder(placed + 1));
    next += pause;
    WALPOST_RETURN_IF_ERROR(ReadUntil(next));
  }
  return absl::OkStatus();
}

absl::Status Demo::PlaceOrder(int number) {
  WALPOST_ASSIGN_OR_RETURN(const std::string id, shop_->PlaceOrder(number));
  tally_.Committed(id, clock_.Monotonic());
  return absl::OkStatus();
}

absl::Status Demo::AbandonOrder() {
  WALPOST_ASSIGN_OR_RETURN(const std::string id, shop_->AbandonOrder(0));
  tally_.RolledBack(id);
  Say("            order o-0000 was written with its event and rolled back: it must not arrive");
  return absl::OkStatus();
}

// Takes what arrives until then, and for as long as anything is waiting.
absl::Status Demo::ReadUntil(absl::Duration time) {
  while (!stop_.requested()) {
    if (relay_->ended()) return relay_->Stop();
    const absl::Duration left = time - clock_.Monotonic();
    if (left <= absl::ZeroDuration()) break;
    // In portions, so that a signal is noticed.
    WALPOST_ASSIGN_OR_RETURN(const auto record,
                             reader_->Next(std::min(left, absl::Milliseconds(50))));
    if (record) Show(*record);
  }
  return absl::OkStatus();
}

absl::Status Demo::AwaitTheRest() {
  const absl::Duration deadline = clock_.Monotonic() + kArrivalLimit;
  while (tally_.lost() > 0 && clock_.Monotonic() < deadline && !relay_->ended()) {
    WALPOST_ASSIGN_OR_RETURN(const auto record, reader_->Next(absl::Milliseconds(50)));
    if (record) Show(*record);
  }
  return absl::OkStatus();
}

void Demo::Show(const kafka::ReadRecord& record) {
  const absl::Duration now = clock_.Monotonic();
  std::string id;
  for (const auto& [name, value] : record.headers) {
    if (name == "id" && value) id = *value;
  }
  absl::Duration latency;
  const DemoTally::Arrival arrival = tally_.Arrived(id, now, latency);
  std::string time = "duplicate";
  if (arrival == DemoTally::Arrival::kForeign) time = "was never committed";
  if (arrival == DemoTally::Arrival::kFirst) time = InMilliseconds(latency);
  time = absl::StrFormat("%10s", time);
  if (options_.terminal) time = absl::StrCat("\x1b[32m", time, "\x1b[0m");
  Say(absl::StrFormat("%s  %s[%d] at %d  key %s  value %s", time, record.topic, record.partition,
                      record.offset, record.key.value_or("(none)"),
                      record.value.value_or("(none)")));
}

absl::Status Demo::Summarize() {
  absl::Status status;
  if (reader_ != nullptr) status = AwaitTheRest();
  status = FirstFailure(status, relay_->Stop());
  confirmed_ = relay_->confirmed();
  Say(absl::StrCat("\nevents ", tally_.committed(), ", lost ", tally_.lost(), ", duplicates ",
                   tally_.duplicates(), ", latency median ", InMilliseconds(tally_.Percentile(0.5)),
                   ", p99 ", InMilliseconds(tally_.Percentile(0.99)), "; confirmed up to ",
                   confirmed_.ToString()));
  if (!status.ok()) return status;
  if (tally_.lost() > 0) {
    return absl::DataLossError(absl::StrCat(tally_.lost(), " of ", tally_.committed(),
                                            " committed events did not arrive"));
  }
  if (tally_.foreign() > 0) {
    return absl::InternalError(
        absl::StrCat(tally_.foreign(), " events arrived that were never committed"));
  }
  if (!stop_.requested()) {
    Say("the rolled-back order did not arrive\n\nnext, with your own servers:\n"
        "  walpost setup --conninfo 'host=... dbname=...' --create-table debezium\n"
        "  walpost run   --conninfo 'host=... dbname=...' --brokers HOST:9092");
  }
  return absl::OkStatus();
}

absl::Status Demo::CleanUp() {
  reader_.reset();
  relay_.reset();
  absl::Status status;
  // A throw-away server takes everything with it.
  if (shop_ != nullptr && server_ == nullptr) status = shop_->Remove();
  shop_.reset();
  broker_.reset();
  if (server_ != nullptr) status.Update(server_->Stop());
  return status;
}

}  // namespace

absl::Status RunDemo(const config::Settings& settings, const DemoOptions& options,
                     std::ostream& out) {
  return Demo(settings, options, out).Run();
}

}  // namespace walpost::app
