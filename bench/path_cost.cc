// The path of an event through the program, for callgrind: frame, decoder, mapper, tracker and the
// hand-over to the producer, whose queue takes all; the broker goes once it has had one event. See
// instructions.sh.
//
//   bench_path_cost EVENTS
#include <absl/strings/str_cat.h>
#include <poll.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <variant>

#include "ack/ack_tracker.h"
#include "base/clock.h"
#include "core/topic_counters.h"
#include "kafka/kafka_sink.h"
#include "kafka/mock_cluster.h"
#include "outbox/event_mapper.h"
#include "pgoutput/decoder.h"
#include "pgoutput/frame.h"
#include "support/message_builder.h"
#include "walpost/logger.h"
#include "walpost/relay_metrics.h"

namespace walpost {
namespace {

constexpr std::uint32_t kRelation = 16385;

// The topic of `row`, below.
constexpr char kTopic[] = "outbox.event.order";

class FirstDelivery final : public DeliveryListener {
 public:
  void OnDelivered(EventTicket, std::size_t) override { came_ = true; }
  void OnFailed(EventTicket, std::size_t, const absl::Status&) override { std::abort(); }
  void Await(EventSink& sink) {
    while (!came_) {
      pollfd readable = {.fd = sink.event_fd(), .events = POLLIN, .revents = 0};
      ::poll(&readable, 1, 1000);
      if (!sink.PollDeliveries(*this).ok()) std::abort();
    }
  }

 private:
  bool came_ = false;
};

class NoLog final : public Logger {
 public:
  void Log(LogLevel, std::string_view, std::span<const LogField>) override {}
};

class Path {
 public:
  explicit Path(EventSink& sink) : sink_(sink), mapper_(*outbox::EventMapper::Create({{}})) {
    Take(test::XLogDataFrame(
        1, test::RelationMessage(
               kRelation, "public", "outbox",
               {{"id", 2950}, {"aggregatetype"}, {"aggregateid"}, {"type"}, {"payload", 3802}})));
    Take(test::XLogDataFrame(10, test::BeginMessage(10)));
  }

  // What is counted: it must stay a function of its own.
  [[gnu::noinline]] void Take(std::string_view frame) {
    const auto parsed = pgoutput::ParseFrame(frame);
    const auto message = decoder_.Decode(std::get<pgoutput::XLogData>(*parsed).payload);
    if (const auto* insert = std::get_if<pgoutput::Insert>(&*message)) {
      const auto event = mapper_.Map(*insert, 0);
      if (!sink_.Publish(**event, *tracker_.AddEvent()).ok()) std::abort();
    } else if (std::holds_alternative<pgoutput::Begin>(*message)) {
      static_cast<void>(tracker_.Begin(0, Lsn()));
    } else if (const auto* relation = std::get_if<const pgoutput::Relation*>(&*message)) {
      static_cast<void>(mapper_.OnRelation(**relation));
    }
  }

 private:
  EventSink& sink_;
  pgoutput::Decoder decoder_;
  outbox::EventMapper mapper_;
  ack::AckTracker tracker_;
};

int Main(int events) {
  SystemClock clock;
  RelayMetrics metrics;
  TopicCounterTable topics;
  NoLog log;
  auto cluster = kafka::MockCluster::Start(1);
  if (!cluster.ok() || !(*cluster)->CreateTopic(kTopic, 1).ok()) return 1;
  auto sink = kafka::KafkaSink::Create({.brokers = (*cluster)->bootstrap(),
                                        .properties = {{"queue.buffering.max.kbytes", "2000000"}}},
                                       topics, metrics, log, clock);
  if (!sink.ok()) return 1;
  Path path(**sink);
  const std::string row = test::XLogDataFrame(
      10, test::InsertMessage(
              kRelation, {"018f3a1e-0000-7000-8000-000000000001", "order", "k42", "OrderPlaced",
                          "{\"n\": 1, \"pad\": \"" + std::string(200, 'x') + "\"}"}));
  path.Take(row);
  FirstDelivery().Await(**sink);
  // Which learns what the topic is like.
  path.Take(row);
  if (!(*cluster)->StopBroker(1).ok()) return 1;
  for (int i = 0; i < events; ++i) path.Take(row);
  std::printf("%d events\n", events);
  return 0;
}

}  // namespace
}  // namespace walpost

int main(int argc, char** argv) { return walpost::Main(argc > 1 ? std::atoi(argv[1]) : 10'000); }
