// Partitioned outbox tables: published under the name of the root or under those of the partitions,
// which the catalogs alone can tell from other tables.
#include <absl/strings/str_cat.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "integration/relay_test.h"

namespace walpost::integration {
namespace {

using support::TopicReader;
using ::testing::HasSubstr;

// An outbox by month. As `CREATE PUBLICATION` has it by default: under the names of partitions.
class Partitions : public RelayTest {
 protected:
  void SetUp() override {
    RelayTest::SetUp();
    if (IsSkipped() || HasFatalFailure()) return;
    CreateTopic("order");
    sql().Exec("DROP TABLE outbox");
    sql().Exec(absl::StrCat("CREATE TABLE outbox(", kColumns, ") PARTITION BY RANGE (day)"));
    sql().Exec(absl::StrCat("ALTER PUBLICATION ", name(), " ADD TABLE outbox"));
  }

  static constexpr const char* kColumns =
      "id uuid NOT NULL DEFAULT gen_random_uuid(), seq bigserial, aggregatetype text, "
      "aggregateid text, type text, payload jsonb, day date NOT NULL";

  void PublishViaRoot() {
    sql().Exec(
        absl::StrCat("ALTER PUBLICATION ", name(), " SET (publish_via_partition_root = true)"));
  }
  void PublishAllTables() {
    sql().Exec(absl::StrCat("DROP PUBLICATION ", name(), "; CREATE PUBLICATION ", name(),
                            " FOR ALL TABLES WITH (publish = 'insert')"));
    sql().Exec(absl::StrCat("SELECT pg_drop_replication_slot('", name(), "')"));
    CreateSlot();
  }

  // "'2026-03-01') TO ('2026-04-01'" for 3.
  static std::string Month(int month) {
    return absl::StrCat("FROM (date '2026-01-01' + ", 31 * (month - 1),
                        ") TO (date '2026-01-01' + ", 31 * month, ")");
  }
  static std::string PartitionSql(const std::string& partition, int month) {
    return absl::StrCat("CREATE TABLE ", partition, " PARTITION OF outbox FOR VALUES ",
                        Month(month));
  }
  void AddPartition(const std::string& partition, int month) {
    sql().Exec(PartitionSql(partition, month));
  }
  static std::string InsertSql(int month, int count) {
    return absl::StrCat(
        "INSERT INTO outbox(aggregatetype, aggregateid, type, payload, day) SELECT 'order', "
        "'k' || (g % 10), 'T', jsonb_build_object('n', g), date '2026-01-01' + ",
        31 * (month - 1), " FROM generate_series(1, ", count, ") g");
  }
  void InsertInto(int month, int count) {
    sql().Exec("BEGIN; " + InsertSql(month, count));
    before_commit_ = sql().LsnOf("SELECT pg_current_wal_insert_lsn()");
    sql().Exec("COMMIT");
  }

  void ExpectAllDelivered() {
    TopicReader reader = Reader({"order"});
    ExpectDelivered(reader);
    EXPECT_EQ(reader.duplicates(), 0u);
    ExpectKeysInOrder(reader);
  }
  void RunUntilAllDelivered() {
    auto relay = StartRelay();
    ExpectAllDelivered();
    EXPECT_EQ(relay->Terminate().code, 0) << relay->process().Err();
  }

  // A relay that stops by itself, at once, with one line that has all of `words`.
  void ExpectRefused(int code, const std::vector<std::string>& words,
                     const std::vector<std::string>& more = {}) {
    const Lsn before = Confirmed();
    auto relay = Launch(more);
    EXPECT_EQ(relay->process().WaitExit(absl::Seconds(20)), code) << relay->process().Err();
    const std::vector<std::string> errors = ErrorLines(relay->process().Err());
    ASSERT_EQ(errors.size(), 1u) << relay->process().Err();
    for (const std::string& word : words) EXPECT_THAT(errors[0], HasSubstr(word));
    EXPECT_THAT(errors[0], HasSubstr("hint: "));
    // 14 sends transactions without a row, which may be confirmed; no row is.
    EXPECT_LE(Confirmed(), std::max(before, before_commit_));
  }

