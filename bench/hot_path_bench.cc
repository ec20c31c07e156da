// What one event costs between the frame and the producer, without either: parse, decode, map,
// track. One row of 200 bytes of payload in a transaction of its own, or among 500. `allocations`
// is per event, and is to be zero: counted by a replaced operator new.
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
  Path() : mapper_(*outbox::EventMapper::Create({OutboxSettings{}})) {
    Take(test::XLogDataFrame(
        1, test::RelationMessage(
               kRelation, "public", "outbox",
               {{"id", 2950}, {"aggregatetype"}, {"aggregateid"}, {"type"}, {"payload", 3802}})));
  }

  void Take(std::string_view frame) {
    const auto parsed = pgoutput::ParseFrame(frame);
    const auto message = decoder_.Decode(std::get<pgoutput::XLogData>(*parsed).payload);
    if (const auto* insert = std::get_if<pgoutput::Insert>(&*message)) {
      const auto event = mapper_.Map(*insert, 0);
      benchmark::DoNotOptimize((*event)->value->data());
      tickets_.push_back(*tracker_.AddEvent());
    } else if (std::holds_alternative<pgoutput::Begin>(*message)) {
      static_cast<void>(tracker_.Begin(0));
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

}  // namespace
}  // namespace walpost

BENCHMARK_MAIN();
