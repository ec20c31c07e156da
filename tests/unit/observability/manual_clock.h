#ifndef WALPOST_TESTS_UNIT_OBSERVABILITY_MANUAL_CLOCK_H_
#define WALPOST_TESTS_UNIT_OBSERVABILITY_MANUAL_CLOCK_H_

#include <absl/time/time.h>

#include "base/clock.h"

namespace walpost::observability {

// Stands still until it is told to advance. To be advanced while no other thread reads it.
class ManualClock final : public Clock {
 public:
  absl::Time Now() const override { return now_; }
  absl::Duration Monotonic() const override { return now_ - absl::UnixEpoch(); }
  void Advance(absl::Duration by) { now_ += by; }

 private:
  absl::Time now_ = absl::FromUnixSeconds(1'796'083'200);
};

}  // namespace walpost::observability

#endif  // WALPOST_TESTS_UNIT_OBSERVABILITY_MANUAL_CLOCK_H_
