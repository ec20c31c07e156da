// Logical decoding messages (pg_logical_emit_message), as events of the preset `message`.
#include <absl/strings/str_cat.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "relay_fixture.h"

namespace walpost::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class RelayMessage : public RelayTest {
 protected:
  RelayMessage() {
    OutboxSettings messages;
    messages.preset = "message";
    messages.message_scope = "all";
    outboxes_.push_back(messages);
  }

  static std::string Content(const std::string& id) {
    return absl::StrCat(R"({"id":")", id, R"(","topic":"orders","key":"k","payload":{}})");
  }
  static std::string Transactional(std::uint64_t lsn, const std::string& content) {
    return Data(lsn, LogicalMessageBytes(1, lsn, "walpost", content));
  }
  static std::string Alone(std::uint64_t lsn, const std::string& content,
                           const std::string& prefix = "walpost") {
    return Data(lsn, LogicalMessageBytes(0, lsn, prefix, content));
  }
};

TEST_F(RelayMessage, OneOfATransactionIsConfirmedWithIt) {
  auto stream = source_.AddStream();
  stream->Say(Table());
  stream->Say(Data(95, BeginMessage(98)));
  stream->Say(Transactional(96, Content("a")));
  stream->Say(Row(97, "b"));
  stream->Say(Data(100, CommitMessage(98, 100)));
  sink_.Hold();
  waiter_.Then([&] { sink_.ReleaseYoungest(1); });
  waiter_.PassTime(absl::Seconds(1));
  waiter_.Then([&] {
    EXPECT_LE(stream->flushed(), Lsn(10));
    sink_.Release(1);
  });
  waiter_.PassTime(absl::Seconds(1));
  EXPECT_TRUE(Run().ok());
  ASSERT_EQ(sink_.published().size(), 2u);
  EXPECT_EQ(sink_.published()[0].topic, "orders");
  EXPECT_EQ(sink_.published()[0].Header("id"), "a");
  EXPECT_EQ(stream->flushed(), Lsn(100));
}

TEST_F(RelayMessage, OneOutsideOfTransactionsIsConfirmedAtItsOwnEndOnceItIsAcked) {
  auto stream = source_.AddStream();
  stream->Say(Alone(50, Content("a")));
  stream->Say(KeepaliveFrame(50));
  sink_.Hold();
  waiter_.PassTime(absl::Seconds(15));
  waiter_.Then([&] {
    EXPECT_EQ(stream->flushed(), Lsn(10));
    sink_.Release(1);
  });
  waiter_.PassTime(absl::Seconds(1));
  EXPECT_TRUE(Run().ok());
  ASSERT_EQ(sink_.published().size(), 1u);
  EXPECT_EQ(sink_.published()[0].Header("id"), "a");
  EXPECT_EQ(stream->flushed(), Lsn(50));
}

TEST_F(RelayMessage, OneOutsideOfTransactionsIsStampedWithTheTimeOfItsArrival) {
  auto stream = source_.AddStream();
  stream->Say(Alone(50, Content("a")));
  const std::int64_t now_ms = absl::ToUnixMillis(clock_.Now());
  EXPECT_TRUE(Run().ok());
  ASSERT_EQ(sink_.published().size(), 1u);
  EXPECT_EQ(sink_.published()[0].timestamp_ms, now_ms);
}

TEST_F(RelayMessage, OneOutsideOfTransactionsHoldsBackWhatIsAckedBehindIt) {
  auto stream = source_.AddStream();
  stream->Say(Table());
  stream->Say(Alone(50, Content("a")));
  SayTransaction(*stream, 100, {"b"});
  stream->Say(Alone(150, Content("c")));
  sink_.Hold();
  waiter_.Then([&] { sink_.ReleaseYoungest(2); });
  waiter_.PassTime(absl::Seconds(1));
  waiter_.Then([&] {
    EXPECT_LE(stream->flushed(), Lsn(10));
    sink_.Release(1);
  });
  waiter_.PassTime(absl::Seconds(1));
  EXPECT_TRUE(Run().ok());
  EXPECT_EQ(stream->flushed(), Lsn(150));
}

TEST_F(RelayMessage, OneOutsideOfTransactionsThatFindsNoRoomIsHeldAndConfirmedLater) {
  auto stream = source_.AddStream();
  stream->Say(Alone(50, Content("a")));
  stream->Say(Alone(60, Content("b")));
  stream->Say(Alone(70, Content("c")));
  sink_.Hold();
  sink_.SetRoom(1);
  waiter_.PassTime(absl::Minutes(2));
  waiter_.Then([&] {
    EXPECT_EQ(sink_.published().size(), 1u);
    EXPECT_EQ(stream->frames.size(), 1u) << "nothing is read meanwhile";
    sink_.Release(1);
  });
  waiter_.PassTime(absl::Seconds(1));
  waiter_.Then([&] {
    EXPECT_EQ(stream->flushed(), Lsn(50));
    sink_.ReleaseAll();
  });
  waiter_.PassTime(absl::Seconds(1));
  EXPECT_TRUE(Run().ok());
  ASSERT_EQ(sink_.published().size(), 3u);
  EXPECT_EQ(sink_.published()[2].Header("id"), "c");
  EXPECT_EQ(stream->flushed(), Lsn(70));
}

TEST_F(RelayMessage, AStopPublishesTheOneThatIsHeldAndReadsNoOther) {
  auto stream = source_.AddStream();
  stream->Say(Alone(50, Content("a")));
  stream->Say(Alone(60, Content("b")));
  stream->Say(Alone(70, Content("c")));
  sink_.Hold();
  sink_.SetRoom(1);
  waiter_.Then([&] { stop_.Request(); });
  waiter_.Then([&] { sink_.ReleaseAll(); });
  EXPECT_TRUE(Run().ok());
  EXPECT_EQ(sink_.published().size(), 2u);
  EXPECT_EQ(stream->statuses.back().flush, Lsn(60));
}

