#ifndef WALPOST_BASE_BACKOFF_H_
#define WALPOST_BASE_BACKOFF_H_

#include <absl/time/time.h>

#include <algorithm>
#include <cstdint>
#include <random>

namespace walpost {

// Delays between attempts: doubled each time up to a maximum, each with jitter (uniform between
// half of it and all of it), so that instances which failed together do not come back together. Not
// thread-safe.
class Backoff {
 public:
  // `seed` makes the jitter repeatable in tests.
  Backoff(absl::Duration first, absl::Duration max, std::uint64_t seed)
      : first_(std::min(first, max)), max_(max), current_(first_), random_(seed) {}

  // The delay before the next attempt.
  absl::Duration Next();

  // To be called after a success.
  void Reset() { current_ = first_; }

 private:
  const absl::Duration first_;
  const absl::Duration max_;
  absl::Duration current_;
  std::mt19937_64 random_;
};

}  // namespace walpost

#endif  // WALPOST_BASE_BACKOFF_H_
