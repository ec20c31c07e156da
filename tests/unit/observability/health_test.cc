#include "observability/health.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/observability/manual_clock.h"

namespace walpost::observability {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class Health : public ::testing::Test {
 protected:
  void BeStreaming() {
    metrics_.state = RelayState::kStreaming;
    metrics_.broker_up = true;
    HearFromServer();
  }
  void HearFromServer() { metrics_.last_server_message_us.Set(absl::ToUnixMicros(clock_.Now())); }
  HealthReport Report() const { return Evaluate(metrics_, clock_, {absl::Seconds(60)}); }

  RelayMetrics metrics_;
  ManualClock clock_;
};

TEST_F(Health, IsReadyWhileStreamingWithBothPeersThere) {
  BeStreaming();
  EXPECT_TRUE(Report().live);
  EXPECT_TRUE(Report().ready);
  EXPECT_THAT(Report().reasons, IsEmpty());
}

TEST_F(Health, IsLiveAndNotReadyInEveryOtherStateButStopped) {
  BeStreaming();
  for (RelayState state : {RelayState::kStarting, RelayState::kConnecting, RelayState::kStandby,
                           RelayState::kDraining}) {
    metrics_.state = state;
    EXPECT_TRUE(Report().live) << RelayStateName(state);
    EXPECT_FALSE(Report().ready) << RelayStateName(state);
    EXPECT_EQ(Report().reasons.size(), 1u) << RelayStateName(state);
  }
}

TEST_F(Health, IsNotLiveOnceStopped) {
  BeStreaming();
  metrics_.state = RelayState::kStopped;
  EXPECT_FALSE(Report().live);
  EXPECT_FALSE(Report().ready);
}

TEST_F(Health, IsReadyUpToTheStallLimitAndNotBeyond) {
  BeStreaming();
  clock_.Advance(absl::Seconds(60));
  EXPECT_TRUE(Report().ready);
  clock_.Advance(absl::Milliseconds(1));
  EXPECT_TRUE(Report().live) << "the relay connects again by itself";
  EXPECT_FALSE(Report().ready);
  EXPECT_THAT(Report().reasons, ElementsAre(HasSubstr("silent for 60 s")));
}

TEST_F(Health, IsReadyAgainWhenTheServerSpeaks) {
  BeStreaming();
  clock_.Advance(absl::Hours(1));
  ASSERT_FALSE(Report().ready);
  HearFromServer();
  EXPECT_TRUE(Report().ready);
}

TEST_F(Health, IsReadyThoughTheClockWasSetBack) {
  BeStreaming();
  clock_.Advance(-absl::Hours(1));
  EXPECT_TRUE(Report().ready);
}

TEST_F(Health, IsNotReadyBeforeTheServersFirstMessage) {
  BeStreaming();
  metrics_.last_server_message_us.Set(0);
  EXPECT_FALSE(Report().ready);
}

TEST_F(Health, IsNotReadyWithoutABroker) {
  BeStreaming();
  metrics_.broker_up = false;
  EXPECT_TRUE(Report().live);
  EXPECT_FALSE(Report().ready);
  EXPECT_THAT(Report().reasons, ElementsAre(HasSubstr("broker")));
}

TEST_F(Health, IsNotReadyWhileTheSinkFails) {
  BeStreaming();
  metrics_.sink_failing = true;
  EXPECT_TRUE(Report().live);
  EXPECT_FALSE(Report().ready);
  EXPECT_THAT(Report().reasons, ElementsAre(HasSubstr("refused or lost")));
}

TEST_F(Health, IsNotReadyWhileABrokerThatIsReachableAcknowledgesNothing) {
  BeStreaming();
  metrics_.events_in_flight.Set(5);
  metrics_.last_sink_progress_us.Set(absl::ToUnixMicros(clock_.Now()));
  clock_.Advance(absl::Seconds(60));
  HearFromServer();
  EXPECT_TRUE(Report().ready);
  clock_.Advance(absl::Seconds(1));
  EXPECT_THAT(Report().reasons, ElementsAre(HasSubstr("acknowledged nothing for 61 s")));
  metrics_.events_in_flight.Set(0);
  EXPECT_TRUE(Report().ready) << "an idle relay owes nothing";
}

TEST_F(Health, TellsEveryReasonAtOnce) {
  BeStreaming();
  metrics_.broker_up = false;
  clock_.Advance(absl::Hours(1));
  EXPECT_THAT(Report().reasons, ElementsAre(HasSubstr("postgresql"), HasSubstr("kafka")));
}

TEST_F(Health, IsWrittenAsJson) {
  metrics_.state = RelayState::kStandby;
  metrics_.broker_up = true;
  EXPECT_EQ(Report().ReadyJson(), R"({"ready":false,"state":"standby",)"
                                  R"("reasons":["standby: another instance holds the slot"]})");
  EXPECT_EQ(Report().LiveJson(), R"({"live":true,"state":"standby"})");
  BeStreaming();
  EXPECT_EQ(Report().ReadyJson(), R"({"ready":true,"state":"streaming","reasons":[]})");
}

}  // namespace
}  // namespace walpost::observability
