#include <gtest/gtest.h>

#include "relay_fixture.h"

namespace walpost::test {
namespace {

using RelayStop = RelayTest;

TEST_F(RelayStop, SendsTheLastConfirmBeforeItEndsTheCopy) {
  auto stream = source_.AddStream();
  stream->Say(Table());
  SayTransaction(*stream, 100, {"a"});
  EXPECT_TRUE(Run().ok());
  EXPECT_EQ(stream->statuses.back().flush, Lsn(100));
  EXPECT_TRUE(stream->finished);
}

TEST_F(RelayStop, WaitsForTheAcksThatAreOut) {
  auto stream = source_.AddStream();
  stream->Say(Table());
  SayTransaction(*stream, 100, {"a"});
  sink_.Hold();
  waiter_.Then([&] { stop_.Request(); });
  waiter_.PassTime(absl::Seconds(1));
  waiter_.Then([&] {
    EXPECT_EQ(metrics_.state.load(), RelayState::kDraining);
    sink_.ReleaseAll();
  });
  EXPECT_TRUE(Run().ok());
  EXPECT_EQ(stream->statuses.back().flush, Lsn(100));
}

TEST_F(RelayStop, GivesUpOnAcksThatDoNotComeAndConfirmsOnlyTheRest) {
  auto stream = source_.AddStream();
  stream->Say(Table());
  SayTransaction(*stream, 100, {"a"});
  SayTransaction(*stream, 200, {"b"});
  sink_.Hold();
  waiter_.Then([&] { sink_.Release(1); });
  waiter_.Then([&] { stop_.Request(); });
  const absl::Duration before = clock_.Monotonic();
  EXPECT_TRUE(Run().ok());
  EXPECT_LE(clock_.Monotonic() - before, absl::Seconds(4));
  EXPECT_EQ(stream->flushed(), Lsn(100));
  EXPECT_TRUE(stream->finished);
}

TEST_F(RelayStop, FinishesTheOpenTransactionAndStartsNoOther) {
  auto stream = source_.AddStream();
  stream->Say(Table());
  stream->Say(Data(95, BeginMessage(98)));
  stream->Say(Row(96, "a"));
  waiter_.Then([&] {
    stop_.Request();
    stream->Say(Row(97, "b"));
    stream->Say(Data(100, CommitMessage(98, 100)));
    SayTransaction(*stream, 200, {"next"});
  });
  EXPECT_TRUE(Run().ok());
  ASSERT_EQ(sink_.published().size(), 2u);
  EXPECT_EQ(stream->statuses.back().flush, Lsn(100));
}

TEST_F(RelayStop, ATransactionThatDoesNotEndIsLeftUnconfirmed) {
  auto stream = source_.AddStream();
  stream->Say(Table());
  stream->Say(Data(95, BeginMessage(98)));
  stream->Say(Row(96, "a"));
  EXPECT_TRUE(Run().ok());
  EXPECT_EQ(stream->flushed(), Lsn(10));
  EXPECT_TRUE(stream->finished);
}

TEST_F(RelayStop, EndsInGoodOrderWhenTheStreamBreaksMeanwhile) {
  auto stream = source_.AddStream();
  stream->Say(Table());
  stream->Say(Data(95, BeginMessage(98)));
  stream->Say(Row(96, "a"));
  waiter_.Then([&] {
    stop_.Request();
    stream->end = absl::UnavailableError("connection lost");
  });
  EXPECT_TRUE(Run().ok());
  EXPECT_LE(stream->flushed(), Lsn(10));
}

TEST_F(RelayStop, MakesNoNewProducerForOneThatIsLostMeanwhile) {
  auto stream = source_.AddStream();
  stream->Say(Table());
  stream->Say(Data(95, BeginMessage(98)));
  stream->Say(Row(96, "a"));
  sink_.Hold();
  waiter_.Then([&] {
    stop_.Request();
    sink_.LoseProducer();
  });
  EXPECT_TRUE(Run().ok());
  EXPECT_EQ(sink_.restarts(), 0);
  EXPECT_LE(stream->flushed(), Lsn(10));
}

TEST_F(RelayStop, EndsAtOnceWhileItWaitsToConnect) {
  source_.AddStream()->end = absl::UnavailableError("lost");
  waiter_.Then([&] { stop_.Request(); });
  EXPECT_TRUE(Run().ok());
  EXPECT_EQ(source_.opened(), 1);
}

TEST_F(RelayStop, LetsAServerGoThatShutsDownWhileRowsAreUnacked) {
  auto stream = source_.AddStream();
  stream->Say(Table());
  SayTransaction(*stream, 100, {"a"});
  sink_.Hold();
  // As measured: the server asks again as soon as it is answered.
  std::size_t answered = 0;
  for (int i = 0; i < 40; ++i) {
    waiter_.Then([&, stream] {
      if (stream->statuses.size() == answered && answered != 0) return;
      answered = stream->statuses.size();
      stream->Say(KeepaliveFrame(150, true));
    });
    waiter_.PassTime(absl::Milliseconds(100));
  }
  bool released = false;
  waiter_.Then([&] {
    for (const StandbyStatus& status : stream->statuses) {
      if (status.flush.is_zero()) {
        released = true;
        EXPECT_EQ(status.write, Lsn(150));
      }
    }
  });
  EXPECT_TRUE(Run().ok());
  EXPECT_TRUE(released);
  EXPECT_LE(stream->statuses.size(), 60u) << "answers are slowed down";
  EXPECT_EQ(stream->flushed(), Lsn(10));
}

TEST_F(RelayStop, LeavesAServerThatShutsDownWhileNothingIsRead) {
  options_.max_in_flight_events = 1;
  auto stream = source_.AddStream();
  stream->Say(Table());
  SayTransaction(*stream, 100, {"a"});
  SayTransaction(*stream, 200, {"b"});
  sink_.Hold();
  waiter_.PassTime(absl::Seconds(30));
  waiter_.Then([&] {
    EXPECT_FALSE(stream->closed) << "a server that runs is not left";
    source_.StopServer();
  });
  waiter_.PassTime(absl::Seconds(4));
  waiter_.Then([&] { EXPECT_TRUE(stream->closed); });
  EXPECT_TRUE(Run().ok());
  EXPECT_EQ(stream->flushed(), Lsn(10));
}

TEST_F(RelayStop, AnswersAServerThatShutsDownIdleWithItsEnd) {
  auto stream = source_.AddStream();
  stream->Say(KeepaliveFrame(150, true));
  waiter_.Then([&] {
    ASSERT_FALSE(stream->statuses.empty());
    EXPECT_EQ(stream->statuses.back().flush, Lsn(150));
  });
  EXPECT_TRUE(Run().ok());
}

}  // namespace
}  // namespace walpost::test
