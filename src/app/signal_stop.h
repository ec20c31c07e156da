#ifndef WALPOST_APP_SIGNAL_STOP_H_
#define WALPOST_APP_SIGNAL_STOP_H_

#include <atomic>
#include <csignal>

#include "base/unique_fd.h"
#include "walpost/stop_signal.h"

namespace walpost::app {

// A stop by SIGTERM or SIGINT. Blocks both in the calling thread, so that each thread that is made
// afterwards has them blocked too, and reads them through a signalfd: nothing of ours runs in a
// signal handler. To be made before the first thread.
//
// After the first signal the usual effect of both is restored in the thread that saw it, so that a
// second one ends the process at once; unless the process has to clean up after itself
// (`second_signal_ends` off). Source: signalfd(2)
class SignalStop final : public StopSignal {
 public:
  explicit SignalStop(bool second_signal_ends);
  ~SignalStop() override;
  SignalStop(const SignalStop&) = delete;
  SignalStop& operator=(const SignalStop&) = delete;

  bool requested() const override;
  int fd() const override { return fd_.get(); }

 private:
  void TakePending() const;

  const bool second_signal_ends_;
  sigset_t signals_{};
  sigset_t previous_{};
  UniqueFd fd_;
  // Thread-safe, since the demo looks from two threads.
  mutable std::atomic<bool> requested_{false};
};

}  // namespace walpost::app

#endif  // WALPOST_APP_SIGNAL_STOP_H_
