#include "base/clock.h"

#include <absl/time/clock.h>

#include <chrono>

namespace walpost {

absl::Time SystemClock::Now() const { return absl::Now(); }

absl::Duration SystemClock::Monotonic() const {
  return absl::FromChrono(std::chrono::steady_clock::now().time_since_epoch());
}

}  // namespace walpost
