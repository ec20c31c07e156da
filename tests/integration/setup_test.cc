// `walpost setup`: what it makes, in which order, and that it makes nothing half.
#include <absl/strings/match.h>
#include <absl/strings/str_cat.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "integration/relay_test.h"

namespace walpost::integration {
namespace {

using support::Finished;
using support::Quoted;
using support::Sql;
using ::testing::HasSubstr;
using ::testing::Not;

class Setup : public DatabaseTest {
 protected:
  long Publications() { return sql().Number("SELECT count(*) FROM pg_publication"); }
  long Slots() {
    return sql().Number(absl::StrCat("SELECT count(*) FROM pg_replication_slots WHERE database = ",
                                     Quoted(name())));
  }
};

TEST_F(Setup, MakesPublicationThenSlot) {
  CreateOutbox();
  const Finished done = RunVerb("setup");
  EXPECT_EQ(done.code, 0) << done.err;
  const std::size_t publication = done.out.find("publication");
  const std::size_t slot = done.out.find("slot");
  EXPECT_LT(publication, slot) << done.out;
  EXPECT_NE(slot, std::string::npos) << done.out;
  const auto row = sql()
                       .Rows(
                           "SELECT pubinsert, pubupdate, pubdelete, pubtruncate, puballtables FROM "
                           "pg_publication")
                       .at(0);
  EXPECT_EQ(row, (Sql::Row{"t", "f", "f", "f", "f"}));
  EXPECT_EQ(sql().Scalar("SELECT tablename FROM pg_publication_tables"), "outbox");
  EXPECT_EQ(sql().Scalar(absl::StrCat(
                "SELECT plugin FROM pg_replication_slots WHERE NOT temporary AND slot_name = ",
                Quoted(name()))),
            "pgoutput");
}

TEST_F(Setup, SecondRunChangesNothingAndSaysSo) {
  CreateOutbox();
  ASSERT_EQ(RunVerb("setup").code, 0);
  const Lsn confirmed = Confirmed();
  const Finished again = RunVerb("setup");
  EXPECT_EQ(again.code, 0) << again.err;
  EXPECT_THAT(again.out, HasSubstr("already"));
  EXPECT_EQ(Confirmed(), confirmed);
  EXPECT_EQ(Publications(), 1);
  EXPECT_EQ(Slots(), 1);
}

TEST_F(Setup, DryRunPrintsTheSqlAndChangesNothing) {
  const Finished dry = RunVerb("setup", {"--dry-run", "--create-table", "debezium"});
  EXPECT_EQ(dry.code, 0) << dry.err;
  EXPECT_THAT(dry.out, HasSubstr("CREATE TABLE"));
  EXPECT_THAT(dry.out, HasSubstr("CREATE PUBLICATION"));
  EXPECT_THAT(dry.out, HasSubstr("pgoutput"));
  EXPECT_EQ(Publications(), 0);
  EXPECT_EQ(Slots(), 0);
  EXPECT_EQ(sql().Number("SELECT count(*) FROM pg_class WHERE relname LIKE 'outbox%'"), 0);
}

TEST_F(Setup, CreatesTheTableOfThePreset) {
  const Finished done = RunVerb("setup", {"--create-table", "debezium"});
  EXPECT_EQ(done.code, 0) << done.err;
  sql().Exec(
      "INSERT INTO public.outbox(aggregatetype, aggregateid, type, payload) VALUES "
      "('order', 'o-1', 'OrderPlaced', '{}')");
  EXPECT_EQ(sql().Number("SELECT count(*) FROM public.outbox WHERE id IS NOT NULL"), 1);
  EXPECT_EQ(Slots(), 1);
  EXPECT_EQ(RunVerb("setup", {"--create-table", "debezium"}).code, 0);
}

// A role that owns the table and may create in the database needs no more than REPLICATION.
TEST_F(Setup, TheOwnerOfTheTableCanRunIt) {
  CreateOutbox();
  sql().Exec(absl::StrCat("CREATE ROLE ", name(),
                          " LOGIN REPLICATION; ALTER TABLE outbox OWNER TO ", name(),
                          "; GRANT CREATE ON DATABASE ", name(), " TO ", name()));
  const Finished done =
      RunVerb("setup", {"--conninfo", absl::StrCat(conninfo(), " user=", name())});
  EXPECT_EQ(done.code, 0) << done.err;
  EXPECT_EQ(Publications(), 1);
  EXPECT_EQ(Slots(), 1);
  sql().Exec(absl::StrCat("DROP OWNED BY ", name(), " CASCADE; DROP ROLE ", name()));
}

TEST_F(Setup, CreatesTheTableOfEveryPresetUnderAnyName) {
  for (const char* preset : {"debezium", "aggregate", "topic", "efcore"}) {
    SCOPED_TRACE(preset);
    const std::string table = absl::StrCat("\"App\".\"My ", preset, "\"");
    const std::vector<std::string> more = {
        "--create-table", preset, "--table", table, "--publication", absl::StrCat("p_", preset)};
    const Finished done = RunVerb("setup", more);
    EXPECT_EQ(done.code, 0) << done.err;
    EXPECT_EQ(sql().Number(absl::StrCat("SELECT count(*) FROM ", table)), 0);
    EXPECT_EQ(RunVerb("setup", more).code, 0);
  }
}

TEST_F(Setup, CreatesTheTableThatEfcoreHasByItself) {
  const Finished done = RunVerb("setup", {"--create-table", "efcore"});
  EXPECT_EQ(done.code, 0) << done.err;
  EXPECT_EQ(sql().Scalar("SELECT tablename FROM pg_publication_tables"), "OutboxMessages");
  EXPECT_EQ(sql().Number("SELECT count(*) FROM public.\"OutboxMessages\""), 0);
  // A name without its schema is one in public.
  EXPECT_EQ(RunVerb("setup", {"--preset", "efcore", "--table", "\"OutboxMessages\""}).code, 0);
}

TEST_F(Setup, MessagesNeedNoTable) {
  const Finished dry = RunVerb("setup", {"--preset", "message", "--dry-run"});
  EXPECT_THAT(dry.out, HasSubstr("WITH (publish = 'insert');"));
  EXPECT_THAT(dry.out, Not(HasSubstr("FOR TABLE")));
  const Finished done = RunVerb("setup", {"--preset", "message"});
  EXPECT_EQ(done.code, 0) << done.err;
  EXPECT_EQ(Publications(), 1);
  EXPECT_EQ(sql().Number("SELECT count(*) FROM pg_publication_tables"), 0);
  EXPECT_EQ(Slots(), 1);
  const Finished table = RunVerb("setup", {"--create-table", "message"});
  EXPECT_EQ(table.code, 2) << table.err;
  EXPECT_THAT(table.err, HasSubstr("no table"));
}

TEST_F(Setup, PublishesAPartitionedTableUnderItsOwnName) {
  sql().Exec("CREATE TABLE outbox(id uuid, day date) PARTITION BY RANGE (day)");
  const Finished done = RunVerb("setup");
  EXPECT_EQ(done.code, 0) << done.err;
  EXPECT_EQ(sql().Scalar("SELECT pubviaroot FROM pg_publication"), "t");
  EXPECT_EQ(RunVerb("setup").code, 0);
}

TEST_F(Setup, APublicationUnderTheNamesOfPartitionsIsFineToo) {
  sql().Exec("CREATE TABLE outbox(id uuid, day date) PARTITION BY RANGE (day)");
  CreatePublication();
  const Finished done = RunVerb("setup");
  EXPECT_EQ(done.code, 0) << done.err;
}

TEST_F(Setup, WithoutTheTableItMakesNothing) {
  const Finished failed = RunVerb("setup");
  EXPECT_EQ(failed.code, 3) << failed.err;
  EXPECT_THAT(failed.err, HasSubstr("public.outbox"));
  EXPECT_THAT(failed.err, HasSubstr("--create-table"));
  EXPECT_EQ(Publications(), 0);
  EXPECT_EQ(Slots(), 0);
}

TEST_F(Setup, AnOpenTransactionIsNamedAndNoSlotIsLeft) {
  CreateOutbox();
  Sql other(conninfo());
  const std::string pid = other.Scalar("SELECT pg_backend_pid()");
  other.Exec("BEGIN; SELECT pg_current_xact_id()");
  const Finished failed = RunVerb("setup", {"--timeout", "3s"});
  EXPECT_EQ(failed.code, 1) << failed.err;
  EXPECT_LT(failed.took, absl::Seconds(15));
  EXPECT_THAT(failed.err, HasSubstr(pid));
  EXPECT_EQ(Slots(), 0);
  other.Exec("COMMIT");
  EXPECT_EQ(RunVerb("setup").code, 0);
  EXPECT_EQ(Slots(), 1);
}

}  // namespace
}  // namespace walpost::integration
