#ifndef WALPOST_POSTGRES_DEADLINE_H_
#define WALPOST_POSTGRES_DEADLINE_H_

#include <absl/time/time.h>

#include <algorithm>
#include <cstdint>

#include "base/clock.h"

namespace walpost::postgres {

// The moment by which a wait on a socket must end. Real time, as poll(2) knows no other. A value
// type.
class Deadline {
 public:
  // absl::InfiniteDuration() for a wait without end.
  explicit Deadline(absl::Duration limit) : at_(SystemClock().Monotonic() + limit) {}

  absl::Duration Left() const { return at_ - SystemClock().Monotonic(); }
  bool passed() const { return Left() <= absl::ZeroDuration(); }

  // For poll(2): -1 when it never comes; rounded up, so that a wait does not end just before it.
  int PollTimeoutMs() const {
    if (at_ == absl::InfiniteDuration()) return -1;
    std::int64_t ms = absl::ToInt64Milliseconds(absl::Ceil(Left(), absl::Milliseconds(1)));
    return static_cast<int>(std::clamp<std::int64_t>(ms, 0, 3'600'000));
  }

 private:
  absl::Duration at_;
};

}  // namespace walpost::postgres

#endif  // WALPOST_POSTGRES_DEADLINE_H_
