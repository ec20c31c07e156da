#ifndef WALPOST_TESTS_SUPPORT_WAIT_H_
#define WALPOST_TESTS_SUPPORT_WAIT_H_

#include <absl/time/time.h>

#include <functional>

namespace walpost::support {

// Tries `condition` until it holds or `limit` has passed; whether it held. The way a test waits for
// another process: by what it wants to see, never by a bare sleep.
[[nodiscard]] bool WaitUntil(absl::Duration limit, const std::function<bool()>& condition,
                             absl::Duration interval = absl::Milliseconds(10));

// Checks `condition` all through `period`; whether it held each time. For what must not happen.
[[nodiscard]] bool HoldsFor(absl::Duration period, const std::function<bool()>& condition,
                            absl::Duration interval = absl::Milliseconds(50));

}  // namespace walpost::support

#endif  // WALPOST_TESTS_SUPPORT_WAIT_H_
