#ifndef WALPOST_BASE_CLOCK_H_
#define WALPOST_BASE_CLOCK_H_

#include <absl/time/time.h>

namespace walpost {

// Time, injected so that tests need neither sleeps nor the wall clock. Implementations are
// thread-safe.
class Clock {
 public:
  virtual ~Clock() = default;

  // The wall clock.
  virtual absl::Time Now() const = 0;
  // Time since some fixed moment; never goes back. For deadlines and intervals.
  virtual absl::Duration Monotonic() const = 0;
};

class SystemClock final : public Clock {
 public:
  absl::Time Now() const override;
  absl::Duration Monotonic() const override;
};

}  // namespace walpost

#endif  // WALPOST_BASE_CLOCK_H_
