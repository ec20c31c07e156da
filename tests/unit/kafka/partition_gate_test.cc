#include "kafka/partition_gate.h"

#include <gtest/gtest.h>

namespace walpost::kafka {
namespace {

constexpr absl::Duration kNow = absl::Seconds(1000);
constexpr std::nullopt_t kAnywhere = std::nullopt;

// A gate of a topic that has taken its first event, in partition 0.
PartitionGate Known(std::int32_t partitions) {
  PartitionGate gate;
  gate.OnTaken(kAnywhere);
  gate.OnDelivered(0);
  gate.SetPartitions(partitions, kNow);
  return gate;
}

TEST(PartitionGate, LetsOneEventAtATimeThroughWhileTheTopicIsUnknown) {
  PartitionGate gate;
  EXPECT_TRUE(gate.Admits(kAnywhere));
  EXPECT_FALSE(gate.WantsPartitions(kNow)) << "the first event may make the topic";
  gate.OnTaken(kAnywhere);
  EXPECT_FALSE(gate.Admits(kAnywhere));
  EXPECT_FALSE(gate.Admits(3));
  gate.OnDelivered(2);
  EXPECT_TRUE(gate.Admits(kAnywhere));
  EXPECT_TRUE(gate.WantsPartitions(kNow));
}

TEST(PartitionGate, TheFirstEventCountsForItsPartition) {
  EXPECT_TRUE(Known(1).open(kNow));
  EXPECT_FALSE(Known(2).open(kNow));
}

TEST(PartitionGate, LetsTheFirstEventOfEachPartitionThroughAlone) {
  PartitionGate gate = Known(3);
  ASSERT_TRUE(gate.Admits(1));
  gate.OnTaken(1);
  EXPECT_TRUE(gate.waits());
  EXPECT_FALSE(gate.Admits(1));
  EXPECT_TRUE(gate.Admits(2)) << "another partition";
  EXPECT_TRUE(gate.Admits(0)) << "one that has acknowledged";
  EXPECT_TRUE(gate.Admits(kAnywhere)) << "one that follows none";
  gate.OnDelivered(0);
  EXPECT_FALSE(gate.Admits(1)) << "that was another's";
  gate.OnDelivered(1);
  EXPECT_TRUE(gate.Admits(1));
  EXPECT_FALSE(gate.waits());
}

TEST(PartitionGate, IsOpenOnceEachPartitionHasAcknowledgedOne) {
  PartitionGate gate = Known(3);
  for (std::int32_t partition : {1, 2}) {
    EXPECT_FALSE(gate.open(kNow));
    gate.OnTaken(partition);
    gate.OnDelivered(partition);
  }
  EXPECT_TRUE(gate.open(kNow));
}

TEST(PartitionGate, AsksAgainForThePartitionsAndAfterAnHourForTheFirstEvents) {
  PartitionGate gate = Known(1);
  absl::Duration now = kNow;
  for (; now + PartitionGate::kAskEvery < kNow + PartitionGate::kTrust;) {
    EXPECT_TRUE(gate.open(now + PartitionGate::kAskEvery - absl::Milliseconds(1)));
    now += PartitionGate::kAskEvery;
    EXPECT_FALSE(gate.open(now));
    EXPECT_TRUE(gate.WantsPartitions(now));
    gate.SetPartitions(1, now);
    EXPECT_TRUE(gate.open(now));
    EXPECT_FALSE(gate.WantsPartitions(now));
  }
  now = kNow + PartitionGate::kTrust;
  EXPECT_FALSE(gate.open(now));
  gate.SetPartitions(1, now);
  EXPECT_FALSE(gate.open(now));
  ASSERT_TRUE(gate.Admits(0));
  gate.OnTaken(0);
  EXPECT_FALSE(gate.Admits(0));
  gate.OnDelivered(0);
  EXPECT_TRUE(gate.open(now));
}

TEST(PartitionGate, ATopicThatGrowsKeepsWhatWasAcknowledged) {
  PartitionGate gate = Known(1);
  gate.SetPartitions(2, kNow);
  EXPECT_FALSE(gate.open(kNow));
  gate.OnTaken(0);
  EXPECT_TRUE(gate.Admits(0));
  gate.OnTaken(1);
  EXPECT_FALSE(gate.Admits(1));
  gate.OnDelivered(1);
  EXPECT_TRUE(gate.open(kNow));
}

TEST(PartitionGate, WaitsForNothingThatIsNotUnderWay) {
  PartitionGate gate = Known(4);
  gate.OnTaken(3);
  gate.OnDelivered(7);  // it went elsewhere
  EXPECT_FALSE(gate.Admits(3));
  gate.OnNothingUnderWay();
  EXPECT_TRUE(gate.Admits(3));
  EXPECT_TRUE(gate.WantsPartitions(kNow));
}

TEST(PartitionGate, DoesNotForgetTheFirstEventWhenItIsToldThePartitionsMeanwhile) {
  PartitionGate gate;
  gate.OnTaken(kAnywhere);
  EXPECT_TRUE(gate.AwaitsTopic());
  gate.SetPartitions(3, kNow);
  EXPECT_EQ(gate.partitions(), 0);
  EXPECT_FALSE(gate.Admits(2));
  gate.OnDelivered(2);
  EXPECT_TRUE(gate.WantsPartitions(kNow));
  gate.SetPartitions(3, kNow);
  EXPECT_TRUE(gate.Admits(2));
  gate.OnTaken(2);
  EXPECT_TRUE(gate.Admits(2)) << "it has acknowledged the first";
}

TEST(PartitionGate, ATopicThatIsNotThereLetsOneEventThroughAtATime) {
  PartitionGate gate;
  EXPECT_FALSE(gate.WantsPartitions(kNow));
  ASSERT_TRUE(gate.Admits(0));
  gate.OnTaken(0);
  EXPECT_FALSE(gate.Admits(0));
}

}  // namespace
}  // namespace walpost::kafka
