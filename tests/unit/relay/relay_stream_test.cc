#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "relay_fixture.h"

namespace walpost::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using RelayStream = RelayTest;

TEST_F(RelayStream, ConfirmsATransactionOnlyAfterItsDelivery) {
  auto stream = source_.AddStream();
  stream->Say(Table());
  SayTransaction(*stream, 100, {"a"});
  sink_.Hold();
  waiter_.PassTime(absl::Seconds(15));
  waiter_.Then([&] {
    EXPECT_EQ(stream->flushed(), Lsn(10));
    sink_.Release(1);
  });
  waiter_.PassTime(absl::Seconds(1));
  waiter_.Then([&] { EXPECT_EQ(stream->flushed(), Lsn(100)); });
  EXPECT_TRUE(Run().ok());
  ASSERT_EQ(sink_.published().size(), 1u);
  EXPECT_EQ(sink_.published()[0].topic, "outbox.event.order");
}

TEST_F(RelayStream, ReportsWhatItReceivedAsWrittenAndOnlyWhatIsAckedAsFlushed) {
  auto stream = source_.AddStream();
  stream->Say(Table());
  SayTransaction(*stream, 100, {"a"});
  stream->Say(KeepaliveFrame(500, /*reply_requested=*/true));
  sink_.Hold();
  waiter_.Then([&] {
    ASSERT_FALSE(stream->statuses.empty()) << "a requested reply waits for nothing";
    EXPECT_EQ(stream->statuses.back().write, Lsn(500));
    EXPECT_EQ(stream->statuses.back().flush, Lsn(10));
  });
  EXPECT_TRUE(Run().ok());
  EXPECT_EQ(stream->flushed(), Lsn(10));
}

TEST_F(RelayStream, ALaterDeliveryDoesNotCoverAnEarlierOneThatIsOut) {
  auto stream = source_.AddStream();
  stream->Say(Table());
  SayTransaction(*stream, 100, {"a"});
  SayTransaction(*stream, 200, {"b"});
  sink_.Hold();
  waiter_.Then([&] { sink_.ReleaseYoungest(1); });
  waiter_.PassTime(absl::Seconds(1));
  waiter_.Then([&] {
    EXPECT_EQ(stream->flushed(), Lsn(10));
    sink_.Release(1);
  });
  waiter_.PassTime(absl::Seconds(1));
  EXPECT_TRUE(Run().ok());
  EXPECT_EQ(stream->flushed(), Lsn(200));
}

TEST_F(RelayStream, AnIdleSlotFollowsTheKeepalives) {
  auto stream = source_.AddStream();
  stream->Say(KeepaliveFrame(300));
  waiter_.PassTime(absl::Seconds(1));
  waiter_.Then([&] { EXPECT_EQ(stream->flushed(), Lsn(300)); });
  EXPECT_TRUE(Run().ok());
}

TEST_F(RelayStream, NeverSendsAPositionBelowTheSlotsOwn) {
  auto stream = source_.AddStream();
  stream->info.confirmed_flush = Lsn(1000);
  stream->Say(KeepaliveFrame(200, true));  // the server is still catching up with its own slot
  waiter_.PassTime(absl::Seconds(30));
  EXPECT_TRUE(Run().ok());
  for (const StandbyStatus& status : stream->statuses) EXPECT_GE(status.flush, Lsn(1000));
}

TEST_F(RelayStream, ATransactionWithoutOutboxRowsIsConfirmed) {
  auto stream = source_.AddStream();
  SayTransaction(*stream, 100, {});
  waiter_.PassTime(absl::Seconds(1));
  EXPECT_TRUE(Run().ok());
  EXPECT_EQ(stream->flushed(), Lsn(100));
}

