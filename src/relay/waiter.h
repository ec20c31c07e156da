#ifndef WALPOST_RELAY_WAITER_H_
#define WALPOST_RELAY_WAITER_H_

#include <absl/time/time.h>

namespace walpost {

// What the relay sleeps for. A descriptor of -1 is not waited for.
struct WaitRequest {
  int stream_fd = -1;
  bool stream_readable = true;   // until it can be read
  bool stream_writable = false;  // until it can be written
  int sink_fd = -1;
  int stop_fd = -1;
  absl::Duration timeout = absl::InfiniteDuration();
};

// The one place where the relay thread sleeps; injected, so that tests need no time. Relay thread
// only.
class Waiter {
 public:
  virtual ~Waiter() = default;

  // Returns when something may be ready, when the time is over, or early: the caller looks for
  // itself.
  virtual void Wait(const WaitRequest& request) = 0;
};

// poll(2).
class PollWaiter final : public Waiter {
 public:
  void Wait(const WaitRequest& request) override;
};

}  // namespace walpost

#endif  // WALPOST_RELAY_WAITER_H_
