// An orderly stop: quick, exit 0, and nothing repeated by the next run.
#include <absl/strings/str_cat.h>
#include <gtest/gtest.h>
#include <signal.h>

#include "integration/relay_test.h"
#include "support/outbox_writer.h"
#include "support/wait.h"

namespace walpost::integration {
namespace {

using support::OutboxWriter;
using support::TopicReader;
using support::WaitUntil;

using Shutdown = RelayTest;

constexpr absl::Duration kStopLimit = absl::Seconds(5);

TEST_F(Shutdown, SigtermUnderLoadRepeatsNothing) {
  CreateTopic("order");
  OutboxWriter writer(conninfo(), "order", 1000);
  for (int run = 0; run < 5; ++run) {
    auto relay = StartRelay();
    const long before = writer.written();
    EXPECT_TRUE(WaitUntil(absl::Seconds(20), [&] { return writer.written() >= before + 300; }));
    const auto stopped = relay->Terminate();
    EXPECT_EQ(stopped.code, 0) << relay->process().Err();
    EXPECT_LT(stopped.took, kStopLimit);
  }
  writer.Stop();
  auto relay = StartRelay();
  TopicReader reader = Reader({"order"});
  ExpectDelivered(reader);
  EXPECT_EQ(reader.duplicates(), 0u);
}

TEST_F(Shutdown, SigtermRightAfterTheAcksConfirmsThem) {
  CreateTopic("order");
  TopicReader reader = Reader({"order"});
  {
    auto relay = StartRelay();
    Insert("order", 1000);
    ASSERT_TRUE(reader.ReadUntilDistinct(1000, absl::Seconds(30)));
    EXPECT_EQ(relay->Terminate().code, 0) << relay->process().Err();
  }
  auto relay = StartRelay();
  Insert("order", 1);
  ExpectDelivered(reader);
  EXPECT_EQ(reader.duplicates(), 0u);
}

TEST_F(Shutdown, SigintEndsItToo) {
  auto relay = StartRelay();
  relay->process().Signal(SIGINT);
  EXPECT_EQ(relay->process().WaitExit(kStopLimit), 0) << relay->process().Err();
}

TEST_F(Shutdown, WithoutBrokerItStillEndsInTimeAndConfirmsNothing) {
  CreateTopic("order");
  Lsn first_unacked;
  {
    auto relay = StartRelay();
    kafka().Pause();
    first_unacked = InsertOne("order");
    ASSERT_TRUE(WaitUntil(absl::Seconds(20), [&] {
      return relay->Metric("walpost_events_in_flight").value_or(0) == 1;
    }));
    const auto stopped = relay->Terminate();
    EXPECT_TRUE(stopped.code.has_value());
    EXPECT_LT(stopped.took, kStopLimit);
  }
  EXPECT_LE(Confirmed(), first_unacked);
  kafka().Resume();
  auto relay = StartRelay();
  TopicReader reader = Reader({"order"});
  ExpectDelivered(reader);
}

TEST_F(Shutdown, SecondSigtermEndsItAtOnce) {
  CreateTopic("order");
  auto relay = StartRelay({"--drain-timeout", "60s"});
  kafka().Pause();
  Insert("order", 1);
  ASSERT_TRUE(WaitUntil(absl::Seconds(20), [&] {
    return relay->Metric("walpost_events_in_flight").value_or(0) == 1;
  }));
  relay->process().Signal(SIGTERM);
  ASSERT_FALSE(relay->process().WaitExit(absl::Seconds(1)).has_value());
  relay->process().Signal(SIGTERM);
  EXPECT_TRUE(relay->process().WaitExit(absl::Seconds(2)).has_value());
}

}  // namespace
}  // namespace walpost::integration