TEST_F(RelayMessage, AStopLeavesTheOneThatFindsNoRoomUnconfirmed) {
  auto stream = source_.AddStream();
  stream->Say(Alone(50, Content("a")));
  stream->Say(Alone(60, Content("b")));
  sink_.Hold();
  sink_.SetRoom(0);
  EXPECT_TRUE(Run().ok());
  EXPECT_TRUE(sink_.published().empty());
  EXPECT_LE(stream->flushed(), Lsn(10));
  EXPECT_TRUE(stream->finished);
}

TEST_F(RelayMessage, OneOfAnotherPrefixIsLeftAloneAndMovesNothingByItself) {
  auto stream = source_.AddStream();
  stream->Say(Alone(50, "not ours", "other"));
  waiter_.PassTime(absl::Seconds(15));
  waiter_.Then([&] {
    EXPECT_EQ(stream->flushed(), Lsn(10));
    stream->Say(KeepaliveFrame(60));
  });
  waiter_.PassTime(absl::Seconds(1));
  EXPECT_TRUE(Run().ok());
  EXPECT_TRUE(sink_.published().empty());
  EXPECT_EQ(stream->flushed(), Lsn(60));
}

TEST_F(RelayMessage, OneOutOfPlaceStopsTheRelayWithNothingConfirmed) {
  for (const bool inside : {false, true}) {
    auto stream = source_.AddStream();
    if (inside) stream->Say(Data(45, BeginMessage(98)));
    stream->Say(inside ? Alone(50, Content("a")) : Transactional(50, Content("a")));
    stream->Say(KeepaliveFrame(900));
    const absl::Status status = Run();
    EXPECT_TRUE(absl::IsDataLoss(status));
    EXPECT_THAT(std::string(status.message()),
                AllOf(HasSubstr(inside ? "a non-transactional message inside a transaction"
                                       : "a transactional message outside a transaction"),
                      HasSubstr("(LSN 0/32)")));
    EXPECT_LE(stream->flushed(), Lsn(10));
    EXPECT_TRUE(sink_.published().empty());
  }
}

TEST_F(RelayMessage, APoisonOneHaltsBeforeItsPosition) {
  auto stream = source_.AddStream();
  stream->Say(Alone(50, Content("a")));
  stream->Say(Alone(60, "no JSON"));
  stream->Say(KeepaliveFrame(900));
  const absl::Status status = Run();
  EXPECT_TRUE(absl::IsDataLoss(status));
  EXPECT_THAT(std::string(status.message()), HasSubstr("(LSN 0/3C)"));
  EXPECT_EQ(stream->flushed(), Lsn(50));
  EXPECT_EQ(metrics_.PoisonEvents(PoisonReason::kMessage, PoisonAction::kHalt).Get(), 1);
}

TEST_F(RelayMessage, APoisonOneIsConfirmedOnceItsDeadLetterIsAcked) {
  options_.on_poison = PoisonAction::kDeadLetter;
  options_.dead_letter_topic = "dead";
  auto stream = source_.AddStream();
  stream->Say(Alone(60, "no JSON"));
  stream->Say(KeepaliveFrame(900));
  sink_.Hold();
  waiter_.PassTime(absl::Seconds(15));
  waiter_.Then([&] {
    EXPECT_EQ(stream->flushed(), Lsn(10));
    sink_.Release(1);
  });
  waiter_.PassTime(absl::Seconds(1));
  EXPECT_TRUE(Run().ok());
  ASSERT_EQ(sink_.published().size(), 1u);
  EXPECT_EQ(sink_.published()[0].topic, "dead");
  EXPECT_EQ(sink_.published()[0].value, "no JSON");
  EXPECT_EQ(stream->flushed(), Lsn(900));
}

TEST_F(RelayMessage, APoisonOneThatIsSkippedIsConfirmedInItsPlace) {
  options_.on_poison = PoisonAction::kSkip;
  auto stream = source_.AddStream();
  stream->Say(Alone(50, Content("a")));
  stream->Say(Alone(60, "no JSON"));
  sink_.Hold();
  waiter_.PassTime(absl::Seconds(15));
  waiter_.Then([&] {
    EXPECT_EQ(stream->flushed(), Lsn(10)) << "what came before is out";
    sink_.Release(1);
  });
  waiter_.PassTime(absl::Seconds(1));
  EXPECT_TRUE(Run().ok());
  EXPECT_EQ(stream->flushed(), Lsn(60));
}

// What the mapper was given must still be there when the sink refuses it a good while later.
TEST_F(RelayMessage, OneThatIsRefusedOnlyOnceThereIsRoomBecomesADeadLetter) {
  options_.on_poison = PoisonAction::kDeadLetter;
  options_.dead_letter_topic = "dead";
  auto stream = source_.AddStream();
  stream->Say(Alone(50, Content("a")));
  stream->Say(Alone(60, Content("b")));
  sink_.Hold();
  sink_.SetRoom(1);
  waiter_.Then([&] {
    sink_.RefuseNext(absl::InvalidArgumentError("too large"));
    sink_.ReleaseAll();
  });
  waiter_.PassTime(absl::Seconds(1));
  EXPECT_TRUE(Run().ok());
  ASSERT_EQ(sink_.published().size(), 2u);
  EXPECT_EQ(sink_.published()[1].topic, "dead");
  EXPECT_EQ(sink_.published()[1].value, Content("b"));
  EXPECT_EQ(stream->flushed(), Lsn(60));
}

}  // namespace
}  // namespace walpost::test