TEST_F(RelayStream, ReadsNothingOverTheBoundWhileStatusGoesOn) {
  options_.max_in_flight_bytes = 2 * FakeSink::kCost;
  auto stream = source_.AddStream();
  stream->Say(Table());
  for (std::uint64_t i = 1; i <= 5; ++i)
    SayTransaction(*stream, 100 * i, {"r" + std::to_string(i)});
  sink_.Hold();
  waiter_.Then([&] {
    EXPECT_EQ(sink_.published().size(), 2u);
    EXPECT_EQ(waiter_.last_request().stream_fd, -1) << "the socket is left out";
    EXPECT_EQ(waiter_.last_request().sink_fd, 6);
  });
  waiter_.PassTime(absl::Minutes(5));
  waiter_.Then([&] {
    EXPECT_EQ(sink_.published().size(), 2u);
    EXPECT_GE(stream->statuses.size(), 30u);
    EXPECT_EQ(source_.opened(), 1);
    sink_.ReleaseAll();
  });
  waiter_.Then(
      [&] { EXPECT_EQ(sink_.published().size(), 5u) << "frames inside the stream wake no poll"; });
  waiter_.PassTime(absl::Seconds(1));
  EXPECT_TRUE(Run().ok());
  EXPECT_EQ(stream->flushed(), Lsn(500));
}

TEST_F(RelayStream, IsNotWokenByWhatItMayNotReadWhileAStatusIsUnsent) {
  options_.max_in_flight_events = 1;
  auto stream = source_.AddStream();
  stream->unsent = true;
  stream->Say(Table());
  SayTransaction(*stream, 100, {"a", "b"});
  sink_.Hold();
  waiter_.Then([&] {
    EXPECT_EQ(waiter_.last_request().stream_fd, 5);
    EXPECT_TRUE(waiter_.last_request().stream_writable);
    EXPECT_FALSE(waiter_.last_request().stream_readable);
  });
  EXPECT_TRUE(Run().ok());
}

TEST_F(RelayStream, CountsEventsAgainstTheirBoundToo) {
  options_.max_in_flight_events = 3;
  auto stream = source_.AddStream();
  stream->Say(Table());
  SayTransaction(*stream, 100, {"a", "b", "c", "d", "e"});
  sink_.Hold();
  waiter_.Then([&] { EXPECT_EQ(sink_.published().size(), 3u); });
  EXPECT_TRUE(Run().ok());
}

TEST_F(RelayStream, HoldsTheEventThatTheSinkHasNoRoomForAndPublishesItOnce) {
  auto stream = source_.AddStream();
  stream->Say(Table());
  SayTransaction(*stream, 100, {"a", "b", "c"});
  sink_.Hold();
  sink_.SetRoom(1);
  waiter_.Then([&] {
    EXPECT_EQ(sink_.published().size(), 1u);
    sink_.ReleaseAll();
  });
  waiter_.PassTime(absl::Seconds(1));
  EXPECT_TRUE(Run().ok());
  EXPECT_EQ(sink_.published().size(), 3u);
  EXPECT_EQ(stream->flushed(), Lsn(100));
}

TEST_F(RelayStream, SendsStatusWellWithinTheServersTimeout) {
  auto stream = source_.AddStream();
  stream->info.wal_sender_timeout = absl::Seconds(3);
  waiter_.PassTime(absl::Seconds(10));
  EXPECT_TRUE(Run().ok());
  EXPECT_GE(stream->statuses.size(), 10u);
}

TEST_F(RelayStream, AQuietServerThatAnswersIsNotTakenForGone) {
  auto stream = source_.AddStream();
  for (int i = 0; i < 20; ++i) {
    waiter_.PassTime(absl::Seconds(30));
    waiter_.Then([stream] {
      if (stream->statuses.back().reply_requested) stream->Say(KeepaliveFrame(50));
    });
  }
  EXPECT_TRUE(Run().ok());
  EXPECT_EQ(source_.opened(), 1);
}

TEST_F(RelayStream, ASilentServerIsLeftAfterTheStallTimeout) {
  auto first = source_.AddStream();
  auto second = source_.AddStream();
  waiter_.PassTime(absl::Seconds(62));
  waiter_.Then([&] { EXPECT_EQ(source_.opened(), 2); });
  EXPECT_TRUE(Run().ok());
  EXPECT_TRUE(first->statuses.back().reply_requested);
  EXPECT_TRUE(first->closed);
}

TEST_F(RelayStream, AsksWellWithinTheStallTimeout) {
  options_.stall_timeout = absl::Seconds(5);
  auto stream = source_.AddStream();
  for (int i = 0; i < 100; ++i) {
    waiter_.PassTime(absl::Milliseconds(500));
    waiter_.Then([stream] {
      if (!stream->statuses.empty() && stream->statuses.back().reply_requested) {
        stream->Say(KeepaliveFrame(50));
      }
    });
  }
  EXPECT_TRUE(Run().ok());
  EXPECT_EQ(source_.opened(), 1);
}

