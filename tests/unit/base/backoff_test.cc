#include "base/backoff.h"

#include <absl/time/time.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>

namespace walpost {
namespace {

constexpr std::uint64_t kSeed = 7;

TEST(Backoff, DoublesUpToTheMaximumWithJitterBetweenHalfAndAll) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Backoff backoff(absl::Milliseconds(100), absl::Seconds(1), seed);
    absl::Duration whole = absl::Milliseconds(100);
    for (int attempt = 0; attempt < 10; ++attempt) {
      absl::Duration delay = backoff.Next();
      EXPECT_GE(delay, whole / 2) << "seed " << seed << ", attempt " << attempt;
      EXPECT_LE(delay, whole) << "seed " << seed << ", attempt " << attempt;
      whole = std::min(whole * 2, absl::Seconds(1));
    }
  }
}

TEST(Backoff, GivesDifferentDelaysToDifferentSeeds) {
  Backoff one(absl::Seconds(1), absl::Seconds(10), 1);
  Backoff other(absl::Seconds(1), absl::Seconds(10), 2);
  EXPECT_NE(one.Next(), other.Next());
}

TEST(Backoff, RepeatsItselfForOneSeed) {
  Backoff one(absl::Seconds(1), absl::Seconds(10), kSeed);
  Backoff other(absl::Seconds(1), absl::Seconds(10), kSeed);
  for (int i = 0; i < 5; ++i) EXPECT_EQ(one.Next(), other.Next());
}

TEST(Backoff, StartsAgainFromTheFirstDelayAfterAReset) {
  Backoff backoff(absl::Milliseconds(100), absl::Seconds(10), kSeed);
  for (int i = 0; i < 8; ++i) backoff.Next();
  backoff.Reset();
  EXPECT_LE(backoff.Next(), absl::Milliseconds(100));
}

TEST(Backoff, StaysAtTheMaximumForEver) {
  Backoff backoff(absl::Seconds(1), absl::Seconds(10), kSeed);
  for (int i = 0; i < 10'000; ++i) EXPECT_LE(backoff.Next(), absl::Seconds(10));
}

TEST(Backoff, KeepsToAMaximumBelowTheFirstDelay) {
  Backoff backoff(absl::Seconds(5), absl::Seconds(1), kSeed);
  EXPECT_LE(backoff.Next(), absl::Seconds(1));
  backoff.Reset();
  EXPECT_LE(backoff.Next(), absl::Seconds(1));
}

}  // namespace
}  // namespace walpost
