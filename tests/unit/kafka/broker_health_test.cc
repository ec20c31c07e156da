#include "kafka/broker_health.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/kafka/fakes.h"

namespace walpost::kafka {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

class BrokerHealthTest : public testing::Test {
 protected:
  void FailEverySecond(int times) {
    for (int i = 0; i < times; ++i) {
      health.ConnectionFailed("refused");
      clock.Advance(absl::Seconds(1));
    }
  }

  ManualClock clock;
  RecordingLogger logger;
  RelayMetrics metrics;
  BrokerHealth health{"k:9092", metrics, logger, clock};
};

TEST_F(BrokerHealthTest, LogsTheFirstFailureWithItsReasonThenACountAtIntervals) {
  FailEverySecond(60);
  EXPECT_THAT(logger.lines(),
              ElementsAre("warn kafka: broker connection failed brokers=k:9092 reason=refused "
                          "failures=1"));

  FailEverySecond(60);

  ASSERT_THAT(logger.lines(), SizeIs(2));
  EXPECT_THAT(logger.lines()[1], HasSubstr("failures=60"));
}

TEST_F(BrokerHealthTest, SaysOnceThatItIsReachableAgainForHowLongAndHowOften) {
  health.ConnectionFailed("refused");
  health.AllDown("1/1 brokers are down");
  EXPECT_FALSE(metrics.broker_up.load());
  clock.Advance(absl::Seconds(30));
  health.ConnectionFailed("refused");

  health.Reachable();
  health.Reachable();

  EXPECT_TRUE(metrics.broker_up.load());
  ASSERT_THAT(logger.lines(), SizeIs(2));
  EXPECT_EQ(logger.lines()[1],
            "info kafka: reachable again brokers=k:9092 after_seconds=30.000000 failures=2");
}

TEST_F(BrokerHealthTest, LogsALaterOutageAtOnce) {
  health.AllDown("down");
  health.Reachable();

  health.ConnectionFailed("refused");

  EXPECT_EQ(logger.CountContaining("warn"), 2u);
}

TEST_F(BrokerHealthTest, DoesNotFlapWhenOneOfSeveralBrokersIsDown) {
  for (int i = 0; i < 50; ++i) {
    health.ConnectionFailed("broker 2 refused");
    health.Reachable();  // the others deliver
    clock.Advance(absl::Seconds(1));
  }

  EXPECT_THAT(logger.lines(), SizeIs(1));
  EXPECT_TRUE(metrics.broker_up.load());
}

TEST_F(BrokerHealthTest, PrefersACauseToTheNewsThatAllAreDown) {
  health.ConnectionFailed("password wrong");
  health.AllDown("1/1 brokers are down");

  EXPECT_EQ(health.last_reason(), "password wrong");
}

TEST_F(BrokerHealthTest, GoesOnLoggingAnOutageWithoutNewFailures) {
  health.AllDown("down");
  clock.Advance(absl::Seconds(59));
  health.Tick();
  EXPECT_THAT(logger.lines(), SizeIs(1));

  clock.Advance(absl::Seconds(1));
  health.Tick();

  ASSERT_THAT(logger.lines(), SizeIs(2));
  EXPECT_THAT(logger.lines()[1], HasSubstr("no broker reachable"));
}

TEST_F(BrokerHealthTest, IsQuietWhileAllIsWell) {
  health.Reachable();
  health.Tick();

  EXPECT_THAT(logger.lines(), IsEmpty());
}

TEST_F(BrokerHealthTest, LimitsTheClientsLogByItsKind) {
  for (int i = 0; i < 10; ++i) health.ClientLog(LogLevel::kInfo, "GETPID", "no leader");
  health.ClientLog(LogLevel::kWarn, "CONFWARN", "odd");
  clock.Advance(BrokerHealth::kInterval);
  health.ClientLog(LogLevel::kInfo, "GETPID", "no leader");

  EXPECT_THAT(logger.lines(),
              ElementsAre("info kafka: client log facility=GETPID text=no leader suppressed=0",
                          "warn kafka: client log facility=CONFWARN text=odd suppressed=0",
                          "info kafka: client log facility=GETPID text=no leader suppressed=9"));
}

}  // namespace
}  // namespace walpost::kafka
