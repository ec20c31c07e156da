#include "app/demo_report.h"

#include <gtest/gtest.h>

namespace walpost::app {
namespace {

absl::Duration At(int milliseconds) {
  return absl::Seconds(100) + absl::Milliseconds(milliseconds);
}

TEST(DemoTally, CountsWhatDidNotArriveAsLost) {
  DemoTally tally;
  absl::Duration latency;
  tally.Committed("a", At(0));
  tally.Committed("b", At(0));
  EXPECT_EQ(tally.Arrived("a", At(7), latency), DemoTally::Arrival::kFirst);
  EXPECT_EQ(latency, absl::Milliseconds(7));
  EXPECT_EQ(tally.committed(), 2u);
  EXPECT_EQ(tally.lost(), 1u);
}

TEST(DemoTally, ASecondArrivalIsADuplicateAndNoLatency) {
  DemoTally tally;
  absl::Duration latency;
  tally.Committed("a", At(0));
  tally.Arrived("a", At(1), latency);
  EXPECT_EQ(tally.Arrived("a", At(900), latency), DemoTally::Arrival::kDuplicate);
  EXPECT_EQ(tally.duplicates(), 1u);
  EXPECT_EQ(tally.Percentile(1.0), absl::Milliseconds(1));
}

TEST(DemoTally, AnEventThatWasRolledBackIsForeign) {
  DemoTally tally;
  absl::Duration latency;
  tally.RolledBack("gone");
  EXPECT_EQ(tally.Arrived("gone", At(1), latency), DemoTally::Arrival::kForeign);
  EXPECT_EQ(tally.foreign(), 1u);
  EXPECT_EQ(tally.lost(), 0u);
}

TEST(DemoTally, PercentilesAreThoseOfTheRankAndZeroWithoutEvents) {
  DemoTally tally;
  EXPECT_EQ(tally.Percentile(0.5), absl::ZeroDuration());
  absl::Duration latency;
  for (int i = 1; i <= 100; ++i) {
    tally.Committed(std::to_string(i), At(0));
    tally.Arrived(std::to_string(i), At(i), latency);
  }
  EXPECT_EQ(tally.Percentile(0.5), absl::Milliseconds(50));
  EXPECT_EQ(tally.Percentile(0.99), absl::Milliseconds(99));
  EXPECT_EQ(tally.Percentile(1.0), absl::Milliseconds(100));
}

TEST(InMilliseconds, KeepsWhatIsBelowAMillisecond) {
  EXPECT_EQ(InMilliseconds(absl::Microseconds(350)), "0.35 ms");
  EXPECT_EQ(InMilliseconds(absl::Seconds(2)), "2000.00 ms");
}

}  // namespace
}  // namespace walpost::app
