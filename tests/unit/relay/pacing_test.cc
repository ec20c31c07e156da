#include <gtest/gtest.h>

#include "relay/shutdown_guard.h"
#include "relay/status_pacer.h"

namespace walpost {
namespace {

constexpr absl::Duration kStart = absl::Seconds(100);

TEST(StatusPacer, IsDueAtOnceWhenThePositionMovesAfterAPause) {
  StatusPacer pacer({}, absl::Seconds(60), kStart);
  EXPECT_LE(pacer.Due(Lsn(1)), kStart);
}

TEST(StatusPacer, LetsConfirmsThatFollowCloselyJoin) {
  StatusPacer pacer({}, absl::Seconds(60), kStart);
  pacer.Sent(Lsn(1), kStart);
  EXPECT_EQ(pacer.Due(Lsn(2)), kStart + absl::Milliseconds(100));
}

TEST(StatusPacer, IsDueByTheIntervalWhenNothingMoves) {
  StatusPacer pacer({}, absl::ZeroDuration(), kStart);
  pacer.Sent(Lsn(1), kStart);
  EXPECT_EQ(pacer.Due(Lsn(1)), kStart + absl::Seconds(10));
}

TEST(StatusPacer, GoesBelowItsIntervalForAnImpatientServer) {
  StatusPacer pacer({}, absl::Seconds(6), kStart);
  EXPECT_EQ(pacer.Due(Lsn()), kStart + absl::Seconds(2));
}

TEST(StatusPacer, GoesBelowItsIntervalForAShortStallTimeout) {
  RelayOptions options;
  options.stall_timeout = absl::Seconds(6);
  StatusPacer pacer(options, absl::Seconds(60), kStart);
  EXPECT_EQ(pacer.Due(Lsn()), kStart + absl::Seconds(2));
}

TEST(StatusPacer, AStatusThatWithholdsThePositionIsNotDueAgainAtOnce) {
  StatusPacer pacer({}, absl::Seconds(60), kStart);
  pacer.Sent(Lsn(1), kStart);
  pacer.Sent(Lsn(), kStart + absl::Seconds(1));
  EXPECT_EQ(pacer.Due(Lsn(2)), kStart + absl::Seconds(1) + absl::Milliseconds(100));
  EXPECT_EQ(pacer.last_flush(), Lsn(1));
}

TEST(StatusPacer, ARequestedReplyIsDueWhenItWasPromisedAndOnlyOnce) {
  StatusPacer pacer({}, absl::Seconds(60), kStart);
  pacer.Sent(Lsn(1), kStart);
  pacer.RequestReply(kStart + absl::Milliseconds(5));
  EXPECT_EQ(pacer.Due(Lsn(1)), kStart + absl::Milliseconds(5));
  pacer.Sent(Lsn(1), kStart + absl::Milliseconds(5));
  EXPECT_GT(pacer.Due(Lsn(1)), kStart + absl::Seconds(9));
}

TEST(ShutdownGuard, AnswersAHealthyServerAtOnce) {
  ShutdownGuard guard;
  for (int i = 0; i < 100; ++i) {
    const absl::Duration now = kStart + i * absl::Seconds(1);
    const auto answer = guard.OnReplyRequested(Lsn(5), now);
    EXPECT_EQ(answer.at, now);
    EXPECT_FALSE(answer.release);
  }
}

TEST(ShutdownGuard, SlowsDownAndThenReleasesAServerThatAsksOnAndOn) {
  ShutdownGuard guard;
  absl::Duration now = kStart;
  int answers = 0;
  while (true) {
    const auto answer = guard.OnReplyRequested(Lsn(5), now);
    if (answer.release) break;
    now = std::max(answer.at, now + absl::Microseconds(60));
    ASSERT_LT(++answers, 100);
  }
  EXPECT_GE(now - kStart, absl::Seconds(2));
  EXPECT_LE(now - kStart, absl::Seconds(3));
}

TEST(ShutdownGuard, DataBetweenTheRequestsEndsTheSpell) {
  ShutdownGuard guard;
  for (int i = 0; i < 100; ++i) {
    EXPECT_FALSE(guard.OnReplyRequested(Lsn(5), kStart + i * absl::Milliseconds(100)).release);
    guard.OnData();
  }
}

TEST(ShutdownGuard, AServerWhoseWalGrowsIsNotWaitingForUs) {
  ShutdownGuard guard;
  for (int i = 0; i < 100; ++i) {
    const Lsn end(static_cast<std::uint64_t>(i + 1));
    EXPECT_FALSE(guard.OnReplyRequested(end, kStart + i * absl::Milliseconds(100)).release);
  }
}

}  // namespace
}  // namespace walpost
