#ifndef WALPOST_UNIT_RELAY_RELAY_FIXTURE_H_
#define WALPOST_UNIT_RELAY_RELAY_FIXTURE_H_

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "outbox/event_mapper.h"
#include "support/message_builder.h"
#include "support/relay_fakes.h"
#include "walpost/relay.h"

namespace walpost::test {

// A whole relay with fakes around it. A test scripts the streams, the broker and the order of
// events, then runs it.
class RelayTest : public testing::Test {
 protected:
  static constexpr std::uint32_t kOutbox = 1;

  static std::string Data(std::uint64_t lsn, const std::string& message) {
    return XLogDataFrame(lsn, message);
  }
  static std::string Table() {
    return Data(
        0, RelationMessage(kOutbox, "public", "outbox",
                           {{"id"}, {"aggregatetype"}, {"aggregateid"}, {"type"}, {"payload"}}));
  }
  static std::string Row(std::uint64_t lsn, const std::string& id,
                         const std::string& aggregate_type = "order") {
    return Data(lsn, InsertMessage(kOutbox, {id, aggregate_type, "k", "T", "{}"}));
  }
  // A transaction with one row for each id, that ends at `end`.
  static void SayTransaction(StreamScript& script, std::uint64_t end,
                             const std::vector<std::string>& ids) {
    script.Say(Data(end - 5, BeginMessage(end - 2)));
    for (const std::string& id : ids) script.Say(Row(end - 4, id));
    script.Say(Data(end, CommitMessage(end - 2, end)));
  }

  RelayParts Parts() {
    auto mapper = outbox::EventMapper::Create(outboxes_, ignored_);
    mapper_.emplace(*std::move(mapper));
    return {.source = source_,
            .mapper = *mapper_,
            .sink = sink_,
            .stop = stop_,
            .waiter = waiter_,
            .clock = clock_,
            .logger = log_,
            .metrics = metrics_};
  }
  absl::Status Run() {
    const RelayParts parts = Parts();
    Relay relay(parts, options_);
    return relay.Run();
  }

  ManualClock clock_;
  ManualStop stop_;
  ScenarioWaiter waiter_{clock_, stop_};
  FakeSource source_;
  FakeSink sink_;
  KeptLog log_;
  RelayMetrics metrics_;
  RelayOptions options_;
  std::vector<OutboxSettings> outboxes_ = {OutboxSettings{}};
  std::vector<QualifiedName> ignored_;
  std::optional<outbox::EventMapper> mapper_;
};

}  // namespace walpost::test

#endif  // WALPOST_UNIT_RELAY_RELAY_FIXTURE_H_
