// Where a record goes and when it says it was made: partitions by number, timestamps at the edge.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/poison.h"
#include "kafka/epoch_timestamp.h"
#include "unit/kafka/sink_fixture.h"

namespace walpost::kafka {
namespace {

class RecordPlaceTest : public SinkTest {
 protected:
  void SetUp() override {
    StartCluster();
    ASSERT_TRUE(cluster->CreateTopic("t", 3).ok());
  }
  void OpenSinkFor1970(bool allow_epoch) {
    auto made = KafkaSink::Create(
        {.brokers = cluster->bootstrap(), .properties = {}, .allow_epoch = allow_epoch}, counters,
        metrics, logger, clock);
    ASSERT_TRUE(made.ok()) << made.status();
    sink = *std::move(made);
  }
  OutboxEvent Event(std::optional<std::int32_t> partition,
                    std::optional<std::int64_t> timestamp_ms) {
    OutboxEvent event;
    event.topic = "t";
    event.value = "v";
    event.partition = partition;
    event.timestamp_ms = timestamp_ms;
    return event;
  }
};

TEST_F(RecordPlaceTest, TheFirstMillisecondOf1970IsATimestampLikeAnyOther) {
  OpenSinkFor1970(true);
  ASSERT_TRUE(Publish(Event(1, 0), 1).ok());
  ASSERT_TRUE(Publish(Event(1, 1), 2).ok());
  ASSERT_TRUE(Publish(Event(1, 1'700'000'000'123), 3).ok());
  const auto records = ReadAll("t", 3);
  ASSERT_EQ(records.size(), 3u);
  EXPECT_EQ(records[0].timestamp_ms, 0);
  EXPECT_EQ(records[1].timestamp_ms, 1);
  EXPECT_EQ(records[2].timestamp_ms, 1'700'000'000'123);
}

TEST_F(RecordPlaceTest, WithoutLeaveATimestampOfZeroIsRefusedRatherThanChanged) {
  OpenSinkFor1970(false);
  const auto refused = sink->Publish(Event(1, 0), 1);
  EXPECT_TRUE(absl::IsInvalidArgument(refused.status()));
  EXPECT_EQ(PoisonReasonOf(refused.status()), PoisonReason::kTimestamp);
}

TEST_F(RecordPlaceTest, AnEventWithoutATimestampIsStampedWithTheCurrentTime) {
  OpenSink();
  const std::int64_t before = absl::ToUnixMillis(clock.Now());
  ASSERT_TRUE(sink->Publish(Event(0, std::nullopt), 1).ok());
  const auto records = ReadAll("t", 1);
  ASSERT_EQ(records.size(), 1u);
  EXPECT_GE(records[0].timestamp_ms, before);
  EXPECT_LE(records[0].timestamp_ms, absl::ToUnixMillis(clock.Now()));
}

TEST_F(RecordPlaceTest, APartitionThatTheTopicDoesNotHaveIsRefusedAtOnce) {
  OpenSink();
  for (std::int32_t partition : {3, 1'000'000, -1}) {
    const auto refused = sink->Publish(Event(partition, std::nullopt), 1);
    EXPECT_TRUE(absl::IsInvalidArgument(refused.status())) << refused.status();
    EXPECT_EQ(PoisonReasonOf(refused.status()), PoisonReason::kPartition);
  }
  // The producer goes on.
  ASSERT_TRUE(sink->Publish(Event(2, std::nullopt), 2).ok());
  EXPECT_TRUE(PollUntil([&] { return listener.delivered.size() == 1; }).ok());
}

TEST_F(RecordPlaceTest, ABrokerThatIsAwayIsNoReasonToRefuseAPartition) {
  OpenSink();
  ASSERT_TRUE(cluster->StopBroker(1).ok());
  EXPECT_TRUE(absl::IsResourceExhausted(sink->Publish(Event(1, std::nullopt), 1).status()));
  ASSERT_TRUE(cluster->StartBroker(1).ok());
  absl::Status taken;
  const absl::Duration deadline = clock.Monotonic() + kPatience;
  do {
    taken = sink->Publish(Event(1, std::nullopt), 1).status();
  } while (absl::IsResourceExhausted(taken) && clock.Monotonic() < deadline);
  EXPECT_TRUE(taken.ok()) << taken;
}

}  // namespace
}  // namespace walpost::kafka