  // Whoever confirms more has confirmed the last rows.
  Lsn before_commit_;
};

TEST_F(Partitions, RowsArriveInOrderUnderTheNamesOfPartitions) {
  AddPartition("outbox_1", 1);
  AddPartition("outbox_2", 2);
  for (int i = 0; i < 5; ++i) {
    InsertInto(1, 20);
    InsertInto(2, 20);
  }
  RunUntilAllDelivered();
}

TEST_F(Partitions, RowsArriveInOrderUnderTheNameOfTheRoot) {
  PublishViaRoot();
  AddPartition("outbox_1", 1);
  AddPartition("outbox_2", 2);
  for (int i = 0; i < 5; ++i) {
    InsertInto(1, 20);
    InsertInto(2, 20);
  }
  RunUntilAllDelivered();
}

// At first there is none at all.
TEST_F(Partitions, OneThatIsAddedWhileWalpostRunsIsServedAtOnce) {
  auto relay = StartRelay();
  sql().Exec(
      absl::StrCat("BEGIN; ", PartitionSql("outbox_1", 1), "; ", InsertSql(1, 50), "; COMMIT"));
  InsertInto(1, 10);
  sql().Exec("CREATE TABLE outbox_2 (LIKE outbox INCLUDING DEFAULTS)");
  sql().Exec(absl::StrCat("ALTER TABLE outbox ATTACH PARTITION outbox_2 FOR VALUES ", Month(2)));
  InsertInto(2, 50);
  ExpectAllDelivered();
  EXPECT_EQ(relay->Terminate().code, 0) << relay->process().Err();
}

TEST_F(Partitions, OneThatIsAddedWhileWalpostRunsIsServedAtOnceViaTheRoot) {
  PublishViaRoot();
  auto relay = StartRelay();
  sql().Exec(
      absl::StrCat("BEGIN; ", PartitionSql("outbox_1", 1), "; ", InsertSql(1, 50), "; COMMIT"));
  InsertInto(1, 10);
  sql().Exec("CREATE TABLE outbox_2 (LIKE outbox INCLUDING DEFAULTS)");
  sql().Exec(absl::StrCat("ALTER TABLE outbox ATTACH PARTITION outbox_2 FOR VALUES ", Month(2)));
  InsertInto(2, 50);
  ExpectAllDelivered();
  EXPECT_EQ(relay->Terminate().code, 0) << relay->process().Err();
}

TEST_F(Partitions, PartitionsMayHavePartitionsOfAnyNameAndSchema) {
  sql().Exec("CREATE SCHEMA elsewhere");
  sql().Exec(absl::StrCat(PartitionSql("elsewhere.\"Not an Outbox\"", 1),
                          " PARTITION BY LIST (aggregatetype)"));
  sql().Exec(
      "CREATE TABLE elsewhere.leaf PARTITION OF elsewhere.\"Not an Outbox\" FOR VALUES IN "
      "('order')");
  InsertInto(1, 30);
  RunUntilAllDelivered();
}

TEST_F(Partitions, OneMayHaveItsColumnsInAnotherOrder) {
  sql().Exec(
      "CREATE TABLE outbox_1(gone int, day date NOT NULL, payload jsonb, type text, aggregatetype "
      "text, seq bigint NOT NULL, aggregateid text, id uuid NOT NULL); "
      "ALTER TABLE outbox_1 DROP COLUMN gone");
  sql().Exec(absl::StrCat("ALTER TABLE outbox ATTACH PARTITION outbox_1 FOR VALUES ", Month(1)));
  AddPartition("outbox_2", 2);
  InsertInto(1, 20);
  InsertInto(2, 20);
  RunUntilAllDelivered();
}

TEST_F(Partitions, AnOutboxMayItselfBeAPartition) {
  sql().Exec(absl::StrCat(PartitionSql("outbox_1", 1), " PARTITION BY LIST (aggregatetype)"));
  sql().Exec("CREATE TABLE leaf PARTITION OF outbox_1 FOR VALUES IN ('order')");
  InsertInto(1, 10);
  auto relay = StartRelay({"--table", "public.outbox_1"});
  ExpectAllDelivered();
  EXPECT_EQ(relay->Terminate().code, 0) << relay->process().Err();
}

TEST_F(Partitions, OneThatWasDetachedWhileUnreadStopsTheRelayUntilItIsBack) {
  AddPartition("outbox_1", 1);
  InsertInto(1, 10);
  sql().Exec("ALTER TABLE outbox DETACH PARTITION outbox_1");
  ExpectRefused(4, {"public.outbox_1", "attach it again"});
  sql().Exec(absl::StrCat("ALTER TABLE outbox ATTACH PARTITION outbox_1 FOR VALUES ", Month(1)));
  RunUntilAllDelivered();
}

TEST_F(Partitions, OneThatWasDroppedWhileUnreadStopsTheRelay) {
  AddPartition("outbox_1", 1);
  InsertInto(1, 10);
  sql().Exec("DROP TABLE outbox_1");
  ExpectRefused(4, {"public.outbox_1", "does not exist any more"});
}

// The stream describes it as it was when its rows were written.
TEST_F(Partitions, OneWithRowsFromBeforeAColumnThatIsReadStopsTheRelay) {
  AddPartition("outbox_1", 1);
  InsertInto(1, 10);
  sql().Exec("ALTER TABLE outbox ADD COLUMN tenant text");
  ExpectRefused(3, {"public.outbox_1", "no column 'tenant'"}, {"--header", "tenant=tenant"});
}

TEST_F(Partitions, AColumnThatIsRenamedWhileWalpostRunsStopsIt) {
  AddPartition("outbox_1", 1);
  InsertInto(1, 10);
  auto relay = StartRelay();
  ExpectAllDelivered();
  sql().Exec("ALTER TABLE outbox RENAME COLUMN payload TO body");
  sql().Exec(
      "BEGIN; INSERT INTO outbox(aggregatetype, body, day) VALUES ('order', '{}', "
      "'2026-01-02')");
  before_commit_ = sql().LsnOf("SELECT pg_current_wal_insert_lsn()");
  sql().Exec("COMMIT");
  EXPECT_EQ(relay->process().WaitExit(absl::Seconds(20)), 3) << relay->process().Err();
  EXPECT_THAT(relay->process().Err(), HasSubstr("no column 'payload'"));
  EXPECT_LE(Confirmed(), before_commit_);
}

TEST_F(Partitions, OneWhoseRootWasRenamedWhileUnreadStopsTheRelayUntilItIsBack) {
  AddPartition("outbox_1", 1);
  InsertInto(1, 10);
  sql().Exec("ALTER TABLE outbox RENAME TO outbox_old");
  sql().Exec(absl::StrCat("CREATE TABLE outbox(", kColumns, "); ALTER PUBLICATION ", name(),
                          " ADD TABLE outbox"));
  ExpectRefused(4, {"public.outbox_1", "cannot be told"});
  sql().Exec("DROP TABLE outbox; ALTER TABLE outbox_old RENAME TO outbox");
  RunUntilAllDelivered();
}

// Such a publication goes on publishing it, under its own name.
TEST_F(Partitions, OneThatWasDetachedFromAPublicationOfAllTablesStopsTheRelayToo) {
  PublishAllTables();
  AddPartition("outbox_1", 1);
  InsertInto(1, 10);
  sql().Exec("ALTER TABLE outbox DETACH PARTITION outbox_1");
  ExpectRefused(4, {"public.outbox_1"});
  sql().Exec(absl::StrCat("ALTER TABLE outbox ATTACH PARTITION outbox_1 FOR VALUES ", Month(1)));
  RunUntilAllDelivered();
}

// Its rows come as those of the root.
TEST_F(Partitions, OneThatWasDetachedOrDroppedWhileUnreadIsNoLossViaTheRoot) {
  PublishViaRoot();
  AddPartition("outbox_1", 1);
  AddPartition("outbox_2", 2);
  InsertInto(1, 10);
  InsertInto(2, 10);
  const std::vector<std::string> ids = IdsInTable();
  sql().Exec("ALTER TABLE outbox DETACH PARTITION outbox_1; DROP TABLE outbox_2");
  auto relay = StartRelay();
  TopicReader reader = Reader({"order"});
  EXPECT_TRUE(reader.ReadUntilDistinct(ids.size(), absl::Seconds(30))) << relay->process().Err();
  for (const std::string& id : ids) EXPECT_TRUE(reader.Has(id)) << id;
  EXPECT_EQ(relay->Terminate().code, 0) << relay->process().Err();
}

TEST_F(Partitions, OtherPublishedTablesAreIgnored) {
  PublishAllTables();
  AddPartition("outbox_1", 1);
  sql().Exec("CREATE TABLE shop(id uuid, aggregateid text); INSERT INTO shop DEFAULT VALUES");
  sql().Exec("CREATE SCHEMA other; CREATE TABLE other.outbox(id uuid, payload jsonb)");
  sql().Exec("INSERT INTO other.outbox VALUES (gen_random_uuid(), '{}')");
  InsertInto(1, 10);
  RunUntilAllDelivered();
}

TEST_F(Partitions, APublicationOfSomePartitionsIsRefused) {
  AddPartition("outbox_1", 1);
  sql().Exec(absl::StrCat("ALTER PUBLICATION ", name(), " SET TABLE outbox_1"));
  ExpectRefused(3, {name(), "public.outbox", "ADD TABLE"});
}

TEST_F(Partitions, AColumnThatOnePartitionIsPublishedWithoutIsRefused) {
  if (sql().Number("SHOW server_version_num") < 150000) GTEST_SKIP() << "no column lists";
  AddPartition("outbox_1", 1);
  AddPartition("outbox_2", 2);
  sql().Exec(absl::StrCat("ALTER PUBLICATION ", name(), " ADD TABLE outbox_2 (id, payload)"));
  ExpectRefused(3, {name(), "aggregatetype", "column list"});
}

TEST_F(Partitions, AnUnloggedPartitionIsRefused) {
  AddPartition("outbox_1", 1);
  sql().Exec(
      absl::StrCat("CREATE UNLOGGED TABLE outbox_2 PARTITION OF outbox FOR VALUES ", Month(2)));
  ExpectRefused(3, {"public.outbox_2", "unlogged"});
}

TEST_F(Partitions, APartitionThatIsPublishedUnderTheNameOfItsRootIsNoOutbox) {
  PublishViaRoot();
  sql().Exec(absl::StrCat(PartitionSql("outbox_1", 1), " PARTITION BY LIST (aggregatetype)"));
  sql().Exec("CREATE TABLE leaf PARTITION OF outbox_1 DEFAULT");
  ExpectRefused(3, {"public.outbox_1", "partition"}, {"--table", "public.outbox_1"});
  ExpectRefused(3, {"public.leaf", "partition"}, {"--table", "public.leaf"});
}

}  // namespace
}  // namespace walpost::integration
