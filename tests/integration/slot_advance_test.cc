// `walpost slot advance`: where it moves a slot to, and where it refuses to.
#include <absl/strings/str_cat.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "integration/relay_test.h"
#include "support/wait.h"

namespace walpost::integration {
namespace {

using support::Finished;
using support::Quoted;
using support::Sql;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class SlotAdvance : public DatabaseTest {
 protected:
  void SetUp() override {
    DatabaseTest::SetUp();
    CreateOutbox();
    CreatePublication();
    CreateSlot();
  }

  std::vector<std::string> Command(const std::vector<std::string>& more) {
    std::vector<std::string> line = {WalpostBinary(), "slot", "advance"};
    const std::vector<std::string> flags = Flags();
    line.insert(line.end(), flags.begin(), flags.end());
    line.insert(line.end(), more.begin(), more.end());
    return line;
  }
  Finished Advance(const std::vector<std::string>& more) { return support::Run(Command(more)); }
  Finished AdvanceTo(Lsn target) { return Advance({"--to", target.ToString()}); }

  static std::string InsertSql(std::string_view key) {
    return absl::StrCat("INSERT INTO outbox(aggregatetype, aggregateid, type, payload) VALUES ",
                        "('order', ", Quoted(key), ", 'T', '{}')");
  }
  void Insert(std::string_view key) { sql().Exec(InsertSql(key)); }

  // Ends of the transactions that the slot would stream now.
  std::vector<Lsn> Ends(const std::string& what = "get_byte(data, 0) = 67") {
    std::vector<Lsn> ends;
    for (const Sql::Row& row : sql().Rows(
             absl::StrCat("SELECT lsn FROM pg_logical_slot_peek_binary_changes(", Quoted(name()),
                          ", NULL, NULL, 'proto_version', '1', 'publication_names', ",
                          Quoted(name()), ") WHERE ", what))) {
      ends.push_back(*Lsn::Parse(*row[0]));
    }
    return ends;
  }
  Lsn WalEnd() { return sql().LsnOf("SELECT pg_current_wal_insert_lsn()"); }

  // That it is refused for an operator to act, with a reason and a hint, and moves nothing.
  void ExpectRefused(const std::vector<std::string>& flags, const std::string& why,
                     const std::string& hint) {
    const Lsn before = Confirmed();
    const Finished refused = Advance(flags);
    EXPECT_EQ(refused.code, 3) << refused.out << refused.err;
    EXPECT_EQ(refused.out, "");
    const std::size_t at = refused.err.find("hint: ");
    ASSERT_NE(at, std::string::npos) << refused.err;
    EXPECT_THAT(refused.err.substr(0, at), HasSubstr(why));
    EXPECT_THAT(refused.err.substr(at), HasSubstr(hint));
    EXPECT_EQ(Confirmed(), before);
  }
};

Lsn Plus(Lsn lsn, std::int64_t bytes) {
  return Lsn(lsn.value() + static_cast<std::uint64_t>(bytes));
}

TEST_F(SlotAdvance, MovesToTheEndOfATransactionAndSaysWhatItPasses) {
  for (const char* key : {"a", "b", "c"}) Insert(key);
  const std::vector<Lsn> ends = Ends();
  ASSERT_EQ(ends.size(), 3u);
  const Lsn before = Confirmed();
  const Finished dry = Advance({"--to", ends[1].ToString(), "--dry-run"});
  EXPECT_EQ(dry.code, 0) << dry.err;
  EXPECT_THAT(dry.out, HasSubstr("2 transactions"));
  EXPECT_EQ(Confirmed(), before);
  const Finished done = Advance({"--to", ends[1].ToString(), "--json"});
  EXPECT_EQ(done.code, 0) << done.err;
  EXPECT_THAT(done.out, HasSubstr(R"("state":"moved")"));
  EXPECT_THAT(done.out, HasSubstr(absl::StrCat(R"("bytes":)", ends[1].value() - before.value(),
                                               R"(,"transactions":2,"at_transaction_end":true)")));
  EXPECT_EQ(Confirmed(), ends[1]);
  EXPECT_THAT(Ends(), ElementsAre(ends[2]));
}

TEST_F(SlotAdvance, HasNothingToDoAtAndBehindThePosition) {
  const Lsn behind = Confirmed();
  Insert("a");
  const Lsn end = Ends().at(0);
  ASSERT_EQ(AdvanceTo(end).code, 0);
  for (const Lsn target : {behind, end}) {
    const Finished again = AdvanceTo(target);
    EXPECT_EQ(again.code, 0) << again.err;
    EXPECT_THAT(again.out, HasSubstr("nothing to do"));
    EXPECT_EQ(Confirmed(), end);
  }
}

TEST_F(SlotAdvance, RefusesAnLsnInsideATransaction) {
  Insert("before");
  const Lsn end_before = Ends().at(0);
  sql().Exec("BEGIN");
  Insert("a1");
  const Lsn after_first_row = WalEnd();
  Insert("a2");
  const Lsn before_commit = WalEnd();
  sql().Exec("COMMIT");
  const Lsn end = Ends().at(1);
  const Lsn second_row = Ends("get_byte(data, 0) = 73").at(2);
  // The last is within the commit record: the server would go there, and never stream it.
  for (const Lsn inside : {after_first_row, second_row, before_commit, Plus(end, -8)}) {
    ExpectRefused({"--to", inside.ToString()}, "inside a transaction",
                  absl::StrCat("advance to ", end_before.ToString()));
  }
  EXPECT_EQ(AdvanceTo(end).code, 0);
}

TEST_F(SlotAdvance, TakesAnEndWhileAnotherTransactionIsUnderWay) {
  Sql other(conninfo());
  sql().Exec("BEGIN");
  Insert("long 1");
  other.Exec("BEGIN");
  other.Exec(InsertSql("short"));
  const Lsn inside_both = WalEnd();
  other.Exec("COMMIT");
  Insert("long 2");
  const Lsn inside_long = WalEnd();
  sql().Exec("COMMIT");
  const std::vector<Lsn> ends = Ends();
  ASSERT_EQ(ends.size(), 2u);
  ExpectRefused({"--to", inside_both.ToString()}, "inside a transaction", "leave the slot");
  ExpectRefused({"--to", inside_long.ToString()}, "inside a transaction", ends[0].ToString());
  EXPECT_EQ(AdvanceTo(ends[0]).code, 0);
  // The long one comes as a whole, though it began before.
  EXPECT_THAT(Ends(), ElementsAre(ends[1]));
  EXPECT_EQ(Ends("get_byte(data, 0) = 73").size(), 2u);
}

TEST_F(SlotAdvance, TakesAPlaceBetweenTransactions) {
  Insert("a");
  // Writes to the log, and is no transaction.
  sql().Exec("CHECKPOINT");
  const Lsn between = WalEnd();
  Insert("b");
  const Finished done = Advance({"--to", between.ToString(), "--json"});
  EXPECT_EQ(done.code, 0) << done.err;
  EXPECT_THAT(done.out, HasSubstr(R"("transactions":1,"at_transaction_end":false)"));
  EXPECT_EQ(Ends().size(), 1u);
}

TEST_F(SlotAdvance, FindsTheTransactionAroundThatCommitsMuchLater) {
  sql().Exec("BEGIN");
  Insert("a1");
  const Lsn inside = WalEnd();
  Sql other(conninfo());
  other.Exec("CREATE TABLE business AS SELECT repeat('x', 1000) FROM generate_series(1, 20000) g");
  sql().Exec("COMMIT");
  ASSERT_GT(WalEnd().value() - inside.value(), std::uint64_t{17} << 20);
  ExpectRefused({"--to", inside.ToString()}, "inside a transaction", "leave the slot");
}

TEST_F(SlotAdvance, RefusesAnLsnBeyondTheLog) {
  ExpectRefused({"--to", Plus(WalEnd(), 1 << 30).ToString()}, "beyond the end", "--conninfo");
}

TEST_F(SlotAdvance, RefusesAnOffsetThatEndsNoTransactionOfTheSlot) {
  Insert("a");
  sql().Exec("CHECKPOINT");
  const Lsn of_another = WalEnd();
  Insert("b");
  const auto offset = [](Lsn lsn) { return absl::StrCat("{\"lsn_commit\":", lsn.value(), "}"); };
  ExpectRefused({"--connect-offset", offset(of_another)}, "ends at lsn_commit", "--publication");
  EXPECT_EQ(Advance({"--connect-offset", offset(Ends().at(0))}).code, 0);
  EXPECT_EQ(Ends().size(), 1u);
}

TEST_F(SlotAdvance, TakesTheEndOfATransactionThatHoldsAMessageAlone) {
  sql().Exec("SELECT pg_logical_emit_message(true, 'p', 'x')");
  const Lsn end = sql().LsnOf(
      absl::StrCat("SELECT max(lsn) FROM pg_logical_slot_peek_binary_changes(", Quoted(name()),
                   ", NULL, NULL, 'proto_version', '1', 'messages', 'true', 'publication_names', ",
                   Quoted(name()), ")"));
  const Finished done =
      Advance({"--connect-offset", absl::StrCat("{\"lsn_commit\":", end.value(), "}")});
  EXPECT_EQ(done.code, 0) << done.err;
  EXPECT_EQ(Confirmed(), end);
}

TEST_F(SlotAdvance, RefusesASlotInUse) {
  Insert("a");
  const Lsn end = Ends().at(0);
  Sql walsender(conninfo() + " replication=database");
  walsender.Send(absl::StrCat("START_REPLICATION SLOT ", name(),
                              " LOGICAL 0/0 (proto_version '1', ", "publication_names ",
                              Quoted(name()), ")"));
  const std::string pid = absl::StrCat("SELECT active_pid FROM pg_replication_slots WHERE ",
                                       "slot_name = ", Quoted(name()));
  ASSERT_TRUE(support::WaitUntil(absl::Seconds(10), [&] { return !sql().Scalar(pid).empty(); }));
  ExpectRefused({"--to", end.ToString()}, sql().Scalar(pid), "PUT /connectors/NAME/stop");
}

TEST_F(SlotAdvance, RefusesWhatIsNotThere) {
  Insert("a");
  const std::string end = Ends().at(0).ToString();
  ExpectRefused({"--to", end, "--slot", "no_such_slot"}, "no_such_slot", "--slot");
  ExpectRefused({"--to", end, "--publication", "No Such"}, "No Such", "--publication");
  ExpectRefused({"--to", end, "--conninfo", postgres().Conninfo()}, name(), "dbname");
}

TEST_F(SlotAdvance, RefusesAPublicationThatIsNewerThanTheTransactions) {
  Insert("a");
  const std::string end = Ends().at(0).ToString();
  sql().Exec("CREATE PUBLICATION newer FOR TABLE outbox");
  ExpectRefused({"--to", end, "--publication", "newer"}, "newer", "publication");
}

TEST_F(SlotAdvance, NeedsNoMoreThanReplication) {
  Insert("a");
  const Lsn end = Ends().at(0);
  sql().Exec("CREATE ROLE mover LOGIN REPLICATION");
  const Finished done = Advance(
      {"--to", end.ToString(), "--timeline", "1", "--conninfo",
       absl::StrCat("host=127.0.0.1 port=", postgres().port(), " user=mover dbname=", name())});
  sql().Exec("DROP ROLE mover");
  EXPECT_EQ(done.code, 0) << done.err;
  EXPECT_EQ(Confirmed(), end);
}

TEST_F(SlotAdvance, EndsAtASignalWithNothingChanged) {
  Insert("a");
  const Lsn before = Confirmed();
  const std::string end = Ends().at(0).ToString();
  Sql other(conninfo());
  other.Exec("BEGIN; LOCK TABLE pg_publication IN ACCESS EXCLUSIVE MODE");
  support::Process advance(Command({"--to", end}));
  ASSERT_TRUE(support::WaitUntil(absl::Seconds(10), [&] {
    return sql().Number("SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'") > 0;
  }));
  advance.Signal(SIGINT);
  EXPECT_EQ(advance.WaitExit(absl::Seconds(10)), 1);
  EXPECT_THAT(advance.Err(), HasSubstr("nothing was changed"));
  other.Exec("ROLLBACK");
  EXPECT_EQ(Confirmed(), before);
}

TEST_F(SlotAdvance, IsUnreachableWithoutAServer) {
  EXPECT_EQ(Advance({"--to", "0/5", "--conninfo", "host=127.0.0.1 port=1 dbname=x"}).code, 1);
}

// The log is the same up to the switch, and another after it.
TEST(SlotAdvanceTimeline, OfThePositionIsComparedWithTheServersHistory) {
  support::PostgresServer server;
  ASSERT_TRUE(server.Start().ok());
  std::string data;
  Lsn before_switch;
  {
    Sql sql(server.Conninfo());
    sql.Exec("CREATE TABLE outbox(id int); CREATE PUBLICATION p FOR TABLE outbox");
    sql.Exec("SELECT pg_create_logical_replication_slot('s', 'pgoutput')");
    sql.Exec("INSERT INTO outbox VALUES (1)");
    before_switch = sql.LsnOf("SELECT pg_current_wal_insert_lsn()");
    sql.Exec("ALTER SYSTEM SET restore_command = 'false'");
    data = sql.Scalar("SHOW data_directory");
  }
  // Recovery from an archive that holds nothing ends at once, on a timeline of its own.
  ASSERT_TRUE(server.StopFast().has_value());
  std::ofstream(data + "/recovery.signal").flush();
  ASSERT_TRUE(server.Start().ok());
  Sql sql(server.Conninfo());
  ASSERT_TRUE(support::WaitUntil(
      absl::Seconds(20), [&] { return sql.TryScalar("SELECT pg_is_in_recovery()") == "f"; }));
  sql.Exec("INSERT INTO outbox VALUES (2)");
  const Lsn after_switch = sql.LsnOf("SELECT pg_current_wal_insert_lsn()");
  const auto advance = [&](Lsn target, const std::string& timeline) {
    return support::Run({WalpostBinary(), "slot", "advance", "--conninfo", server.Conninfo(),
                         "--slot", "s", "--publication", "p", "--to", target.ToString(),
                         "--timeline", timeline, "--dry-run"});
  };
  EXPECT_EQ(advance(before_switch, "1").code, 0) << advance(before_switch, "1").err;
  EXPECT_EQ(advance(after_switch, "2").code, 0) << advance(after_switch, "2").err;
  for (const auto& [target, timeline] :
       {std::pair(after_switch, "1"), std::pair(after_switch, "3")}) {
    const Finished refused = advance(target, timeline);
    EXPECT_EQ(refused.code, 3) << refused.out;
    EXPECT_THAT(refused.err, HasSubstr("the server is on timeline 2"));
  }
}

}  // namespace
}  // namespace walpost::integration
