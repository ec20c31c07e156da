// What one event costs between the frame and the producer, without either: parse, decode, map,
// track. One row of 200 bytes of payload in a transaction of its own, or among 500; then each
// format of the value. `allocations` is per event, and is to be zero for text: counted by a
// replaced operator new.
#include <absl/strings/str_cat.h>
#include <benchmark/benchmark.h>

#include <atomic>
#include <cstdlib>
#include <new>
#include <string>
#include <variant>
#include <vector>

#include "ack/ack_tracker.h"
#include "outbox/event_mapper.h"
#include "pgoutput/decoder.h"
#include "pgoutput/frame.h"
#include "support/message_builder.h"

namespace {
std::atomic<std::int64_t> allocations{0};
}  // namespace

// Not inlined, or the compiler takes the pair for a mismatch.
[[gnu::noinline]] void* operator new(std::size_t size) {
  allocations.fetch_add(1, std::memory_order_relaxed);
  if (void* memory = std::malloc(size)) return memory;
  throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace walpost {
namespace {

constexpr std::uint32_t kRelation = 16385;

// The relay's work on a frame, less the sink and the socket.
class Path {
 public:
  explicit Path(const OutboxSettings& settings = {}, std::uint32_t payload_type = 3802)
      : mapper_(*outbox::EventMapper::Create({settings})) {
    Take(test::XLogDataFrame(1, test::RelationMessage(kRelation, "public", "outbox",
                                                      {{"id", 2950},
                                                       {"aggregatetype"},
                                                       {"aggregateid"},
                                                       {"type"},
                                                       {"payload", payload_type}})));
  }

  void Take(std::string_view frame) {
    const auto parsed = pgoutput::ParseFrame(frame);
    const auto message = decoder_.Decode(std::get<pgoutput::XLogData>(*parsed).payload);
    if (const auto* insert = std::get_if<pgoutput::Insert>(&*message)) {
      const auto event = mapper_.Map(*insert, 0);
      benchmark::DoNotOptimize((*event)->value->data());
      tickets_.push_back(*tracker_.AddEvent());
    } else if (std::holds_alternative<pgoutput::Begin>(*message)) {
      static_cast<void>(tracker_.Begin(0, Lsn()));
    } else if (const auto* commit = std::get_if<pgoutput::Commit>(&*message)) {
      static_cast<void>(tracker_.Commit(commit->end_lsn));
    } else if (const auto* relation = std::get_if<const pgoutput::Relation*>(&*message)) {
      static_cast<void>(mapper_.OnRelation(**relation));
    }
  }

  // Every event so far is delivered.
  void Deliver() {
    for (EventTicket ticket : tickets_) static_cast<void>(tracker_.Ack(ticket).ok());
    tickets_.clear();
  }

 private:
  pgoutput::Decoder decoder_;
  outbox::EventMapper mapper_;
  ack::AckTracker tracker_;
  std::vector<EventTicket> tickets_;
};

void BM_FrameToEvent(benchmark::State& state) {
  const int rows = static_cast<int>(state.range(0));
  const std::string begin = test::XLogDataFrame(10, test::BeginMessage(10));
  const std::string commit = test::XLogDataFrame(20, test::CommitMessage(10, 20));
  const std::string row = test::XLogDataFrame(
      10, test::InsertMessage(
              kRelation, {"018f3a1e-0000-7000-8000-000000000001", "order", "k42", "OrderPlaced",
                          "{\"n\": 1, \"pad\": \"" + std::string(200, 'x') + "\"}"}));
  Path path;
  const auto transaction = [&] {
    path.Take(begin);
    for (int i = 0; i < rows; ++i) path.Take(row);
    path.Take(commit);
    path.Deliver();
  };
  transaction();  // the scratch space grows once
  const std::int64_t before = allocations.load();
  for (auto _ : state) transaction();
  const double events = static_cast<double>(state.iterations()) * rows;
  state.counters["allocations"] = static_cast<double>(allocations.load() - before) / events;
  state.SetItemsProcessed(static_cast<std::int64_t>(events));
}
BENCHMARK(BM_FrameToEvent)->Arg(1)->Arg(500);

// 230 bytes of JSON as applications write it: nested, with numbers, nulls and text.
constexpr char kOrder[] =
    R"({"id": 4711, "customer": {"id": "c-17", "name": "Zoe", "vip": false, "since": null}, )"
    R"("lines": [{"sku": "A-1", "qty": 2, "price": 19.90}, {"sku": "B-2", "qty": 1, "price": 5.00}], )"
    R"("notes": [], "total": 44.80, "placed": "2026-12-01T05:00:00Z"})";

// 500 rows of one transaction in a format, over those as text.
void BM_ValueFormat(benchmark::State& state, OutboxSettings settings) {
  constexpr int kRows = 500;
  const bool bytea = settings.value == "bytes";
  std::string payload = kOrder;
  if (bytea) {
    payload = "\\x";
    for (const char c : std::string_view(kOrder))
      absl::StrAppend(&payload, absl::Hex(static_cast<unsigned char>(c), absl::kZeroPad2));
  }
  const std::string begin = test::XLogDataFrame(10, test::BeginMessage(10));
  const std::string commit = test::XLogDataFrame(20, test::CommitMessage(10, 20));
  const std::string row = test::XLogDataFrame(
      10, test::InsertMessage(kRelation, {"018f3a1e-0000-7000-8000-000000000001", "order", "k42",
                                          "OrderPlaced", payload}));
  Path path(settings, bytea ? 17 : 3802);
  const auto transaction = [&] {
    path.Take(begin);
    for (int i = 0; i < kRows; ++i) path.Take(row);
    path.Take(commit);
    path.Deliver();
  };
  transaction();
  const std::int64_t before = allocations.load();
  for (auto _ : state) transaction();
  const double events = static_cast<double>(state.iterations()) * kRows;
  state.counters["allocations"] = static_cast<double>(allocations.load() - before) / events;
  state.SetItemsProcessed(static_cast<std::int64_t>(events));
}

OutboxSettings Value(const std::string& value, const std::string& json_style = "lossless") {
  OutboxSettings settings;
  settings.value = value;
  settings.json_style = json_style;
  return settings;
}

OutboxSettings CloudEvents(const std::string& mode) {
  OutboxSettings settings = Value("cloudevents");
  settings.cloudevents = {{"source", "'/shop'"}, {"type", "type"}};
  settings.cloudevents_mode = mode;
  return settings;
}

BENCHMARK_CAPTURE(BM_ValueFormat, text, Value("text"));
BENCHMARK_CAPTURE(BM_ValueFormat, bytes, Value("bytes"));
BENCHMARK_CAPTURE(BM_ValueFormat, json, Value("json"));
BENCHMARK_CAPTURE(BM_ValueFormat, json_debezium, Value("json", "debezium"));
BENCHMARK_CAPTURE(BM_ValueFormat, json_escaped, Value("json-escaped"));
BENCHMARK_CAPTURE(BM_ValueFormat, json_schema, Value("json-schema"));
BENCHMARK_CAPTURE(BM_ValueFormat, envelope, Value("envelope"));
BENCHMARK_CAPTURE(BM_ValueFormat, struct, Value("struct"));
BENCHMARK_CAPTURE(BM_ValueFormat, cloudevents_binary, CloudEvents("binary"));
BENCHMARK_CAPTURE(BM_ValueFormat, cloudevents_structured, CloudEvents("structured"));

}  // namespace
}  // namespace walpost

BENCHMARK_MAIN();
