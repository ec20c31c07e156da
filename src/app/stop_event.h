#ifndef WALPOST_APP_STOP_EVENT_H_
#define WALPOST_APP_STOP_EVENT_H_

#include <atomic>

#include "base/unique_fd.h"
#include "walpost/stop_signal.h"

namespace walpost::app {

// A stop that another part of this process asks for. Thread-safe.
class StopEvent final : public StopSignal {
 public:
  StopEvent();

  // For good; again is the same as once.
  void Request();

  bool requested() const override { return requested_.load(); }
  int fd() const override { return fd_.get(); }

 private:
  std::atomic<bool> requested_{false};
  UniqueFd fd_;  // an eventfd, which stays readable
};

}  // namespace walpost::app

#endif  // WALPOST_APP_STOP_EVENT_H_
