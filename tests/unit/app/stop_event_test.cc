#include "app/stop_event.h"

#include <gtest/gtest.h>
#include <poll.h>

#include <csignal>

#include "app/signal_stop.h"

namespace walpost::app {
namespace {

bool Readable(int fd) {
  pollfd waiting{fd, POLLIN, 0};
  return poll(&waiting, 1, 0) == 1;
}

TEST(StopEvent, WakesWhoeverWaitsAndStaysRequested) {
  StopEvent stop;
  EXPECT_FALSE(stop.requested());
  EXPECT_FALSE(Readable(stop.fd()));
  stop.Request();
  stop.Request();
  EXPECT_TRUE(stop.requested());
  EXPECT_TRUE(Readable(stop.fd()));
}

TEST(SignalStop, TakesASignalForAStopAndLeavesNoneBehind) {
  {
    SignalStop stop(/*second_signal_ends=*/false);
    EXPECT_FALSE(stop.requested());
    raise(SIGTERM);
    raise(SIGINT);
    EXPECT_TRUE(Readable(stop.fd()));
    EXPECT_TRUE(stop.requested());
    EXPECT_TRUE(stop.requested());
  }
  SUCCEED() << "a signal that was left pending would have ended the process";
}

TEST(SignalStop, AfterTheFirstSignalTheSecondHasItsUsualEffect) {
  EXPECT_EXIT(
      {
        SignalStop stop(/*second_signal_ends=*/true);
        raise(SIGTERM);
        if (!stop.requested()) _exit(1);
        raise(SIGTERM);
        _exit(2);
      },
      testing::KilledBySignal(SIGTERM), "");
}

}  // namespace
}  // namespace walpost::app
