#include "app/transaction_ends.h"

#include <gtest/gtest.h>

#include <cstdint>

#include "support/message_builder.h"

namespace walpost::app {
namespace {

struct Sent {
  std::uint64_t first;
  std::uint64_t commit;
  std::uint64_t end;
  std::uint32_t xid = 7;
};

void Send(TransactionEnds& ends, const Sent& sent) {
  ASSERT_TRUE(ends.Add(Lsn(sent.first), test::BeginMessage(sent.commit, 0, sent.xid)).ok());
  ASSERT_TRUE(ends.Add(Lsn(sent.end), test::CommitMessage(sent.commit, sent.end)).ok());
}

// 1 is under way from 100 to 200, and 2 within that, from 120 to 150.
TransactionEnds AmongTwo(std::uint64_t target) {
  TransactionEnds ends{Lsn(target)};
  Send(ends, {.first = 120, .commit = 140, .end = 150, .xid = 2});
  Send(ends, {.first = 100, .commit = 180, .end = 200, .xid = 1});
  return ends;
}

TEST(TransactionEnds, FindsTheTransactionThatTheTargetIsInside) {
  for (std::uint64_t target : {101u, 119u, 120u, 151u, 180u, 181u, 199u}) {
    const TransactionEnds ends = AmongTwo(target);
    EXPECT_FALSE(ends.TargetIsEnd()) << target;
    ASSERT_TRUE(ends.Enclosing().has_value()) << target;
    EXPECT_EQ(ends.Enclosing()->xid, 1u) << target;
    EXPECT_EQ(ends.Enclosing()->first, Lsn(100));
    EXPECT_EQ(ends.Enclosing()->end, Lsn(200));
  }
  // The one that ends first is named.
  EXPECT_EQ(AmongTwo(121).Enclosing()->xid, 2u);
  EXPECT_EQ(AmongTwo(149).Enclosing()->xid, 2u);
}

TEST(TransactionEnds, TakesAnEndEvenWhileAnotherIsUnderWay) {
  for (std::uint64_t target : {150u, 200u}) {
    EXPECT_TRUE(AmongTwo(target).TargetIsEnd()) << target;
    EXPECT_FALSE(AmongTwo(target).Enclosing().has_value()) << target;
  }
}

TEST(TransactionEnds, IsInsideNoneBeforeTheFirstRecordAndAfterTheEnd) {
  for (std::uint64_t target : {99u, 100u, 201u}) {
    EXPECT_FALSE(AmongTwo(target).Enclosing().has_value()) << target;
    EXPECT_FALSE(AmongTwo(target).TargetIsEnd()) << target;
  }
}

TEST(TransactionEnds, CountsWhatTheServerPassesOver) {
  EXPECT_EQ(AmongTwo(140).passed(), 0u);
  // Within the commit record: it would be lost.
  EXPECT_EQ(AmongTwo(141).passed(), 1u);
  EXPECT_EQ(AmongTwo(150).passed(), 1u);
  EXPECT_EQ(AmongTwo(180).passed(), 1u);
  EXPECT_EQ(AmongTwo(200).passed(), 2u);
}

TEST(TransactionEnds, KnowsTheEndsAroundTheTarget) {
  EXPECT_EQ(AmongTwo(130).end_before(), std::nullopt);
  EXPECT_EQ(AmongTwo(130).end_after(), Lsn(150));
  EXPECT_EQ(AmongTwo(160).end_before(), Lsn(150));
  EXPECT_EQ(AmongTwo(160).end_after(), Lsn(200));
  EXPECT_EQ(AmongTwo(300).end_before(), Lsn(200));
  EXPECT_EQ(AmongTwo(300).end_after(), std::nullopt);
}

TEST(TransactionEnds, RefusesACommitWithoutItsBeginAndWhatDoesNotDecode) {
  TransactionEnds ends{Lsn(100)};
  EXPECT_TRUE(absl::IsDataLoss(ends.Add(Lsn(50), test::CommitMessage(40, 50))));
  ASSERT_TRUE(ends.Add(Lsn(60), test::BeginMessage(70)).ok());
  EXPECT_TRUE(absl::IsDataLoss(ends.Add(Lsn(80), test::CommitMessage(71, 80))));
  EXPECT_TRUE(absl::IsDataLoss(ends.Add(Lsn(80), "C")));
  EXPECT_TRUE(absl::IsDataLoss(ends.Add(Lsn(80), "")));
}

}  // namespace
}  // namespace walpost::app
