#include "app/signal_stop.h"

#include <poll.h>
#include <pthread.h>
#include <sys/signalfd.h>

namespace walpost::app {

SignalStop::SignalStop(bool second_signal_ends) : second_signal_ends_(second_signal_ends) {
  sigemptyset(&signals_);
  sigaddset(&signals_, SIGTERM);
  sigaddset(&signals_, SIGINT);
  pthread_sigmask(SIG_BLOCK, &signals_, &previous_);
  fd_ = UniqueFd(signalfd(-1, &signals_, SFD_CLOEXEC | SFD_NONBLOCK));
}

SignalStop::~SignalStop() {
  TakePending();
  pthread_sigmask(SIG_SETMASK, &previous_, nullptr);
}

bool SignalStop::requested() const {
  if (requested_.load(std::memory_order_relaxed)) return true;
  pollfd waiting{fd_.get(), POLLIN, 0};
  // The signal stays pending, so that the descriptor stays readable for every other part that waits
  // on it.
  if (poll(&waiting, 1, 0) <= 0) return false;
  requested_.store(true, std::memory_order_relaxed);
  if (second_signal_ends_) {
    TakePending();
    pthread_sigmask(SIG_UNBLOCK, &signals_, nullptr);
  }
  return true;
}

// What was asked for has been heard; left pending, it would end the process once it is unblocked.
void SignalStop::TakePending() const {
  signalfd_siginfo taken;
  while (read(fd_.get(), &taken, sizeof(taken)) > 0) {
  }
}

}  // namespace walpost::app
