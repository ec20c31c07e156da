#include "walpost/relay_metrics.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <set>
#include <string>
#include <thread>

namespace walpost {
namespace {

constexpr std::size_t kAbove = DurationHistogram::kBounds.size();

std::int64_t Total(const DurationHistogram& histogram) {
  std::int64_t total = 0;
  for (std::size_t i = 0; i <= kAbove; ++i) total += histogram.BucketCount(i);
  return total;
}

TEST(RelayStateName, IsDifferentForEachState) {
  std::set<std::string> names;
  for (RelayState state : {RelayState::kStarting, RelayState::kConnecting, RelayState::kStandby,
                           RelayState::kStreaming, RelayState::kDraining, RelayState::kStopped}) {
    names.emplace(RelayStateName(state));
  }
  EXPECT_EQ(names, (std::set<std::string>{"starting", "connecting", "standby", "streaming",
                                          "draining", "stopped"}));
}

TEST(RelaxedCell, AddsAndSets) {
  RelaxedCell cell;
  EXPECT_EQ(cell.Get(), 0);
  cell.Add(5);
  cell.Add(-2);
  EXPECT_EQ(cell.Get(), 3);
  cell.Set(std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(cell.Get(), std::numeric_limits<std::int64_t>::max());
}

TEST(RelaxedCell, IsReadByAnotherThreadWhileItIsWritten) {
  RelaxedCell cell;
  std::thread writer([&cell] {
    for (int i = 0; i < 20'000; ++i) cell.Add(1);
  });
  std::int64_t last = 0;
  while (last < 20'000) {
    std::int64_t next = cell.Get();
    ASSERT_GE(next, last);
    last = next;
    std::this_thread::yield();
  }
  writer.join();
}

TEST(DurationHistogram, HasBoundsInAscendingOrder) {
  for (std::size_t i = 1; i < kAbove; ++i) {
    EXPECT_LT(DurationHistogram::kBounds[i - 1], DurationHistogram::kBounds[i]);
  }
}

TEST(DurationHistogram, CountsABoundInItsOwnBucket) {
  for (std::size_t i = 0; i < kAbove; ++i) {
    DurationHistogram histogram;
    histogram.Observe(DurationHistogram::kBounds[i], 1);
    EXPECT_EQ(histogram.BucketCount(i), 1) << "an upper bound is inclusive: bucket " << i;
    histogram.Observe(std::nextafter(DurationHistogram::kBounds[i], 1e9), 1);
    EXPECT_EQ(histogram.BucketCount(i + 1), 1) << "just above bucket " << i;
    EXPECT_EQ(Total(histogram), 2);
  }
}

TEST(DurationHistogram, CountsWhatIsAboveAllBoundsInTheLastBucket) {
  DurationHistogram histogram;
  histogram.Observe(301, 2);
  EXPECT_EQ(histogram.BucketCount(kAbove), 2);
}

TEST(DurationHistogram, CountsSeveralObservationsAtOnce) {
  DurationHistogram histogram;
  histogram.Observe(0.004, 250);
  EXPECT_EQ(histogram.BucketCount(3), 250);
  EXPECT_DOUBLE_EQ(histogram.SumSeconds(), 1.0);
}

TEST(DurationHistogram, SumsDurationsBelowAMicrosecond) {
  DurationHistogram histogram;
  histogram.Observe(1e-7, 10'000'000);
  EXPECT_DOUBLE_EQ(histogram.SumSeconds(), 1.0);
}

TEST(DurationHistogram, CountsANegativeDurationAsZeroSoThatTheSumNeverGoesDown) {
  DurationHistogram histogram;
  histogram.Observe(2, 1);
  histogram.Observe(-5, 1);
  histogram.Observe(std::numeric_limits<double>::quiet_NaN(), 1);
  EXPECT_EQ(histogram.BucketCount(0), 2);
  EXPECT_DOUBLE_EQ(histogram.SumSeconds(), 2.0);
}

TEST(DurationHistogram, HoldsTheSumOfABacklogOfDays) {
  DurationHistogram histogram;
  histogram.Observe(7 * 86'400.0, 1'000'000'000);
  histogram.Observe(7 * 86'400.0, 1'000'000'000);
  EXPECT_DOUBLE_EQ(histogram.SumSeconds(), 2e9 * 7 * 86'400.0);
}

}  // namespace
}  // namespace walpost
