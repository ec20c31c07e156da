#include <gtest/gtest.h>

#include "unit/kafka/sink_fixture.h"

namespace walpost::kafka {
namespace {

class BrokerOutageTest : public SinkTest {
 protected:
  // The statistics come often, so that no test waits for them.
  void SetUp() override {
    ASSERT_NO_FATAL_FAILURE(StartCluster());
    ASSERT_NO_FATAL_FAILURE(OpenSink({{"statistics.interval.ms", "100"}}));
  }

  void WaitUntilBrokerIs(bool up) {
    EXPECT_TRUE(PollUntil([&] { return metrics.broker_up.load() == up; }).ok());
  }
};

TEST_F(BrokerOutageTest, LosesNothingAndLetsNothingExpire) {
  ASSERT_NO_FATAL_FAILURE(OpenTopic("t"));
  ASSERT_TRUE(cluster->StopBroker(1).ok());
  for (int i = 0; i < 100; ++i) {
    ASSERT_TRUE(Publish("t", "k", std::to_string(i), static_cast<EventTicket>(i)).ok());
  }
  WaitUntilBrokerIs(false);
  EXPECT_EQ(listener.reports(), 0u);

  ASSERT_TRUE(cluster->StartBroker(1).ok());

  EXPECT_TRUE(PollUntil([&] { return listener.reports() == 100; }).ok());
  EXPECT_EQ(listener.delivered.size(), 100u);
  const std::vector<ReadRecord> records = ReadAll("t", 102);
  ASSERT_EQ(records.size(), 102u);
  for (std::size_t i = 0; i < 100; ++i) EXPECT_EQ(records[i + 2].value, std::to_string(i));
}

TEST_F(BrokerOutageTest, IsSeenWhileNothingIsPublished) {
  WaitUntilBrokerIs(true);
  ASSERT_TRUE(cluster->StopBroker(1).ok());
  WaitUntilBrokerIs(false);
  ASSERT_TRUE(cluster->StartBroker(1).ok());
  WaitUntilBrokerIs(true);

  EXPECT_EQ(logger.CountContaining("warn "), 1u);
  EXPECT_EQ(logger.CountContaining("kafka: reachable again"), 1u);
}

TEST_F(BrokerOutageTest, DoesNotHoldUpTheEndOfTheSink) {
  ASSERT_NO_FATAL_FAILURE(OpenTopic("t"));
  ASSERT_TRUE(cluster->StopBroker(1).ok());
  for (int i = 0; i < 1000; ++i) ASSERT_TRUE(Publish("t", "k", "v", 1).ok());
  WaitUntilBrokerIs(false);

  const absl::Duration began = clock.Monotonic();
  sink.reset();
  EXPECT_LT(clock.Monotonic() - began, absl::Seconds(1));
}

TEST_F(BrokerOutageTest, DoesNotHoldUpARestart) {
  ASSERT_NO_FATAL_FAILURE(OpenTopic("t"));
  ASSERT_TRUE(cluster->StopBroker(1).ok());
  for (int i = 0; i < 1000; ++i) ASSERT_TRUE(Publish("t", "k", "v", 1).ok());
  WaitUntilBrokerIs(false);

  const absl::Duration began = clock.Monotonic();
  EXPECT_TRUE(sink->Restart().ok());
  EXPECT_LT(clock.Monotonic() - began, absl::Seconds(1));
}

TEST_F(BrokerOutageTest, DoesNotHoldUpTheEndWhileABrokerKeepsSilent) {
  ASSERT_NO_FATAL_FAILURE(OpenTopic("t"));
  ASSERT_TRUE(cluster->SetRoundTrip(absl::Seconds(60)).ok());
  for (int i = 0; i < 1000; ++i) ASSERT_TRUE(Publish("t", "k", "v", 1).ok());

  const absl::Duration began = clock.Monotonic();
  sink.reset();
  EXPECT_LT(clock.Monotonic() - began, absl::Seconds(1));
}

}  // namespace
}  // namespace walpost::kafka
