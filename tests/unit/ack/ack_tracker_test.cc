#include "ack/ack_tracker.h"

#include <gtest/gtest.h>

#include <vector>

namespace walpost::ack {
namespace {

// One transaction with `events` events, committed at `end`; its tickets.
std::vector<EventTicket> Transaction(AckTracker& tracker, int events, std::uint64_t end,
                                     std::int64_t time_us = 0) {
  std::vector<EventTicket> tickets;
  EXPECT_TRUE(tracker.Begin(time_us, Lsn()).ok());
  for (int i = 0; i < events; ++i) tickets.push_back(*tracker.AddEvent());
  EXPECT_TRUE(tracker.Commit(Lsn(end)).ok());
  return tickets;
}

TEST(AckTracker, ConfirmsNothingBeforeTheFirstPosition) {
  EXPECT_TRUE(AckTracker().confirmable().is_zero());
}

TEST(AckTracker, ConfirmsTheEndOfATransactionOnlyWhenEachEventIsAcked) {
  AckTracker tracker;
  const auto tickets = Transaction(tracker, 2, 100);
  EXPECT_TRUE(tracker.confirmable().is_zero());
  ASSERT_TRUE(tracker.Ack(tickets[0]).ok());
  EXPECT_TRUE(tracker.confirmable().is_zero());
  ASSERT_TRUE(tracker.Ack(tickets[1]).ok());
  EXPECT_EQ(tracker.confirmable(), Lsn(100));
}

TEST(AckTracker, DoesNotConfirmPastAnUnackedEvent) {
  AckTracker tracker;
  const auto first = Transaction(tracker, 1, 100);
  const auto second = Transaction(tracker, 1, 200);
  const auto third = Transaction(tracker, 1, 300);
  ASSERT_TRUE(tracker.Ack(third[0]).ok());
  ASSERT_TRUE(tracker.Ack(second[0]).ok());
  EXPECT_TRUE(tracker.confirmable().is_zero());
  ASSERT_TRUE(tracker.Ack(first[0]).ok());
  EXPECT_EQ(tracker.confirmable(), Lsn(300));
}

TEST(AckTracker, DoesNotConfirmAnOpenTransactionWhoseEventsAreAllAcked) {
  AckTracker tracker;
  ASSERT_TRUE(tracker.Begin(0, Lsn()).ok());
  ASSERT_TRUE(tracker.Ack(*tracker.AddEvent()).ok());
  EXPECT_TRUE(tracker.confirmable().is_zero());
  ASSERT_TRUE(tracker.Commit(Lsn(100)).ok());
  EXPECT_EQ(tracker.confirmable(), Lsn(100));
}

TEST(AckTracker, TellsWhereTheTransactionOfATicketIsUntilItIsAcked) {
  AckTracker tracker;
  ASSERT_TRUE(tracker.Begin(0, Lsn(90)).ok());
  const EventTicket first = *tracker.AddEvent();
  EXPECT_EQ(tracker.CommitOf(first), Lsn(90)) << "while it is open";
  ASSERT_TRUE(tracker.Commit(Lsn(100)).ok());
  ASSERT_TRUE(tracker.Begin(0, Lsn(190)).ok());
  const EventTicket second = *tracker.AddEvent();
  tracker.Advance(Lsn(150));
  EXPECT_EQ(tracker.CommitOf(first), Lsn(90));
  EXPECT_EQ(tracker.CommitOf(second), Lsn(190));
  ASSERT_TRUE(tracker.Ack(first).ok());
  EXPECT_TRUE(tracker.CommitOf(first).is_zero());
  EXPECT_TRUE(tracker.CommitOf(second + 1).is_zero());
}

TEST(AckTracker, ConfirmsAnEmptyTransactionAtOnceWhenNothingIsBeforeIt) {
  AckTracker tracker;
  Transaction(tracker, 0, 100);
  EXPECT_EQ(tracker.confirmable(), Lsn(100));
}

TEST(AckTracker, AnEmptyTransactionWaitsForTheOneBeforeIt) {
  AckTracker tracker;
  const auto first = Transaction(tracker, 1, 100);
  Transaction(tracker, 0, 200);
  EXPECT_TRUE(tracker.confirmable().is_zero());
  ASSERT_TRUE(tracker.Ack(first[0]).ok());
  EXPECT_EQ(tracker.confirmable(), Lsn(200));
}

TEST(AckTracker, AKeepaliveAdvancesAnIdleSlot) {
  AckTracker tracker;
  tracker.Advance(Lsn(500));
  EXPECT_EQ(tracker.confirmable(), Lsn(500));
}

TEST(AckTracker, AKeepaliveDoesNotPassAnEventInFlight) {
  AckTracker tracker;
  const auto first = Transaction(tracker, 1, 100);
  tracker.Advance(Lsn(500));
  EXPECT_TRUE(tracker.confirmable().is_zero());
  ASSERT_TRUE(tracker.Ack(first[0]).ok());
  EXPECT_EQ(tracker.confirmable(), Lsn(500));
}

TEST(AckTracker, AKeepaliveWithinATransactionCountsForNothing) {
  AckTracker tracker;
  ASSERT_TRUE(tracker.Begin(0, Lsn()).ok());
  tracker.Advance(Lsn(500));
  const EventTicket ticket = *tracker.AddEvent();
  ASSERT_TRUE(tracker.Ack(ticket).ok());
  EXPECT_TRUE(tracker.confirmable().is_zero());
  ASSERT_TRUE(tracker.Commit(Lsn(100)).ok());
  EXPECT_EQ(tracker.confirmable(), Lsn(100));
}

TEST(AckTracker, NeverGoesBack) {
  AckTracker tracker;
  tracker.Advance(Lsn(500));
  tracker.Advance(Lsn(400));
  Transaction(tracker, 0, 300);
  const auto late = Transaction(tracker, 1, 350);
  ASSERT_TRUE(tracker.Ack(late[0]).ok());
  EXPECT_EQ(tracker.confirmable(), Lsn(500));
}

TEST(AckTracker, AnEventThatTheSinkHadNoRoomForIsNotAwaited) {
  AckTracker tracker;
  ASSERT_TRUE(tracker.Begin(0, Lsn()).ok());
  ASSERT_TRUE(tracker.AddEvent().ok());
  tracker.UndoAddEvent();
  EXPECT_EQ(tracker.unacked(), 0u);
  ASSERT_TRUE(tracker.Commit(Lsn(100)).ok());
  EXPECT_EQ(tracker.confirmable(), Lsn(100));
}

TEST(AckTracker, RefusesEventsAndCommitsOutOfPlace) {
  AckTracker tracker;
  EXPECT_TRUE(absl::IsDataLoss(tracker.AddEvent().status()));
  EXPECT_TRUE(absl::IsDataLoss(tracker.Commit(Lsn(1))));
  ASSERT_TRUE(tracker.Begin(0, Lsn()).ok());
  EXPECT_TRUE(absl::IsDataLoss(tracker.Begin(0, Lsn())));
}

TEST(AckTracker, RefusesAnAckThatIsNotAwaited) {
  AckTracker tracker;
  const auto first = Transaction(tracker, 1, 100);
  Transaction(tracker, 1, 200);
  EXPECT_TRUE(absl::IsInternal(tracker.Ack(first[0] + 2).status()));
  ASSERT_TRUE(tracker.Ack(first[0]).ok());
  EXPECT_TRUE(absl::IsInternal(tracker.Ack(first[0]).status()));
}

TEST(AckTracker, AfterAResetOldTicketsAreNotCurrentAndTheStartIsTheFloor) {
  AckTracker tracker;
  const auto old = Transaction(tracker, 1, 100);
  tracker.Reset(Lsn(90));
  EXPECT_EQ(tracker.confirmable(), Lsn(90));
  EXPECT_EQ(tracker.unacked(), 0u);
  EXPECT_FALSE(tracker.IsCurrent(old[0]));
  const auto fresh = Transaction(tracker, 1, 100);
  EXPECT_TRUE(tracker.IsCurrent(fresh[0]));
  EXPECT_NE(old[0], fresh[0]);
}

TEST(AckTracker, AResetInsideATransactionClosesIt) {
  AckTracker tracker;
  ASSERT_TRUE(tracker.Begin(0, Lsn()).ok());
  const EventTicket ticket = *tracker.AddEvent();
  tracker.Reset(Lsn(5));
  EXPECT_FALSE(tracker.IsCurrent(ticket));
  EXPECT_FALSE(tracker.transaction_open());
  EXPECT_TRUE(tracker.Begin(0, Lsn()).ok());
}

TEST(AckTracker, TellsTheCommitTimeOfTheOldestUnacked) {
  AckTracker tracker;
  EXPECT_FALSE(tracker.oldest_unacked_commit_us());
  const auto first = Transaction(tracker, 1, 100, 11);
  const auto second = Transaction(tracker, 1, 200, 22);
  EXPECT_EQ(tracker.oldest_unacked_commit_us(), 11);
  EXPECT_EQ(*tracker.Ack(first[0]), 11);
  EXPECT_EQ(tracker.oldest_unacked_commit_us(), 22);
  EXPECT_EQ(*tracker.Ack(second[0]), 22);
  EXPECT_FALSE(tracker.oldest_unacked_commit_us());
}

TEST(AckTracker, KeepsItsOrderWhileItsRingGrowsAndWraps) {
  AckTracker tracker;
  std::vector<EventTicket> waiting;
  std::uint64_t end = 0;
  for (int round = 0; round < 3; ++round) {
    for (int i = 0; i < 1000; ++i) waiting.push_back(Transaction(tracker, 1, ++end)[0]);
    for (std::size_t i = 0; i + 100 < waiting.size(); ++i)
      ASSERT_TRUE(tracker.Ack(waiting[i]).ok());
    waiting.erase(waiting.begin(), waiting.end() - 100);
    EXPECT_EQ(tracker.confirmable(), Lsn(end - 100));
  }
}

}  // namespace
}  // namespace walpost::ack
