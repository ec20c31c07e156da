#include "relay/poison_log.h"

#include <gtest/gtest.h>

#include "core/poison.h"
#include "support/relay_fakes.h"

namespace walpost {
namespace {

constexpr const char* kSkipped = "a poison event was skipped";
constexpr const char* kFurther = "further poison events";

class PoisonLogTest : public testing::Test {
 protected:
  void Skip(PoisonReason reason = PoisonReason::kTopic) {
    poison_.Handled(PoisonAction::kSkip, PoisonError(reason, "row 7 of outbox; hint: mend it"),
                    Lsn(255));
  }

  RelayOptions options_{.on_poison = PoisonAction::kSkip, .dead_letter_topic = "dead"};
  RelayMetrics metrics_;
  test::ManualClock clock_;
  test::KeptLog log_;
  PoisonLog poison_{options_, metrics_, log_, clock_};
};

TEST_F(PoisonLogTest, SaysTheFirstInFullAndThenCountsAtIntervals) {
  for (int i = 0; i < 1000; ++i) {
    Skip();
    poison_.Tick();
    clock_.Advance(absl::Seconds(1));
  }
  EXPECT_EQ(log_.Count(kSkipped), 1);
  EXPECT_EQ(log_.Find(kSkipped).fields["reason"], "row 7 of outbox; hint: mend it");
  EXPECT_EQ(log_.Find(kSkipped).fields["lsn"], "0/FF");
  EXPECT_EQ(log_.Count(kFurther), 16);
  EXPECT_EQ(log_.Find(kFurther).fields["events"], "60");
  EXPECT_EQ(log_.Find(kFurther).fields["reason"], "topic");
  EXPECT_EQ(log_.Find(kFurther).fields["action"], "skip");
  EXPECT_EQ(metrics_.PoisonEvents(PoisonReason::kTopic, PoisonAction::kSkip).Get(), 1000);
}

TEST_F(PoisonLogTest, AnotherReasonIsSaidAtOnce) {
  Skip(PoisonReason::kTopic);
  Skip(PoisonReason::kKey);
  Skip(PoisonReason::kKey);
  EXPECT_EQ(log_.Count(kSkipped), 2);
}

TEST_F(PoisonLogTest, OneAfterAQuietWhileIsSaidInFullAgain) {
  Skip();
  clock_.Advance(absl::Minutes(2));
  poison_.Tick();
  Skip();
  EXPECT_EQ(log_.Count(kSkipped), 2);
  EXPECT_EQ(log_.Count(kFurther), 0);
}

TEST_F(PoisonLogTest, ABurstIsCountedEvenWhenNoneFollows) {
  for (int i = 0; i < 5; ++i) Skip();
  poison_.Tick();
  EXPECT_EQ(log_.Count(kFurther), 0);
  clock_.Advance(absl::Seconds(61));
  poison_.Tick();
  EXPECT_EQ(log_.Find(kFurther).fields["events"], "4");
}

TEST_F(PoisonLogTest, WhatIsNotSaidYetIsSaidAtTheEnd) {
  for (int i = 0; i < 3; ++i) Skip();
  poison_.Flush();
  poison_.Flush();
  EXPECT_EQ(log_.Count(kFurther), 1);
  EXPECT_EQ(log_.Find(kFurther).fields["events"], "2");
}

TEST_F(PoisonLogTest, CountsWhatATransactionBringsAgainOnce) {
  for (int round = 0; round < 3; ++round) {
    poison_.BeginTransaction(Lsn(300));
    for (int i = 0; i < 2 + round; ++i) Skip();
  }
  EXPECT_EQ(metrics_.PoisonEvents(PoisonReason::kTopic, PoisonAction::kSkip).Get(), 4);
  poison_.BeginTransaction(Lsn(400));
  Skip();
  EXPECT_EQ(metrics_.PoisonEvents(PoisonReason::kTopic, PoisonAction::kSkip).Get(), 5);
}

TEST_F(PoisonLogTest, CountsAnewOnAnotherTimeline) {
  poison_.BeginTransaction(Lsn(300));
  Skip();
  poison_.OnNewTimeline();
  poison_.BeginTransaction(Lsn(200));
  Skip();
  EXPECT_EQ(metrics_.PoisonEvents(PoisonReason::kTopic, PoisonAction::kSkip).Get(), 2);
}

TEST_F(PoisonLogTest, NamesTheTopicOfADeadLetter) {
  poison_.Handled(PoisonAction::kDeadLetter, PoisonError(PoisonReason::kValue, "row 7"), Lsn(1));
  EXPECT_EQ(log_.Find("dead-letter topic").fields["topic"], "dead");
  EXPECT_EQ(metrics_.PoisonEvents(PoisonReason::kValue, PoisonAction::kDeadLetter).Get(), 1);
}

TEST_F(PoisonLogTest, AHaltSaysThePositionAndThenEachHint) {
  const absl::Status status = poison_.Halted(
      PoisonError(PoisonReason::kKey, "row 7; hint: mend the key"), Lsn(255), "stop it");
  EXPECT_TRUE(absl::IsDataLoss(status));
  EXPECT_EQ(status.message(), "poison event: row 7 (LSN 0/FF); hint: mend the key; stop it");
  EXPECT_EQ(metrics_.PoisonEvents(PoisonReason::kKey, PoisonAction::kHalt).Get(), 1);
  EXPECT_EQ(poison_.Halted(absl::InvalidArgumentError("row 8"), Lsn(), "stop it").message(),
            "poison event: row 8; hint: stop it");
}

TEST(WithPosition, PutsItBeforeTheHint) {
  EXPECT_EQ(WithPosition("a; hint: one", Lsn(16)), "a (LSN 0/10); hint: one");
  EXPECT_EQ(WithPosition("a", Lsn(16)), "a (LSN 0/10)");
}

TEST(JoinReasons, PutsBothHintsAtTheEnd) {
  EXPECT_EQ(JoinReasons("a; hint: one", "then", "b; hint: two"), "a; then b; hint: one; two");
  EXPECT_EQ(JoinReasons("a", "then", "b; hint: two"), "a; then b; hint: two");
  EXPECT_EQ(JoinReasons("a; hint: one", "then", "b"), "a; then b; hint: one");
  EXPECT_EQ(JoinReasons("a", "then", "b"), "a; then b");
  EXPECT_EQ(JoinReasons("a; hint: one", "then", "b; hint: one"), "a; then b; hint: one");
}

}  // namespace
}  // namespace walpost
