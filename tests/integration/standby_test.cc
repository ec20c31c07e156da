// Two instances on one slot: one streams, the other waits and takes over.
#include <absl/strings/match.h>
#include <absl/time/clock.h>
#include <gtest/gtest.h>

#include "integration/relay_test.h"
#include "support/outbox_writer.h"
#include "support/wait.h"

namespace walpost::integration {
namespace {

using support::HoldsFor;
using support::OutboxWriter;
using support::TopicReader;
using support::WaitUntil;

using Standby = RelayTest;

TEST_F(Standby, IsLiveButNotReadyWhileAnotherStreams) {
  auto first = StartRelay();
  auto second = Launch();
  ASSERT_TRUE(WaitUntil(absl::Seconds(10), [&] { return second->Health().status == 200; }))
      << second->process().Err();
  EXPECT_TRUE(HoldsFor(absl::Seconds(3), [&] {
    return second->process().Running() && second->Health().status == 200 &&
           second->Ready().status == 503 && first->Ready().status == 200;
  })) << second->Ready().body;
  EXPECT_TRUE(absl::StrContains(second->Ready().body, "standby")) << second->Ready().body;
}

TEST_F(Standby, TakesOverWithinFiveSecondsOfAKill) {
  CreateTopic("order");
  auto first = StartRelay();
  auto second = Launch();
  ASSERT_TRUE(WaitUntil(absl::Seconds(10), [&] { return second->Health().status == 200; }));
  OutboxWriter writer(conninfo(), "order", 200);
  ASSERT_TRUE(WaitUntil(absl::Seconds(20), [&] { return writer.written() >= 200; }));
  first->process().Kill();
  const absl::Time killed = absl::Now();
  EXPECT_TRUE(second->WaitReady(absl::Seconds(5))) << second->Ready().body;
  EXPECT_LT(absl::Now() - killed, absl::Seconds(5));
  const long before = writer.written();
  EXPECT_TRUE(WaitUntil(absl::Seconds(20), [&] { return writer.written() >= before + 200; }));
  writer.Stop();
  TopicReader reader = Reader({"order"});
  ExpectDelivered(reader);
  ExpectKeysInOrder(reader);
}

TEST_F(Standby, ARollingUpdateRepeatsNothing) {
  CreateTopic("order");
  auto first = StartRelay();
  auto second = Launch();
  ASSERT_TRUE(WaitUntil(absl::Seconds(10), [&] { return second->Health().status == 200; }));
  OutboxWriter writer(conninfo(), "order", 500);
  ASSERT_TRUE(WaitUntil(absl::Seconds(20), [&] { return writer.written() >= 500; }));
  EXPECT_EQ(first->Terminate().code, 0);
  EXPECT_TRUE(second->WaitReady(absl::Seconds(5))) << second->Ready().body;
  writer.Stop();
  TopicReader reader = Reader({"order"});
  ExpectDelivered(reader);
  EXPECT_EQ(reader.duplicates(), 0u);
}

}  // namespace
}  // namespace walpost::integration
