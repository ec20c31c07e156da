#include "support/wait.h"

#include <absl/time/clock.h>

namespace walpost::support {

bool WaitUntil(absl::Duration limit, const std::function<bool()>& condition,
               absl::Duration interval) {
  const absl::Time deadline = absl::Now() + limit;
  while (!condition()) {
    if (absl::Now() >= deadline) return false;
    absl::SleepFor(interval);
  }
  return true;
}

bool HoldsFor(absl::Duration period, const std::function<bool()>& condition,
              absl::Duration interval) {
  const absl::Time end = absl::Now() + period;
  while (absl::Now() < end) {
    if (!condition()) return false;
    absl::SleepFor(interval);
  }
  return condition();
}

}  // namespace walpost::support
