#include "base/clock.h"

#include <absl/time/clock.h>
#include <absl/time/time.h>
#include <gtest/gtest.h>

namespace walpost {
namespace {

TEST(SystemClock, TellsTheWallClocksTime) {
  SystemClock clock;
  absl::Time before = absl::Now();
  absl::Time now = clock.Now();
  absl::Time after = absl::Now();
  // An adjustment of the host's clock between the calls is no failure of ours.
  EXPECT_GE(now, before - absl::Minutes(1));
  EXPECT_LE(now, after + absl::Minutes(1));
}

TEST(SystemClock, NeverGoesBackInMonotonicTime) {
  SystemClock clock;
  absl::Duration last = clock.Monotonic();
  for (int i = 0; i < 10'000; ++i) {
    absl::Duration next = clock.Monotonic();
    ASSERT_GE(next, last);
    last = next;
  }
}

TEST(SystemClock, SharesOneMonotonicOriginBetweenInstances) {
  absl::Duration first = SystemClock().Monotonic();
  absl::Duration second = SystemClock().Monotonic();
  EXPECT_GE(second, first);
  EXPECT_LT(second - first, absl::Minutes(1));
}

}  // namespace
}  // namespace walpost
