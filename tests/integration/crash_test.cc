// kill -9 of the relay: nothing is lost, and what is repeated was in flight.
#include <absl/strings/str_cat.h>
#include <absl/time/clock.h>
#include <gtest/gtest.h>

#include <random>

#include "integration/relay_test.h"
#include "support/outbox_writer.h"
#include "support/wait.h"

namespace walpost::integration {
namespace {

using support::OutboxWriter;
using support::TopicReader;

using Crash = RelayTest;

TEST_F(Crash, TwentyKillsAtRandomMomentsLoseNothing) {
  constexpr int kKills = 20;
  constexpr double kRowsPerSecond = 1000;
  CreateTopic("order");
  OutboxWriter writer(conninfo(), "order", kRowsPerSecond);
  std::mt19937 random(20);  // the same moments in every run
  std::uniform_int_distribution<int> life_ms(0, 400);
  for (int i = 0; i < kKills; ++i) {
    auto relay = Launch();
    // Half of them die while they start, the others while they stream.
    if (i % 2 == 0) {
      EXPECT_TRUE(relay->WaitReady()) << relay->process().Err();
    }
    (void)relay->process().WaitExit(absl::Milliseconds(life_ms(random)));
    relay->process().Kill();
  }
  writer.Stop();
  auto relay = StartRelay();
  TopicReader reader = Reader({"order"});
  ExpectDelivered(reader, absl::Seconds(60));
  ExpectKeysInOrder(reader);
  RecordProperty("rows", static_cast<int>(writer.written()));
  RecordProperty("duplicates", static_cast<int>(reader.duplicates()));
  // A kill repeats what was not confirmed: what was in flight, and acks younger than the confirm
  // interval of 100 ms. Twice that is allowed, for the backlog that a restart finds.
  EXPECT_LT(reader.duplicates(), kKills * static_cast<std::size_t>(kRowsPerSecond / 5));
}

class CrashAfterAcks : public RelayTest, public ::testing::WithParamInterface<int> {};

// Rows of one COPY may share a position in the log; a restart inside their transaction must not
// take one for another.
TEST_P(CrashAfterAcks, CopyAndInsertSelectAreWholeAfterTheRestart) {
  const auto acks = static_cast<std::size_t>(GetParam());
  CreateTopic("order", 1);
  std::string lines;
  for (int n = 1; n <= 50; ++n)
    absl::StrAppend(&lines, "order\tk", n, "\tCopied\t{\"n\": ", n, "}\n");
  sql().Copy("COPY outbox(aggregatetype, aggregateid, type, payload) FROM STDIN", lines);
  Insert("order", 50);
  TopicReader reader = Reader({"order"});
  {
    // One event in flight at a time and each a while, so that the kill falls soon after that ack.
    auto relay = Launch({"--max-in-flight-events", "1", "--kafka-property", "linger.ms=20"});
    EXPECT_TRUE(reader.ReadUntilCount(acks, absl::Seconds(30))) << relay->process().Err();
    relay->process().Kill();
    EXPECT_TRUE(reader.ReadToEnd());
    EXPECT_LT(reader.records().size(), acks + 7);
  }
  auto relay = StartRelay();
  ExpectDelivered(reader);
  EXPECT_EQ(reader.distinct(), 100u);
  ExpectKeysInOrder(reader);
}

INSTANTIATE_TEST_SUITE_P(Acks, CrashAfterAcks, ::testing::Values(1, 7, 49, 50, 51, 93));

}  // namespace
}  // namespace walpost::integration
