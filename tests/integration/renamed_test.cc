// Outbox tables that are renamed or moved: the stream brings their rows under a name that no
// [[outbox]] block has, and they must not be passed over without a word.
#include <absl/strings/str_cat.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <vector>

#include "integration/relay_test.h"
#include "support/temp_dir.h"
#include "support/wait.h"

namespace walpost::integration {
namespace {

using support::TopicReader;
using ::testing::HasSubstr;
using ::testing::Not;

class Renamed : public RelayTest {
 protected:
  static constexpr const char* kColumns =
      "(id uuid PRIMARY KEY DEFAULT gen_random_uuid(), seq bigserial, aggregatetype text, "
      "aggregateid text, type text, payload jsonb)";

  static constexpr const char* kTakeItOut = "hint: take it out of relay.ignored_tables";

  void SetUp() override {
    RelayTest::SetUp();
    if (!IsSkipped() && !HasFatalFailure()) CreateTopic("order", 1);
  }
  void PublishAllTables() {
    sql().Exec(absl::StrCat("DROP PUBLICATION ", name(), "; CREATE PUBLICATION ", name(),
                            " FOR ALL TABLES WITH (publish = 'insert')"));
    sql().Exec(absl::StrCat("SELECT pg_drop_replication_slot('", name(), "')"));
    CreateSlot();
  }
  // One row; an LSN before its commit.
  Lsn InsertInto(std::string_view table) {
    sql().Exec("BEGIN");
    sql().Exec(absl::StrCat("INSERT INTO ", std::string(table),
                            "(aggregatetype, aggregateid, type, payload) VALUES ('order', 'k', "
                            "'T', '{}')"));
    const Lsn before_commit = sql().LsnOf("SELECT pg_current_wal_insert_lsn()");
    sql().Exec("COMMIT");
    return before_commit;
  }
  // What a name is given up for: the old table under another, and an empty one in its place.
  void PutANewTableInItsPlace() {
    sql().Exec("ALTER TABLE outbox RENAME TO outbox_old");
    sql().Exec(absl::StrCat("CREATE TABLE outbox", kColumns));
    sql().Exec(absl::StrCat("ALTER PUBLICATION ", name(), " ADD TABLE outbox"));
  }
  void StopAfterOneEvent() {
    auto relay = StartRelay();
    InsertInto("outbox");
    ExpectConfirmsAllOfTheWal();
    EXPECT_EQ(relay->Terminate().code, 0);
  }
  void ExpectStopped(support::RelayProcess& relay, Lsn before_commit, const char* table,
                     const char* hint = "hint: if they are, ") {
    EXPECT_EQ(relay.process().WaitExit(absl::Seconds(20)), 4) << relay.process().Err();
    EXPECT_LE(Confirmed(), before_commit);
    const std::vector<std::string> errors = ErrorLines(relay.process().Err());
    ASSERT_EQ(errors.size(), 1u) << relay.process().Err();
    EXPECT_THAT(errors[0], HasSubstr(absl::StrCat("rows of table ", table)));
    EXPECT_THAT(errors[0], HasSubstr(hint));
    EXPECT_THAT(errors[0], HasSubstr("(LSN "));
  }
  void ExpectConfirmsAllOfTheWal() {
    const Lsn end = sql().LsnOf("SELECT pg_current_wal_lsn()");
    EXPECT_TRUE(support::WaitUntil(absl::Seconds(20), [&] { return Confirmed() >= end; }));
  }
};

TEST_F(Renamed, WhileItRunsStopsTheRelayAtTheFirstRowUnderTheNewName) {
  auto relay = StartRelay();
  Insert("order", 3);
  TopicReader reader = Reader({"order"});
  ExpectDelivered(reader);
  sql().Exec("ALTER TABLE outbox RENAME TO outbox_old");
  const Lsn lost = InsertInto("outbox_old");
  ExpectStopped(*relay, lost, "public.outbox_old");

  auto again = Launch();
  EXPECT_EQ(again->process().WaitExit(absl::Seconds(20)), 3) << "there is none of the name";
  EXPECT_LE(Confirmed(), lost);
}

TEST_F(Renamed, MovedToAnotherSchemaBeforeItsFirstRowStopsTheRelayToo) {
  auto relay = StartRelay();
  sql().Exec("CREATE SCHEMA archive; ALTER TABLE outbox SET SCHEMA archive");
  ExpectStopped(*relay, InsertInto("archive.outbox"), "archive.outbox");
}

TEST_F(Renamed, WhileItDoesNotRunStopsTheNextThoughTheNameIsTakenAgain) {
  auto relay = StartRelay();
  Insert("order", 3);
  TopicReader reader = Reader({"order"});
  ExpectDelivered(reader);
  EXPECT_EQ(relay->Terminate().code, 0);
  PutANewTableInItsPlace();
  const Lsn old = InsertInto("outbox_old");
  InsertInto("outbox");
  for (int start = 0; start < 2; ++start) {
    auto next = Launch();
    ExpectStopped(*next, old, "public.outbox_old");
  }

  // As the hint says.
  const support::TempDir dir("renamed");
  const std::string config = dir.path() + "/walpost.toml";
  std::ofstream(config) << "[[outbox]]\ntable = 'public.outbox'\n"
                        << "topic = '" << name() << ".${aggregatetype}'\n"
                        << "[[outbox]]\ntable = 'public.outbox_old'\n"
                        << "topic = '" << name() << ".${aggregatetype}'\n";
  std::vector<std::string> flags = {"--config", config, "--brokers", kafka().bootstrap()};
  for (const std::string& flag : Flags()) flags.push_back(flag);
  support::RelayProcess both(WalpostBinary(), flags);
  EXPECT_TRUE(reader.ReadUntilCount(5, absl::Seconds(30))) << both.process().Err();
  ExpectConfirmsAllOfTheWal();
  EXPECT_EQ(both.Terminate().code, 0);
}

TEST_F(Renamed, WhateverElseIsAlteredAboutTheTableAfterwards) {
  StopAfterOneEvent();
  sql().Exec("DROP ROLE IF EXISTS walpost_archive; CREATE ROLE walpost_archive");
  PutANewTableInItsPlace();
  const Lsn old = InsertInto("outbox_old");
  InsertInto("outbox");
  for (const char* alter :
       {"ALTER TABLE outbox_old OWNER TO walpost_archive", "ALTER TABLE outbox_old RENAME TO older",
        "CREATE SCHEMA archive; ALTER TABLE older SET SCHEMA archive",
        "DROP TABLE archive.older"}) {
    sql().Exec(alter);
    auto next = Launch();
    ExpectStopped(*next, old, "public.outbox_old");
  }
  sql().Exec("DROP ROLE walpost_archive");
}

TEST_F(Renamed, WithItsSchemaStopsTheNextThoughTheNameIsTakenAgain) {
  sql().Exec("CREATE SCHEMA shop; ALTER TABLE outbox SET SCHEMA shop");
  const std::vector<std::string> flags = {"--table", "shop.outbox"};
  auto relay = StartRelay(flags);
  InsertInto("shop.outbox");
  ExpectConfirmsAllOfTheWal();
  EXPECT_EQ(relay->Terminate().code, 0);
  sql().Exec("ALTER SCHEMA shop RENAME TO shop_old; CREATE SCHEMA shop");
  sql().Exec(absl::StrCat("CREATE TABLE shop.outbox", kColumns));
  sql().Exec(absl::StrCat("ALTER PUBLICATION ", name(), " ADD TABLE shop.outbox"));
  const Lsn old = InsertInto("shop_old.outbox");
  auto next = Launch(flags);
  ExpectStopped(*next, old, "shop_old.outbox");
}

TEST_F(Renamed, AndNamedBackLosesNoRow) {
  auto relay = StartRelay();
  sql().Exec("ALTER TABLE outbox RENAME TO outbox_old");
  ExpectStopped(*relay, InsertInto("outbox_old"), "public.outbox_old");
  sql().Exec("ALTER TABLE outbox_old RENAME TO outbox");
  InsertInto("outbox");
  auto again = StartRelay();
  TopicReader reader = Reader({"order"});
  ExpectDelivered(reader);
  EXPECT_EQ(reader.distinct(), 2u);
  ExpectConfirmsAllOfTheWal();
  EXPECT_EQ(again->Terminate().code, 0);
}

TEST_F(Renamed, AndConfiguredSoItsRowsFromBeforeAreEventsToo) {
  StopAfterOneEvent();
  InsertInto("outbox");
  sql().Exec("ALTER TABLE outbox RENAME TO outbox_two");
  InsertInto("outbox_two");
  auto next = StartRelay({"--table", "outbox_two"});
  TopicReader reader = Reader({"order"});
  EXPECT_TRUE(reader.ReadUntilCount(3, absl::Seconds(30))) << next->process().Err();
  ExpectConfirmsAllOfTheWal();
  EXPECT_EQ(next->Terminate().code, 0);
}

TEST_F(Renamed, APartitionThatWasDetachedStopsTheRelayThoughItsRootIsAPlainTableNow) {
  sql().Exec("DROP TABLE outbox");
  sql().Exec(
      "CREATE TABLE outbox(id int, aggregatetype text, aggregateid text, type text, payload jsonb) "
      "PARTITION BY LIST (id); CREATE TABLE outbox_p1 PARTITION OF outbox FOR VALUES IN (1)");
  PublishAllTables();
  sql().Exec("BEGIN; INSERT INTO outbox VALUES (1, 'order', 'k', 'T', '{}')");
  const Lsn unread = sql().LsnOf("SELECT pg_current_wal_insert_lsn()");
  sql().Exec("COMMIT; ALTER TABLE outbox DETACH PARTITION outbox_p1; DROP TABLE outbox");
  sql().Exec(absl::StrCat("CREATE TABLE outbox", kColumns));
  auto relay = Launch();
  ExpectStopped(*relay, unread, "public.outbox_p1");
}

TEST_F(Renamed, RowsOfATableThatInheritsFromTheOutboxAreEvents) {
  sql().Exec("CREATE TABLE outbox_kid() INHERITS (outbox)");
  PublishAllTables();
  auto relay = StartRelay();
  InsertInto("outbox_kid");
  InsertInto("outbox");
  TopicReader reader = Reader({"order"});
  ExpectDelivered(reader);
  EXPECT_EQ(reader.distinct(), 2u);
}

// As in a database with one outbox for each service and one publication for all of them.
TEST_F(Renamed, AnotherServicesOutboxIsPassedOverOnceItIsNamed) {
  PublishAllTables();
  sql().Exec("CREATE SCHEMA billing");
  sql().Exec(absl::StrCat("CREATE TABLE billing.outbox", kColumns));
  auto relay = StartRelay();
  ExpectStopped(*relay, InsertInto("billing.outbox"), "billing.outbox");

  auto told = StartRelay({"--ignored-tables", "billing.outbox"});
  for (int i = 0; i < 2; ++i) InsertInto("billing.outbox");
  Insert("order", 2);
  TopicReader reader = Reader({"order"});
  ExpectDelivered(reader);
  ExpectConfirmsAllOfTheWal();
  EXPECT_EQ(told->Metric("walpost_rows_ignored_total"), 3);
  EXPECT_EQ(told->Terminate().code, 0);
  EXPECT_THAT(told->process().Err(), Not(HasSubstr("billing.outbox")));
}

TEST_F(Renamed, AnIgnoredTableThatTookTheNameIsNotPassedOverAnyMore) {
  PublishAllTables();
  sql().Exec(absl::StrCat("CREATE TABLE outbox_new", kColumns));
  const Lsn first = InsertInto("outbox_new");
  sql().Exec("ALTER TABLE outbox RENAME TO outbox_old; ALTER TABLE outbox_new RENAME TO outbox");
  auto relay = Launch({"--ignored-tables", "outbox_new, outbox_old"});
  ExpectStopped(*relay, first, "public.outbox_new", kTakeItOut);
  auto again = StartRelay({"--ignored-tables", "outbox_old"});
  TopicReader reader = Reader({"order"});
  ExpectDelivered(reader);
}

// The name of a partition's root is not told anew by the server.
TEST_F(Renamed, NorIsOneWhoseRowsTheServerSendsUnderTheOldName) {
  sql().Exec("DROP TABLE outbox");
  for (const char* table : {"outbox", "outbox_new"}) {
    sql().Exec(absl::StrCat(
        "CREATE TABLE ", table,
        "(id uuid DEFAULT gen_random_uuid(), seq bigserial, aggregatetype text, "
        "aggregateid text, type text, payload jsonb) PARTITION BY HASH (id); "
        "CREATE TABLE ",
        table, "_leaf PARTITION OF ", table, " FOR VALUES WITH (MODULUS 1, REMAINDER 0)"));
  }
  PublishAllTables();
  sql().Exec(
      absl::StrCat("ALTER PUBLICATION ", name(), " SET (publish_via_partition_root = true)"));
  const std::vector<std::string> flags = {"--ignored-tables", "outbox_new"};
  auto relay = StartRelay(flags);
  InsertInto("outbox_new");
  ExpectConfirmsAllOfTheWal();
  sql().Exec(
      "BEGIN; ALTER TABLE outbox RENAME TO outbox_old; ALTER TABLE outbox_new RENAME TO outbox; "
      "COMMIT");
  ExpectStopped(*relay, InsertInto("outbox"), "public.outbox_new", kTakeItOut);
  auto again = StartRelay();
  TopicReader reader = Reader({"order"});
  EXPECT_TRUE(reader.ReadUntilCount(1, absl::Seconds(30))) << again->process().Err();
}

}  // namespace
}  // namespace walpost::integration
