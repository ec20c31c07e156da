// Tables of which the stream alone does not say what they are: partitions.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "relay/ignored_rows.h"
#include "relay_fixture.h"

namespace walpost::test {
namespace {

using testing::HasSubstr;

class RelayCatalog : public RelayTest {
 protected:
  static constexpr std::uint32_t kPartition = 5;

  static std::string Partition() {
    return Data(
        0, RelationMessage(kPartition, "public", "outbox_2026",
                           {{"id"}, {"aggregatetype"}, {"aggregateid"}, {"type"}, {"payload"}}));
  }
  // As the server does: the table is described inside of the first transaction that has a row.
  static void SayPartitionTransaction(StreamScript& script, std::uint64_t end) {
    script.Say(Data(end - 5, BeginMessage(end - 2)));
    script.Say(Partition());
    script.Say(Data(end - 4, InsertMessage(kPartition, {"p", "order", "k", "T", "{}"})));
    script.Say(Data(end, CommitMessage(end - 2, end)));
  }
  void AttachPartition() {
    CatalogTable table;
    table.ancestors = {{"public", "outbox"}};
    for (const char* name : {"id", "aggregatetype", "aggregateid", "type", "payload"}) {
      table.columns.push_back({.name = name, .type = 25, .not_null = false});
    }
    source_.Describe(kPartition, table);
  }
};

TEST_F(RelayCatalog, RowsOfAPartitionThatTheCatalogsKnowArePublished) {
  AttachPartition();
  auto stream = source_.AddStream();
  SayPartitionTransaction(*stream, 100);
  waiter_.PassTime(absl::Seconds(1));
  EXPECT_TRUE(Run().ok());
  ASSERT_EQ(sink_.published().size(), 1u);
  EXPECT_EQ(sink_.published()[0].Header("id"), "p");
  EXPECT_EQ(stream->flushed(), Lsn(100));
  EXPECT_EQ(source_.look_ups(), 1);
}

TEST_F(RelayCatalog, TheOutboxItselfIsNotLookedUp) {
  auto stream = source_.AddStream();
  stream->Say(Table());
  SayTransaction(*stream, 100, {"a"});
  EXPECT_TRUE(Run().ok());
  EXPECT_EQ(source_.look_ups(), 0);
}

TEST_F(RelayCatalog, ALookUpThatFailsIsTriedAgainOnTheNextStreamWithNothingConfirmed) {
  AttachPartition();
  source_.FailNextLookUp(absl::UnavailableError("too many connections"));
  auto first = source_.AddStream();
  SayPartitionTransaction(*first, 100);
  first->Say(KeepaliveFrame(900));
  auto second = source_.AddStream();
  SayPartitionTransaction(*second, 100);
  waiter_.PassTime(absl::Seconds(1));
  EXPECT_TRUE(Run().ok());
  EXPECT_LE(first->flushed(), Lsn(10));
  EXPECT_TRUE(first->closed);
  EXPECT_EQ(metrics_.reconnects_postgres.Get(), 1);
  EXPECT_EQ(log_.Find("lost; trying again").fields["reason"], "too many connections");
  EXPECT_EQ(sink_.published().size(), 1u);
  EXPECT_EQ(second->flushed(), Lsn(100));
}

TEST_F(RelayCatalog, AStopDuringALookUpConfirmsWhatCameBeforeAndNothingElse) {
  AttachPartition();
  auto stream = source_.AddStream();
  stream->Say(Table());
  SayTransaction(*stream, 100, {"before"});
  SayPartitionTransaction(*stream, 200);
  SayTransaction(*stream, 300, {"behind"});
  sink_.Hold();
  source_.DuringNextLookUp([&] { stop_.Request(); });
  waiter_.Then([&] { sink_.ReleaseAll(); });
  EXPECT_TRUE(Run().ok());
  EXPECT_EQ(sink_.published().size(), 1u);
  EXPECT_EQ(stream->statuses.back().flush, Lsn(100));
  EXPECT_TRUE(stream->finished);
}

TEST_F(RelayCatalog, ATransactionThatNeedsALookUpAfterTheStopIsLeftUnconfirmed) {
  AttachPartition();
  auto stream = source_.AddStream();
  stream->Say(Table());
  SayTransaction(*stream, 100, {"before"});
  stream->Say(Data(195, BeginMessage(198)));
  waiter_.Then([&] {
    stop_.Request();
    stream->Say(Partition());
    stream->Say(Data(196, InsertMessage(kPartition, {"p", "order", "k", "T", "{}"})));
    stream->Say(Data(200, CommitMessage(198, 200)));
  });
  EXPECT_TRUE(Run().ok());
  EXPECT_EQ(sink_.published().size(), 1u);
  EXPECT_EQ(stream->statuses.back().flush, Lsn(100));
}

TEST_F(RelayCatalog, ATableOfWhichNobodyKnowsAnyMoreStopsTheRelayWithNothingOfItConfirmed) {
  auto stream = source_.AddStream();
  SayPartitionTransaction(*stream, 100);
  stream->Say(KeepaliveFrame(900));
  const absl::Status status = Run();
  EXPECT_TRUE(absl::IsDataLoss(status));
  EXPECT_THAT(std::string(status.message()), HasSubstr("outbox_2026"));
  EXPECT_THAT(std::string(status.message()), HasSubstr("(LSN 0/60)"));
  EXPECT_LE(stream->flushed(), Lsn(10));
  EXPECT_TRUE(sink_.published().empty());
}

// The outbox, whose rows come under another name from some position on.
class RelayRenamedOutbox : public RelayCatalog {
 protected:
  void IsCalledNow(const char* name) {
    CatalogTable table;
    table.name = {"public", name};
    source_.Describe(kOutbox, table);
  }
  static std::string Under(const char* name) {
    return Data(
        0, RelationMessage(kOutbox, "public", name,
                           {{"id"}, {"aggregatetype"}, {"aggregateid"}, {"type"}, {"payload"}}));
  }
};

TEST_F(RelayRenamedOutbox, StopsTheRelayAtTheFirstRowUnderAnotherName) {
  IsCalledNow("outbox_old");
  auto stream = source_.AddStream();
  stream->Say(Table());
  SayTransaction(*stream, 100, {"a"});
  stream->Say(Under("outbox_old"));
  SayTransaction(*stream, 200, {"b"});
  SayTransaction(*stream, 300, {"c"});
  const absl::Status status = Run();
  EXPECT_TRUE(absl::IsDataLoss(status)) << status;
  EXPECT_THAT(std::string(status.message()), HasSubstr("public.outbox_old"));
  EXPECT_THAT(std::string(status.message()), HasSubstr("(LSN 0/C4)"));
  EXPECT_EQ(stream->flushed(), Lsn(100));
  EXPECT_EQ(metrics_.rows_ignored.Get(), 0);
}

TEST_F(RelayRenamedOutbox, ThatHasItsNameBackLosesNoRow) {
  IsCalledNow("outbox");
  auto stream = source_.AddStream();
  stream->Say(Under("outbox_old"));
  SayTransaction(*stream, 100, {"a"});
  stream->Say(Table());
  SayTransaction(*stream, 200, {"b"});
  waiter_.PassTime(absl::Seconds(1));
  EXPECT_TRUE(Run().ok());
  ASSERT_EQ(sink_.published().size(), 2u);
  EXPECT_EQ(sink_.published()[0].Header("id"), "a");
  EXPECT_EQ(stream->flushed(), Lsn(200));
}

TEST_F(RelayRenamedOutbox, RowsOfAnIgnoredTableAreCounted) {
  IsCalledNow("archive");
  ignored_ = {{"public", "archive"}};
  auto stream = source_.AddStream();
  stream->Say(Under("archive"));
  SayTransaction(*stream, 100, {"a", "b"});
  SayTransaction(*stream, 200, {"c"});
  waiter_.Then(
      [&] { EXPECT_LE(stream->flushed(), Lsn(10)) << "the catalogs have not been asked again"; });
  waiter_.PassTime(IgnoredRows::kCheckEvery);
  waiter_.PassTime(absl::Seconds(1));
  EXPECT_TRUE(Run().ok());
  EXPECT_TRUE(sink_.published().empty());
  EXPECT_EQ(stream->flushed(), Lsn(200));
  EXPECT_EQ(metrics_.rows_ignored.Get(), 3);
  EXPECT_EQ(source_.look_ups(), 2);
}

// The server's cache does not hear of every new name.
TEST_F(RelayRenamedOutbox, RowsOfAnIgnoredTableThatHasBecomeAnOutboxAreNotConfirmed) {
  IsCalledNow("outbox_new");
  ignored_ = {{"public", "outbox_new"}};
  auto stream = source_.AddStream();
  stream->Say(Under("outbox_new"));
  SayTransaction(*stream, 100, {"a"});
  waiter_.Then([&] { IsCalledNow("outbox"); });
  waiter_.PassTime(IgnoredRows::kCheckEvery);
  waiter_.PassTime(absl::Seconds(1));
  const absl::Status status = Run();
  EXPECT_TRUE(absl::IsDataLoss(status)) << status;
  EXPECT_THAT(std::string(status.message()), HasSubstr("take it out of relay.ignored_tables"));
  EXPECT_THAT(std::string(status.message()), HasSubstr("(LSN 0/"));
  EXPECT_LE(stream->flushed(), Lsn(10));
}

TEST_F(RelayRenamedOutbox, AStopDoesNotWaitForIgnoredRows) {
  IsCalledNow("archive");
  ignored_ = {{"public", "archive"}};
  auto stream = source_.AddStream();
  stream->Say(Under("archive"));
  SayTransaction(*stream, 100, {"a"});
  waiter_.Then([&] { stop_.Request(); });
  EXPECT_TRUE(Run().ok());
  EXPECT_TRUE(stream->finished);
  EXPECT_LE(stream->flushed(), Lsn(10));
}

}  // namespace
}  // namespace walpost::test