TEST_F(RelayStream, ATableThatDoesNotFitConfirmsWhatCameBefore) {
  auto stream = source_.AddStream();
  stream->Say(Table());
  SayTransaction(*stream, 100, {"a"});
  stream->Say(Data(195, BeginMessage(198)));
  stream->Say(Row(196, "b"));
  stream->Say(Data(0, RelationMessage(kOutbox, "public", "outbox",
                                      {{"id"}, {"aggregateid"}, {"type"}, {"payload"}})));
  stream->Say(Data(200, CommitMessage(198, 200)));
  stream->Say(KeepaliveFrame(900));
  sink_.Hold();
  waiter_.Then([&] { sink_.ReleaseAll(); });
  const absl::Status status = Run();
  EXPECT_TRUE(absl::IsFailedPrecondition(status));
  EXPECT_THAT(std::string(status.message()),
              AllOf(HasSubstr("aggregatetype"), HasSubstr(" (LSN 0/C4); hint: ")));
  EXPECT_EQ(stream->flushed(), Lsn(100)) << "what was in flight is waited for";
  EXPECT_TRUE(stream->finished);
}

TEST_F(RelayStream, WhatItCannotDecodeConfirmsWhatCameBefore) {
  auto stream = source_.AddStream();
  stream->Say(Table());
  SayTransaction(*stream, 100, {"a"});
  stream->Say(Data(195, BeginMessage(198)));
  stream->Say(Row(196, "b"));
  stream->Say(Data(197, "I"));
  stream->Say(KeepaliveFrame(900));
  EXPECT_TRUE(absl::IsDataLoss(Run()));
  EXPECT_EQ(stream->flushed(), Lsn(100));
  EXPECT_TRUE(stream->finished);
}

TEST_F(RelayStream, AnErrorOfTheStreamItselfIsNotWaitedOn) {
  auto stream = source_.AddStream();
  stream->Say(Table());
  SayTransaction(*stream, 100, {"a"});
  sink_.Hold();
  waiter_.Then([&] { stream->end = absl::FailedPreconditionError("no publication"); });
  const absl::Duration before = clock_.Monotonic();
  EXPECT_TRUE(absl::IsFailedPrecondition(Run()));
  EXPECT_EQ(clock_.Monotonic(), before);
  EXPECT_LE(stream->flushed(), Lsn(10));
}

TEST_F(RelayStream, ABugConfirmsNothingMore) {
  auto stream = source_.AddStream();
  stream->Say(Table());
  SayTransaction(*stream, 100, {"a"});
  SayTransaction(*stream, 200, {"b"});
  sink_.RefuseNext(absl::OkStatus());
  sink_.RefuseNext(absl::InternalError("a bug"));
  EXPECT_TRUE(absl::IsInternal(Run()));
  EXPECT_EQ(stream->flushed(), Lsn());
}

TEST_F(RelayStream, StopsAtWhatItCannotDecodeAndConfirmsNothingMore) {
  for (const std::string& frame :
       {Data(90, "S\0\0\0\1\1"), std::string("?"), Data(90, "I"), Row(90, "outside")}) {
    SCOPED_TRACE(testing::PrintToString(frame));
    auto stream = source_.AddStream();
    stream->Say(Table());
    stream->Say(frame);
    stream->Say(KeepaliveFrame(900));
    EXPECT_TRUE(absl::IsDataLoss(Run()));
    EXPECT_LE(stream->flushed(), Lsn(10));
  }
}

