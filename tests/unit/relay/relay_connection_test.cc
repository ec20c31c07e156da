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
  waiter_.Then([&] { first->end = absl::UnavailableError("gone"); });
  auto second = source_.AddStream();
  second->info.timeline = 2;
  second->info.confirmed_flush = Lsn(5000);
  waiter_.PassTime(absl::Seconds(5));
  EXPECT_TRUE(Run().ok());
  EXPECT_EQ(log_.Count("new timeline"), 1);
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

}  // namespace
}  // namespace walpost::test
