#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "relay_fixture.h"

namespace walpost::test {
namespace {

using testing::HasSubstr;
using RelayConnection = RelayTest;

TEST_F(RelayConnection, ComesBackAfterALossAndPublishesAgainWhatWasNotConfirmed) {
  auto first = source_.AddStream();
  first->Say(Table());
  SayTransaction(*first, 100, {"a"});
  sink_.Hold();
  waiter_.Then([&] { first->end = absl::UnavailableError("connection reset"); });
  auto second = source_.AddStream();
  second->Say(Table());
  SayTransaction(*second, 100, {"a"});
  waiter_.PassTime(absl::Seconds(1));
  waiter_.Then([&] {
    EXPECT_EQ(sink_.published().size(), 2u);
    sink_.Release(1);  // of the first stream: it counts for nothing now
  });
  waiter_.PassTime(absl::Seconds(1));
  waiter_.Then([&] {
    EXPECT_EQ(second->flushed(), Lsn(10));
    sink_.Release(1);
  });
  waiter_.PassTime(absl::Seconds(1));
  EXPECT_TRUE(Run().ok());
  EXPECT_EQ(second->flushed(), Lsn(100));
  EXPECT_EQ(metrics_.reconnects_postgres.Get(), 1);
  EXPECT_TRUE(first->closed);
}

TEST_F(RelayConnection, TriesForEverOnceItHasStreamedWithOneLineAtFirstAndThenACount) {
  source_.AddStream()->end = absl::UnavailableError("gone");
  source_.FailFromThenOn(absl::UnavailableError("connection refused"));
  waiter_.PassTime(absl::Hours(2));
  EXPECT_TRUE(Run().ok());
  EXPECT_GT(source_.opened(), 500);
  EXPECT_LE(log_.Count("lost; trying again"), 2);
  EXPECT_GT(log_.Count("still lost"), 60);
  EXPECT_LT(log_.Count("still lost"), 130);
}

TEST_F(RelayConnection, GivesUpAfterTheStartTimeoutWhenItNeverStreamed) {
  source_.FailFromThenOn(absl::UnavailableError("connection refused"));
  waiter_.PassTime(absl::Minutes(5));
  const absl::Duration before = clock_.Monotonic();
  EXPECT_TRUE(absl::IsUnavailable(Run()));
  EXPECT_LE(clock_.Monotonic() - before, options_.start_timeout + options_.reconnect_max_delay);
}

TEST_F(RelayConnection, WaitsForASlowServerWithinTheStartTimeout) {
  for (int i = 0; i < 3; ++i) source_.FailNext(absl::UnavailableError("starting up"));
  auto stream = source_.AddStream();
  waiter_.PassTime(absl::Seconds(10));
  waiter_.Then([&] { EXPECT_EQ(metrics_.state.load(), RelayState::kStreaming); });
  EXPECT_TRUE(Run().ok());
}

TEST_F(RelayConnection, ARefusedPasswordEndsTheStartAtOnce) {
  source_.FailNext(absl::UnauthenticatedError("password authentication failed"));
  EXPECT_TRUE(absl::IsUnauthenticated(Run()));
  EXPECT_EQ(source_.opened(), 1);
}

TEST_F(RelayConnection, ARefusedPasswordLaterIsTriedAgain) {
  source_.AddStream()->end = absl::UnavailableError("gone");
  source_.FailNext(absl::UnauthenticatedError("password authentication failed"));
  auto again = source_.AddStream();
  waiter_.PassTime(absl::Seconds(5));
  EXPECT_TRUE(Run().ok());
  EXPECT_EQ(source_.opened(), 3);
}

TEST_F(RelayConnection, WhatAnOperatorMustMendEndsItAtAnyTime) {
  for (absl::Status status :
       {absl::FailedPreconditionError("no slot"), absl::DataLossError("slot lost"),
        absl::InvalidArgumentError("bad conninfo")}) {
    source_.AddStream()->end = absl::UnavailableError("gone");
    source_.FailNext(status);
    waiter_.PassTime(absl::Seconds(5));
    EXPECT_EQ(Run().code(), status.code());
  }
}

TEST_F(RelayConnection, WaitsAsAStandbyForAsLongAsAnotherHoldsTheSlotAndTakesOver) {
  for (int i = 0; i < 200; ++i) source_.FailNext(absl::AbortedError("slot is active for PID 7"));
  auto stream = source_.AddStream();
  waiter_.Then([&] { EXPECT_EQ(metrics_.state.load(), RelayState::kStandby); });
  waiter_.PassTime(absl::Minutes(3));
  waiter_.Then([&] { EXPECT_EQ(metrics_.state.load(), RelayState::kStreaming); });
  EXPECT_TRUE(Run().ok());
  EXPECT_EQ(log_.Count("waiting as a standby"), 1);
}

TEST_F(RelayConnection, AStandbyTriesOftenEnoughToTakeOverWithinSeconds) {
  source_.FailFromThenOn(absl::AbortedError("slot is active for PID 7"));
  waiter_.PassTime(absl::Seconds(20));
  EXPECT_TRUE(Run().ok());
  EXPECT_GE(source_.opened(), 19);
}

TEST_F(RelayConnection, StopsWhenTheSlotIsNewerThanItsOwnLastPosition) {
  auto first = source_.AddStream();
  first->Say(Table());
  SayTransaction(*first, 100, {"a"});
  waiter_.PassTime(absl::Seconds(1));
  waiter_.Then([&] { first->end = absl::UnavailableError("gone"); });
  auto second = source_.AddStream();
  second->info.confirmed_flush = Lsn(5000);
  waiter_.PassTime(absl::Seconds(1));
  const absl::Status status = Run();
  EXPECT_TRUE(absl::IsDataLoss(status));
  EXPECT_THAT(std::string(status.message()), HasSubstr("0/64"));
  EXPECT_THAT(std::string(status.message()), HasSubstr("0/1388"));
}

TEST_F(RelayConnection, ASlotThatIsOlderAfterACrashOfTheServerIsNoFault) {
  auto first = source_.AddStream();
  first->Say(Table());
  SayTransaction(*first, 100, {"a"});
  waiter_.PassTime(absl::Seconds(1));
  waiter_.Then([&] { first->end = absl::UnavailableError("crash"); });
  auto second = source_.AddStream();
  second->info.confirmed_flush = Lsn(10);
  waiter_.PassTime(absl::Seconds(1));
  EXPECT_TRUE(Run().ok());
}

TEST_F(RelayConnection, ASlotThatAnotherInstanceMovedMeanwhileIsNoFault) {
  auto first = source_.AddStream();
  waiter_.Then([&] { first->end = absl::UnavailableError("gone"); });
  source_.FailNext(absl::AbortedError("slot is active for PID 7"));
  auto second = source_.AddStream();
  second->info.confirmed_flush = Lsn(5000);
  waiter_.PassTime(absl::Seconds(5));
  waiter_.Then([&] { EXPECT_EQ(metrics_.state.load(), RelayState::kStreaming); });
  EXPECT_TRUE(Run().ok());
}

TEST_F(RelayConnection, AnotherClusterBehindTheSameNameIsRefused) {
  auto first = source_.AddStream();
  waiter_.Then([&] { first->end = absl::UnavailableError("gone"); });
  auto second = source_.AddStream();
  second->info.system_id = "7001";
  waiter_.PassTime(absl::Seconds(5));
  EXPECT_TRUE(absl::IsDataLoss(Run()));
}

TEST_F(RelayConnection, AfterAPromotionItGoesOnWhereTheSlotIs) {
  auto first = source_.AddStream();
  first->Say(Table());
  SayTransaction(*first, 100, {"a"});
  waiter_.PassTime(absl::Seconds(1));
  waiter_.Then([&] { first->end = absl::UnavailableError("gone"); });
  auto second = source_.AddStream();
  second->info.timeline = 2;
  second->info.confirmed_flush = Lsn(50);
  waiter_.PassTime(absl::Seconds(20));
  EXPECT_TRUE(Run().ok());
  EXPECT_EQ(log_.Count("new timeline"), 1);
  EXPECT_EQ(first->flushed(), Lsn(100));
  EXPECT_EQ(second->flushed(), Lsn(50)) << "a position of another timeline says nothing here";
}

TEST_F(RelayConnection, AfterAPromotionASlotThatIsAheadIsRefused) {
  auto first = source_.AddStream();
  first->Say(Table());
  SayTransaction(*first, 100, {"a"});
  waiter_.PassTime(absl::Seconds(1));
  waiter_.Then([&] { first->end = absl::UnavailableError("gone"); });
  auto second = source_.AddStream();
  second->info.timeline = 2;
  second->info.confirmed_flush = Lsn(5000);
  waiter_.PassTime(absl::Seconds(5));
  const absl::Status status = Run();
  EXPECT_TRUE(absl::IsDataLoss(status)) << status;
  EXPECT_THAT(std::string(status.message()), HasSubstr("0/1388"));
  EXPECT_EQ(log_.Count("new timeline"), 1);
  EXPECT_TRUE(second->statuses.empty());
}

// A stream with one transaction, whose ack comes only after the stream is lost.
class RelayLateAck : public RelayTest {
 protected:
  RelayLateAck() {
    auto first = source_.AddStream();
    first->Say(Table());
    SayTransaction(*first, 100, {"a"});
    SayTransaction(*first, 200, {"b"});
    sink_.Hold();
    waiter_.Then([first] { first->end = absl::UnavailableError("gone"); });
    waiter_.Then([this] { sink_.Release(1); });
  }
};

TEST_F(RelayLateAck, IsToldFirstOnTheNextStream) {
  auto second = source_.AddStream();
  waiter_.PassTime(absl::Seconds(20));
  EXPECT_TRUE(Run().ok());
  ASSERT_FALSE(second->statuses.empty());
  EXPECT_EQ(second->statuses.front().flush, Lsn(100));
  EXPECT_EQ(second->flushed(), Lsn(100)) << "the other one is still out";
}

TEST_F(RelayLateAck, IsNotToldToAServerWhoseWalEndsBeforeIt) {
  auto second = source_.AddStream();
  second->info.wal_end = Lsn(99);
  waiter_.PassTime(absl::Seconds(20));
  EXPECT_TRUE(Run().ok());
  EXPECT_EQ(second->flushed(), Lsn(10));
}

TEST_F(RelayLateAck, IsNotToldAfterAnotherInstanceHadTheSlot) {
  source_.FailNext(absl::AbortedError("slot is active for PID 7"));
  auto second = source_.AddStream();
  waiter_.PassTime(absl::Seconds(20));
  EXPECT_TRUE(Run().ok());
  EXPECT_EQ(second->flushed(), Lsn(10));
}

TEST_F(RelayConnection, IsNotReadyBetweenStreams) {
  options_.reconnect_min_delay = absl::Seconds(8);
  auto first = source_.AddStream();
  waiter_.Then([&] { first->end = absl::UnavailableError("gone"); });
  waiter_.Then([&] {
    EXPECT_TRUE(first->closed);
    EXPECT_EQ(source_.opened(), 1) << "it waits";
    EXPECT_EQ(metrics_.state.load(), RelayState::kConnecting);
    EXPECT_FALSE(metrics_.sink_failing.load());
  });
  EXPECT_TRUE(Run().ok());
}

TEST_F(RelayConnection, SaysThatTheSinkFailsUntilItHasTakenWhatWasLost) {
  auto first = source_.AddStream();
  first->Say(Table());
  SayTransaction(*first, 100, {"a"});
  sink_.Hold();
  waiter_.Then([&] {
    EXPECT_FALSE(metrics_.sink_failing.load());
    sink_.LoseProducer();
  });
  auto second = source_.AddStream();
  second->Say(Table());
  SayTransaction(*second, 100, {"a"});
  waiter_.PassTime(absl::Seconds(30));
  waiter_.Then([&] {
    EXPECT_EQ(metrics_.state.load(), RelayState::kStreaming);
    EXPECT_TRUE(metrics_.sink_failing.load());
    sink_.ReleaseAll();
  });
  waiter_.PassTime(absl::Seconds(1));
  waiter_.Then([&] { EXPECT_FALSE(metrics_.sink_failing.load()); });
  EXPECT_TRUE(Run().ok());
}

TEST_F(RelayConnection, ALostProducerThatOwedNothingIsNoFailure) {
  source_.AddStream();
  waiter_.Then([&] { sink_.LoseProducer(); });
  source_.AddStream();
  waiter_.PassTime(absl::Seconds(1));
  waiter_.Then([&] {
    EXPECT_EQ(source_.opened(), 2);
    EXPECT_FALSE(metrics_.sink_failing.load());
  });
  EXPECT_TRUE(Run().ok());
}

TEST_F(RelayConnection, TellsWhenTheSinkLastMadeProgress) {
  auto stream = source_.AddStream();
  stream->Say(Table());
  SayTransaction(*stream, 100, {"a", "b"});
  sink_.Hold();
  std::int64_t first = 0;
  waiter_.Then([&] { first = metrics_.last_sink_progress_us.Get(); });
  waiter_.PassTime(absl::Seconds(30));
  waiter_.Then([&] {
    EXPECT_NE(first, 0);
    EXPECT_EQ(metrics_.last_sink_progress_us.Get(), first);
    sink_.Release(1);
  });
  waiter_.Then([&] { EXPECT_EQ(metrics_.last_sink_progress_us.Get(), first + 30'000'000); });
  EXPECT_TRUE(Run().ok());
}

TEST_F(RelayConnection, AStreamThatBreaksAtOnceIsNoRecovery) {
  for (int i = 0; i < 10; ++i) source_.AddStream()->end = absl::UnavailableError("cannot decode");
  auto last = source_.AddStream();
  waiter_.PassTime(absl::Minutes(1));
  for (int i = 0; i < 5; ++i) {
    waiter_.Then([last] { last->Say(KeepaliveFrame(50)); });
    waiter_.PassTime(absl::Seconds(5));
  }
  EXPECT_TRUE(Run().ok());
  EXPECT_GE(source_.opened(), 11);
  EXPECT_EQ(log_.Count("lost; trying again"), 1);
  EXPECT_EQ(log_.Count("back"), 2) << "as its own words, and in those of the loss";
}

TEST_F(RelayConnection, AStandbyOutlivesARefusedPassword) {
  source_.FailNext(absl::AbortedError("slot is active for PID 7"));
  source_.FailNext(absl::UnauthenticatedError("password authentication failed"));
  source_.AddStream();
  waiter_.PassTime(absl::Seconds(30));
  waiter_.Then([&] { EXPECT_EQ(metrics_.state.load(), RelayState::kStreaming); });
  EXPECT_TRUE(Run().ok());
}

TEST_F(RelayConnection, IsNoStandbyWhileTheServerIsAway) {
  source_.FailNext(absl::AbortedError("slot is active for PID 7"));
  source_.FailFromThenOn(absl::UnavailableError("connection refused"));
  waiter_.Then([&] { EXPECT_EQ(metrics_.state.load(), RelayState::kStandby); });
  waiter_.PassTime(absl::Minutes(10));
  waiter_.Then([&] { EXPECT_EQ(metrics_.state.load(), RelayState::kConnecting); });
  EXPECT_TRUE(Run().ok());
}

TEST_F(RelayConnection, AStandbyOwesNothing) {
  auto first = source_.AddStream();
  first->Say(Table());
  first->Say(Data(95, BeginMessage(98)));
  first->Say(Row(96, "a"));
  waiter_.Then([&] {
    EXPECT_NE(metrics_.oldest_unacked_commit_us.Get(), 0);
    first->end = absl::UnavailableError("gone");
  });
  source_.FailFromThenOn(absl::AbortedError("slot is active for PID 7"));
  waiter_.PassTime(absl::Minutes(10));
  waiter_.Then([&] {
    EXPECT_EQ(metrics_.state.load(), RelayState::kStandby);
    EXPECT_EQ(metrics_.oldest_unacked_commit_us.Get(), 0);
  });
  EXPECT_TRUE(Run().ok());
}

TEST_F(RelayConnection, AFailedDeliveryIsNeverConfirmedAndComesAgain) {
  auto first = source_.AddStream();
  first->Say(Table());
  SayTransaction(*first, 100, {"a"});
  SayTransaction(*first, 200, {"b"});
  sink_.FailNextDelivery(absl::UnavailableError("topic is missing"));
  auto second = source_.AddStream();
  second->Say(Table());
  SayTransaction(*second, 100, {"a"});
  SayTransaction(*second, 200, {"b"});
  waiter_.PassTime(absl::Seconds(2));
  EXPECT_TRUE(Run().ok());
  EXPECT_EQ(first->flushed(), Lsn());
  EXPECT_EQ(second->flushed(), Lsn(200));
  EXPECT_EQ(sink_.published().size(), 4u);
}

TEST_F(RelayConnection, ALostProducerIsMadeAnewAndTheUnconfirmedPublishedAgain) {
  auto first = source_.AddStream();
  first->Say(Table());
  SayTransaction(*first, 100, {"a"});
  sink_.Hold();
  waiter_.Then([&] { sink_.LoseProducer(); });
  auto second = source_.AddStream();
  second->Say(Table());
  SayTransaction(*second, 100, {"a"});
  waiter_.Then([&] { sink_.ReleaseAll(); });
  waiter_.PassTime(absl::Seconds(2));
  waiter_.Then([&] { EXPECT_EQ(metrics_.events_in_flight.Get(), 0); });
  EXPECT_TRUE(Run().ok());
  EXPECT_EQ(sink_.restarts(), 1);
  EXPECT_EQ(sink_.published().size(), 2u);
  EXPECT_EQ(second->flushed(), Lsn(100));
}

TEST_F(RelayConnection, AProducerThatCannotBeMadeAnewIsTriedAgain) {
  auto first = source_.AddStream();
  first->Say(Table());
  SayTransaction(*first, 100, {"a"});
  sink_.Hold();
  waiter_.Then([&] {
    sink_.FailRestarts(4);
    sink_.LoseProducer();
  });
  auto second = source_.AddStream();
  second->Say(Table());
  SayTransaction(*second, 100, {"a"});
  waiter_.Then([&] { sink_.ReleaseAll(); });
  waiter_.PassTime(absl::Seconds(20));
  EXPECT_TRUE(Run().ok());
  EXPECT_EQ(sink_.restarts(), 5);
  EXPECT_EQ(source_.opened(), 2) << "no stream is opened for a sink that takes nothing";
  EXPECT_EQ(second->flushed(), Lsn(100));
}

TEST_F(RelayConnection, AProducerThatIsLostBetweenStreamsIsTriedAgainTooAndNotInALoop) {
  source_.AddStream()->end = absl::UnavailableError("gone");
  waiter_.Then([&] {
    sink_.FailRestarts(1'000'000);
    sink_.LoseProducer();
  });
  waiter_.PassTime(absl::Minutes(10));
  EXPECT_TRUE(Run().ok());
  EXPECT_GT(sink_.restarts(), 50);
  EXPECT_LT(sink_.restarts(), 200);
  EXPECT_EQ(source_.opened(), 1);
}

TEST_F(RelayConnection, ALostProducerConfirmsWhatItHadAcked) {
  auto first = source_.AddStream();
  first->Say(Table());
  SayTransaction(*first, 100, {"a"});
  SayTransaction(*first, 200, {"b"});
  SayTransaction(*first, 300, {"c"});
  sink_.Hold();
  waiter_.Then([&] { sink_.Release(1); });
  waiter_.Then([&] { sink_.Release(1); });  // its confirm would wait for others to join
  waiter_.Then([&] { sink_.LoseProducer(); });
  source_.FailFromThenOn(absl::UnavailableError("gone"));
  EXPECT_TRUE(Run().ok());
  EXPECT_EQ(first->flushed(), Lsn(200));
}

}  // namespace
}  // namespace walpost::test