TEST_F(RelayStream, UpdatesDeletesTruncatesAndOtherTablesAreNoEvents) {
  auto stream = source_.AddStream();
  stream->Say(Table());
  stream->Say(Data(0, RelationMessage(2, "public", "audit", {{"a"}})));
  const std::vector<Field> row = {"1", "order", "k", "T", "{}"};
  stream->Say(Data(95, BeginMessage(98)));
  stream->Say(Data(96, UpdateMessage(kOutbox, row)));
  stream->Say(Data(96, UpdateMessage(kOutbox, row)));
  stream->Say(Data(96, DeleteMessage(kOutbox, row)));
  stream->Say(Data(96, TruncateMessage({kOutbox})));
  stream->Say(Data(96, InsertMessage(2, {"x"})));
  stream->Say(Data(100, CommitMessage(98, 100)));
  waiter_.PassTime(absl::Seconds(1));
  EXPECT_TRUE(Run().ok());
  EXPECT_TRUE(sink_.published().empty());
  EXPECT_EQ(metrics_.updates_ignored.Get(), 2);
  EXPECT_EQ(metrics_.truncates_ignored.Get(), 1);
  EXPECT_EQ(metrics_.rows_ignored.Get(), 1);
  EXPECT_EQ(log_.Count("UPDATE"), 1);
  EXPECT_EQ(stream->flushed(), Lsn(100));
}

TEST_F(RelayStream, ARowThatItsOwnTransactionDeletesIsStillOneEvent) {
  auto stream = source_.AddStream();
  stream->Say(Table());
  stream->Say(Data(95, BeginMessage(98)));
  stream->Say(Row(96, "a"));
  stream->Say(Data(
      97, DeleteMessage(kOutbox, {"a", std::nullopt, std::nullopt, std::nullopt, std::nullopt})));
  stream->Say(Data(100, CommitMessage(98, 100)));
  waiter_.PassTime(absl::Seconds(1));
  EXPECT_TRUE(Run().ok());
  ASSERT_EQ(sink_.published().size(), 1u);
  EXPECT_EQ(sink_.published()[0].Header("id"), "a");
  EXPECT_EQ(stream->flushed(), Lsn(100));
}

TEST_F(RelayStream, AnUpdateStopsItWhenToldToWhateverIsDoneAboutOtherPoisonEvents) {
  options_.halt_on_update = true;
  options_.on_poison = PoisonAction::kSkip;
  auto stream = source_.AddStream();
  stream->Say(Table());
  SayTransaction(*stream, 100, {"before"});
  stream->Say(Data(0, RelationMessage(2, "public", "audit", {{"a"}})));
  stream->Say(Data(195, BeginMessage(198)));
  stream->Say(Data(196, UpdateMessage(2, {"no outbox"})));
  stream->Say(Data(197, UpdateMessage(kOutbox, {"1", "order", "k", "T", "{}"})));
  stream->Say(Data(200, CommitMessage(198, 200)));
  const absl::Status status = Run();
  EXPECT_TRUE(absl::IsDataLoss(status));
  EXPECT_THAT(std::string(status.message()),
              AllOf(HasSubstr("UPDATE of a row of public.outbox"), HasSubstr("(LSN 0/C5)"),
                    HasSubstr("relay.on_update")));
  EXPECT_EQ(stream->flushed(), Lsn(100));
  EXPECT_TRUE(stream->finished);
  EXPECT_EQ(metrics_.PoisonEvents(PoisonReason::kUpdate, PoisonAction::kHalt).Get(), 1);
  EXPECT_EQ(metrics_.updates_ignored.Get(), 0);
}

TEST_F(RelayStream, TellsItsFigures) {
  auto stream = source_.AddStream();
  stream->Say(Table());
  SayTransaction(*stream, 100, {"a"});
  SayTransaction(*stream, 200, {"b"});
  sink_.Hold();
  waiter_.Then([&] { sink_.Release(1); });
  waiter_.PassTime(absl::Seconds(1));
  waiter_.Then([&] {
    EXPECT_EQ(metrics_.state.load(), RelayState::kStreaming);
    EXPECT_EQ(metrics_.events_in_flight.Get(), 1);
    EXPECT_EQ(metrics_.bytes_in_flight.Get(), 100);
    EXPECT_EQ(metrics_.received_lsn.Get(), 200);
    EXPECT_EQ(metrics_.confirmed_lsn.Get(), 100);
    EXPECT_NE(metrics_.oldest_unacked_commit_us.Get(), 0);
    EXPECT_NE(metrics_.last_server_message_us.Get(), 0);
  });
  EXPECT_TRUE(Run().ok());
  EXPECT_EQ(metrics_.state.load(), RelayState::kStopped);
}

}  // namespace
}  // namespace walpost::test
