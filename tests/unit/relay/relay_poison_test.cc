#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "relay/event_publisher.h"
#include "relay_fixture.h"

namespace walpost::test {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

constexpr const char* kDeadLetters = "dead.letters";

class RelayPoison : public RelayTest {
 protected:
  void Choose(PoisonAction action) {
    options_.on_poison = action;
    if (action == PoisonAction::kDeadLetter) options_.dead_letter_topic = kDeadLetters;
  }
  // A transaction that ends at 200 and whose second row has no legal topic.
  static void SayBadTransaction(StreamScript& script) {
    script.Say(Data(195, BeginMessage(198)));
    script.Say(Row(196, "fine"));
    script.Say(Row(196, "bad", "not a topic"));
    script.Say(Row(197, "after"));
    script.Say(Data(200, CommitMessage(198, 200)));
  }
  std::int64_t Counted(PoisonReason reason, PoisonAction action) {
    return metrics_.PoisonEvents(reason, action).Get();
  }
  std::vector<std::string> Topics() const {
    std::vector<std::string> topics;
    for (const FakeSink::Published& event : sink_.published()) topics.push_back(event.topic);
    return topics;
  }
};

enum class Cause { kUnmappable, kRefusedByTheSink };

// A stream with a good transaction and one with a poison row between two good ones.
class PoisonRow : public RelayPoison, public testing::WithParamInterface<Cause> {
 protected:
  std::shared_ptr<StreamScript> AddPoisonedStream() {
    auto stream = source_.AddStream();
    stream->Say(Table());
    SayTransaction(*stream, 100, {"good"});
    if (GetParam() == Cause::kUnmappable) {
      SayBadTransaction(*stream);
      return stream;
    }
    SayTransaction(*stream, 200, {"fine", "bad", "after"});
    sink_.RefuseNext(absl::OkStatus());
    sink_.RefuseNext(absl::OkStatus());
    sink_.RefuseNext(absl::InvalidArgumentError("too large; hint: raise the limit"));
    return stream;
  }
  PoisonReason Reason() const {
    return GetParam() == Cause::kUnmappable ? PoisonReason::kTopic : PoisonReason::kRefused;
  }
};

TEST_P(PoisonRow, HaltsTheRelayAfterWhatCameBeforeIsConfirmed) {
  auto stream = AddPoisonedStream();
  const absl::Status status = Run();
  EXPECT_TRUE(absl::IsDataLoss(status));
  EXPECT_THAT(std::string(status.message()),
              AllOf(HasSubstr("poison event: row of public.outbox with id bad"),
                    HasSubstr("(LSN 0/C4); hint: "), HasSubstr("relay.on_poison")));
  EXPECT_EQ(stream->flushed(), Lsn(100));
  EXPECT_TRUE(stream->finished);
  EXPECT_EQ(sink_.published().size(), 2u) << "nothing behind it is published";
  EXPECT_EQ(Counted(Reason(), PoisonAction::kHalt), 1);
}

TEST_P(PoisonRow, GoesToTheDeadLetterTopicInItsPlaceBetweenItsNeighbours) {
  Choose(PoisonAction::kDeadLetter);
  auto stream = AddPoisonedStream();
  waiter_.PassTime(absl::Seconds(1));
  EXPECT_TRUE(Run().ok());
  EXPECT_THAT(Topics(), ElementsAre("outbox.event.order", "outbox.event.order", kDeadLetters,
                                    "outbox.event.order"));
  const FakeSink::Published& letter = sink_.published()[2];
  EXPECT_THAT(letter.value.value_or(""), HasSubstr("bad"));
  EXPECT_EQ(letter.key, "k");
  EXPECT_EQ(sink_.published()[3].Header("id"), "after");
  EXPECT_EQ(stream->flushed(), Lsn(200));
  EXPECT_EQ(Counted(Reason(), PoisonAction::kDeadLetter), 1);
  EXPECT_EQ(log_.Count("a poison event goes to the dead-letter topic"), 1);
}

TEST_P(PoisonRow, IsConfirmedOnlyAfterItsDeadLetterIsAcked) {
  Choose(PoisonAction::kDeadLetter);
  auto stream = AddPoisonedStream();
  sink_.Hold();
  waiter_.Then([&] { sink_.Release(2); });
  waiter_.Then([&] { sink_.ReleaseYoungest(1); });
  waiter_.PassTime(absl::Seconds(15));
  waiter_.Then([&] {
    EXPECT_EQ(stream->flushed(), Lsn(100)) << "only the dead letter is out";
    sink_.Release(1);
  });
  waiter_.PassTime(absl::Seconds(1));
  EXPECT_TRUE(Run().ok());
  EXPECT_EQ(stream->flushed(), Lsn(200));
}

TEST_P(PoisonRow, IsSkippedWhileTheRestOfItsTransactionIsPublished) {
  Choose(PoisonAction::kSkip);
  auto stream = AddPoisonedStream();
  waiter_.PassTime(absl::Seconds(1));
  EXPECT_TRUE(Run().ok());
  ASSERT_EQ(sink_.published().size(), 3u);
  EXPECT_EQ(sink_.published()[1].Header("id"), "fine");
  EXPECT_EQ(sink_.published()[2].Header("id"), "after");
  EXPECT_EQ(stream->flushed(), Lsn(200));
  EXPECT_EQ(Counted(Reason(), PoisonAction::kSkip), 1);
  EXPECT_THAT(log_.Find("a poison event was skipped").fields["reason"],
              HasSubstr("row of public.outbox with id bad"));
  EXPECT_EQ(log_.Find("a poison event was skipped").fields["lsn"], "0/C4");
}

INSTANTIATE_TEST_SUITE_P(Causes, PoisonRow,
                         testing::Values(Cause::kUnmappable, Cause::kRefusedByTheSink),
                         [](const auto& cause) {
                           return cause.param == Cause::kUnmappable ? "Unmappable"
                                                                    : "RefusedByTheSink";
                         });

TEST_F(RelayPoison, ATransactionOfSkippedRowsAloneIsConfirmed) {
  Choose(PoisonAction::kSkip);
  auto stream = source_.AddStream();
  stream->Say(Table());
  stream->Say(Data(95, BeginMessage(98)));
  for (const char* id : {"a", "b", "c"}) stream->Say(Row(96, id, "not a topic"));
  stream->Say(Data(100, CommitMessage(98, 100)));
  waiter_.PassTime(absl::Seconds(1));
  EXPECT_TRUE(Run().ok());
  EXPECT_EQ(stream->flushed(), Lsn(100));
  EXPECT_TRUE(sink_.published().empty());
  EXPECT_EQ(Counted(PoisonReason::kTopic, PoisonAction::kSkip), 3);
  EXPECT_EQ(log_.Count("a poison event was skipped"), 1);
  EXPECT_EQ(log_.Find("further poison events").fields["events"], "2");
}

TEST_F(RelayPoison, ARowThatIsRefusedOnlyOnceThereIsRoomIsStillKnownByName) {
  auto stream = source_.AddStream();
  stream->Say(Table());
  SayTransaction(*stream, 100, {"first", "second", "third"});
  sink_.Hold();
  sink_.SetRoom(1);
  waiter_.Then([&] {
    sink_.RefuseNext(absl::InvalidArgumentError("too large"));
    sink_.ReleaseAll();
  });
  const absl::Status status = Run();
  EXPECT_TRUE(absl::IsDataLoss(status));
  EXPECT_THAT(std::string(status.message()), AllOf(HasSubstr("id second"), HasSubstr("LSN 0/60")));
  EXPECT_EQ(stream->flushed(), Lsn(10));
}

TEST_F(RelayPoison, ADeadLetterThatTheSinkHasNoRoomForIsHeldAndNothingIsRead) {
  Choose(PoisonAction::kDeadLetter);
  auto stream = source_.AddStream();
  stream->Say(Table());
  SayBadTransaction(*stream);
  sink_.Hold();
  sink_.SetRoom(1);
  waiter_.PassTime(absl::Minutes(3));
  waiter_.Then([&] {
    EXPECT_THAT(Topics(), ElementsAre("outbox.event.order"));
    EXPECT_EQ(stream->frames.size(), 2u) << "the row behind it is not read";
    EXPECT_EQ(Counted(PoisonReason::kTopic, PoisonAction::kDeadLetter), 0);
    sink_.ReleaseAll();
  });
  waiter_.PassTime(absl::Seconds(1));
  EXPECT_TRUE(Run().ok());
  EXPECT_THAT(Topics(), ElementsAre("outbox.event.order", kDeadLetters, "outbox.event.order"));
  EXPECT_EQ(stream->flushed(), Lsn(200));
  EXPECT_EQ(Counted(PoisonReason::kTopic, PoisonAction::kDeadLetter), 1);
  EXPECT_EQ(metrics_.events_in_flight.Get(), 0);
}

TEST_F(RelayPoison, AStopWaitsForADeadLetterThatIsHeld) {
  Choose(PoisonAction::kDeadLetter);
  auto stream = source_.AddStream();
  stream->Say(Table());
  SayBadTransaction(*stream);
  sink_.Hold();
  sink_.SetRoom(1);
  waiter_.Then([&] { stop_.Request(); });
  waiter_.PassTime(absl::Seconds(1));
  waiter_.Then([&] { sink_.ReleaseAll(); });
  EXPECT_TRUE(Run().ok());
  EXPECT_EQ(stream->flushed(), Lsn(200));
}

TEST_F(RelayPoison, ADeadLetterThatTheSinkRefusesHaltsWithBothReasons) {
  Choose(PoisonAction::kDeadLetter);
  auto stream = source_.AddStream();
  stream->Say(Table());
  SayTransaction(*stream, 100, {"good"});
  SayBadTransaction(*stream);
  sink_.RefuseNext(absl::OkStatus());
  sink_.RefuseNext(absl::OkStatus());
  for (int i = 0; i < 2; ++i) {  // with the row, and without it
    sink_.RefuseNext(absl::InvalidArgumentError("too large for dead.letters; hint: raise it"));
  }
  const absl::Status status = Run();
  EXPECT_TRUE(absl::IsDataLoss(status));
  EXPECT_THAT(std::string(status.message()),
              AllOf(HasSubstr("id bad"),
                    HasSubstr("its dead letter was refused: too large for dead.letters (LSN 0/C4)"),
                    HasSubstr("; hint: raise it; nothing from this transaction on is confirmed")));
  EXPECT_EQ(stream->flushed(), Lsn(100));
  EXPECT_EQ(sink_.published().size(), 2u);
  EXPECT_EQ(Counted(PoisonReason::kTopic, PoisonAction::kHalt), 1);
  EXPECT_EQ(Counted(PoisonReason::kTopic, PoisonAction::kDeadLetter), 0);
  EXPECT_EQ(log_.Count("goes to the dead-letter topic"), 0);
}

TEST_F(RelayPoison, ADeadLetterThatIsTooLargeGoesWithoutItsRow) {
  Choose(PoisonAction::kDeadLetter);
  auto stream = source_.AddStream();
  stream->Say(Table());
  SayTransaction(*stream, 100, {"large", "large too", "after"});
  SayBadTransaction(*stream);
  for (int i = 0; i < 2; ++i) {
    sink_.RefuseNext(absl::InvalidArgumentError("the row is too large"));
    sink_.RefuseNext(absl::InvalidArgumentError("the letter is too large"));
    sink_.RefuseNext(absl::OkStatus());
  }
  waiter_.PassTime(absl::Seconds(1));
  EXPECT_TRUE(Run().ok());
  ASSERT_THAT(Topics(), ElementsAre(kDeadLetters, kDeadLetters, "outbox.event.order",
                                    "outbox.event.order", kDeadLetters, "outbox.event.order"));
  const FakeSink::Published& stub = sink_.published()[0];
  EXPECT_EQ(stub.value, R"({"walpost":"row left out: too large"})");
  EXPECT_EQ(stub.key, "k");
  EXPECT_EQ(stub.Header("id"), "large");
  EXPECT_EQ(stub.Header("walpost_row_left_out"), "true");
  EXPECT_THAT(stub.Header("walpost_error"),
              AllOf(HasSubstr("the row is too large"),
                    HasSubstr("its dead letter leaves the row out: the letter is too large")));
  const FakeSink::Published& letter = sink_.published()[4];
  EXPECT_THAT(letter.value.value_or(""), HasSubstr("bad")) << "the next one has its row again";
  EXPECT_EQ(letter.Header("walpost_row_left_out"), "");
  EXPECT_EQ(stream->flushed(), Lsn(200));
  EXPECT_EQ(Counted(PoisonReason::kRefused, PoisonAction::kDeadLetter), 2);
}

TEST_F(RelayPoison, ADeadLetterThatTheBrokerRefusesHaltsWithBothReasons) {
  Choose(PoisonAction::kDeadLetter);
  auto stream = source_.AddStream();
  stream->Say(Table());
  SayTransaction(*stream, 100, {"good"});
  SayBadTransaction(*stream);
  sink_.FailDeliveriesTo(kDeadLetters, absl::DataLossError("the broker refuses it"));
  const absl::Status status = Run();
  EXPECT_TRUE(absl::IsDataLoss(status));
  EXPECT_THAT(
      std::string(status.message()),
      AllOf(HasSubstr("id bad"), HasSubstr("its dead letter was refused: the broker refuses it")));
  EXPECT_EQ(stream->flushed(), Lsn(100));
  EXPECT_EQ(Counted(PoisonReason::kRefused, PoisonAction::kHalt), 1);
}

TEST_F(RelayPoison, ADeadLetterWhoseTopicIsMissingIsPublishedAgainUntilItArrives) {
  Choose(PoisonAction::kDeadLetter);
  auto first = source_.AddStream();
  first->Say(Table());
  SayBadTransaction(*first);
  sink_.FailDeliveriesTo(kDeadLetters, absl::UnavailableError("no such topic"));
  auto second = source_.AddStream();
  second->Say(Table());
  SayBadTransaction(*second);
  waiter_.Then([&] {
    EXPECT_EQ(first->flushed(), Lsn());
    sink_.FailDeliveriesTo("", absl::OkStatus());
  });
  waiter_.PassTime(absl::Seconds(2));
  EXPECT_TRUE(Run().ok());
  EXPECT_EQ(second->flushed(), Lsn(200));
  EXPECT_EQ(log_.Count("goes to the dead-letter topic"), 1);
  EXPECT_EQ(Counted(PoisonReason::kTopic, PoisonAction::kDeadLetter), 1) << "the same, sent again";
}

TEST_F(RelayPoison, AfterALossTheAckOfAnEarlierDeadLetterConfirmsNothing) {
  Choose(PoisonAction::kDeadLetter);
  auto first = source_.AddStream();
  first->Say(Table());
  SayBadTransaction(*first);
  sink_.Hold();
  waiter_.Then([&] { first->end = absl::UnavailableError("connection reset"); });
  auto second = source_.AddStream();
  second->Say(Table());
  SayBadTransaction(*second);
  waiter_.PassTime(absl::Seconds(1));
  waiter_.Then([&] {
    EXPECT_EQ(sink_.published().size(), 6u);
    sink_.Release(4);  // all of the first stream, and the first row of the second
    sink_.ReleaseYoungest(1);
  });
  waiter_.PassTime(absl::Seconds(1));
  waiter_.Then(
      [&] { EXPECT_LE(second->flushed(), Lsn(10)) << "its own dead letter is still out"; });
  EXPECT_TRUE(Run().ok());
}

TEST_F(RelayPoison, ALostProducerTakesItsDeadLettersAlong) {
  Choose(PoisonAction::kDeadLetter);
  auto first = source_.AddStream();
  first->Say(Table());
  SayBadTransaction(*first);
  sink_.Hold();
  waiter_.Then([&] { sink_.LoseProducer(); });
  auto second = source_.AddStream();
  second->Say(Table());
  SayBadTransaction(*second);
  waiter_.Then([&] { sink_.ReleaseAll(); });
  waiter_.PassTime(absl::Seconds(2));
  EXPECT_TRUE(Run().ok());
  EXPECT_EQ(second->flushed(), Lsn(200));
  EXPECT_EQ(metrics_.events_in_flight.Get(), 0);
}

TEST_F(RelayPoison, ARefusalIsHeardEvenWhenPublishHearsOfTheLossFirst) {
  for (const bool stopping : {false, true}) {
    auto stream = source_.AddStream();
    stream->Say(Table());
    SayTransaction(*stream, 100, {"good"});
    stream->Say(Data(195, BeginMessage(198)));
    stream->Say(Row(196, "refused"));
    auto say_more = [&] {
      stream->Say(Row(197, "next"));
      sink_.RefuseNext(absl::UnavailableError("the producer is lost"));
      sink_.FailNextDelivery(absl::DataLossError("record too large"));
      if (stopping) stop_.Request();
    };
    // Meanwhile the report of the good one comes, and the other one is kept back.
    sink_.Hold();
    waiter_.Then([&] { sink_.Release(1); });
    waiter_.Then([&] {
      say_more();
      sink_.Release(1);
    });
    const absl::Status status = Run();
    EXPECT_TRUE(absl::IsDataLoss(status)) << status;
    EXPECT_THAT(std::string(status.message()), HasSubstr("record too large"));
    EXPECT_EQ(sink_.restarts(), 0) << "it would discard the report";
    EXPECT_EQ(stream->flushed(), Lsn(100));
  }
}

TEST_F(RelayPoison, AnErrorThatIsNotAboutTheEventIsPassedOnAndNothingIsSkipped) {
  Choose(PoisonAction::kSkip);
  const RelayParts parts = Parts();
  DeliveryLedger ledger(options_, clock_, metrics_);
  PoisonLog log(options_, metrics_, log_, clock_);
  EventPublisher publisher(parts, options_, ledger, log);
  ASSERT_TRUE(ledger.tracker().Begin(0, Lsn()).ok());
  EXPECT_TRUE(absl::IsInternal(publisher.Publish(absl::InternalError("a bug"), Lsn(50))));
  EXPECT_FALSE(publisher.halted());
  EXPECT_EQ(log_.Count("skipped"), 0);
}

TEST_F(RelayPoison, WhatTheBrokerRefusesHaltsUnderEachPolicy) {
  for (PoisonAction action : kPoisonActions) {
    SCOPED_TRACE(PoisonActionName(action));
    Choose(action);
    const std::int64_t before = Counted(PoisonReason::kRefused, PoisonAction::kHalt);
    auto stream = source_.AddStream();
    stream->Say(Table());
    SayTransaction(*stream, 100, {"a"});
    SayTransaction(*stream, 200, {"b"});
    sink_.FailNextDelivery(absl::DataLossError("record too large; hint: raise the limit"));
    const absl::Status status = Run();
    EXPECT_TRUE(absl::IsDataLoss(status));
    EXPECT_THAT(std::string(status.message()),
                HasSubstr("record too large (LSN 0/62); hint: raise the limit; nothing"));
    EXPECT_EQ(stream->flushed(), Lsn(10));
    EXPECT_EQ(Counted(PoisonReason::kRefused, PoisonAction::kHalt), before + 1);
  }
}

}  // namespace
}  // namespace walpost::test
