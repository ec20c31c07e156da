// Wrong input and wrong surroundings: one clear line, a hint, the exit code of the contract, and
// nothing confirmed.
#include <absl/strings/match.h>
#include <absl/strings/str_cat.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "integration/relay_test.h"
#include "support/free_port.h"

namespace walpost::integration {
namespace {

using support::Environment;
using support::Finished;
using support::PostgresServer;
using support::Quoted;
using support::Sql;
using ::testing::HasSubstr;
using ::testing::Not;

// Retried failures end after this long instead of the default.
const std::vector<std::string> kSoon = {"--start-timeout", "2s"};

class BadInput : public DatabaseTest {
 protected:
  void SetUp() override {
    RequireKafka();
    if (IsSkipped() || HasFatalFailure()) return;
    DatabaseTest::SetUp();
  }

  // With a good broker, so that one thing is wrong at a time.
  std::vector<std::string> RunArguments(std::vector<std::string> more) {
    more.insert(more.begin(), kSoon.begin(), kSoon.end());
    if (std::find(more.begin(), more.end(), "--brokers") == more.end()) {
      more.insert(more.end(), {"--brokers", kafka().bootstrap()});
    }
    return more;
  }

  // One error line that names all of `names` and hints.
  static void ExpectOneLine(const Finished& finished, int code,
                            const std::vector<std::string>& names) {
    EXPECT_EQ(finished.code, code) << finished.err;
    const std::vector<std::string> errors = ErrorLines(finished.err);
    ASSERT_EQ(errors.size(), 1u) << finished.err;
    for (const std::string& name : names) EXPECT_THAT(errors[0], HasSubstr(name));
    EXPECT_THAT(errors[0], HasSubstr("hint: "));
    EXPECT_THAT(finished.err, Not(HasSubstr("hunter2")));
  }

  void ExpectRunFails(int code, const std::vector<std::string>& names,
                      const std::vector<std::string>& more = {}) {
    ExpectOneLine(RunVerb("run", RunArguments(more)), code, names);
  }
  void ExpectSetupFails(int code, const std::vector<std::string>& names,
                        const std::vector<std::string>& more = {}) {
    ExpectOneLine(RunVerb("setup", more), code, names);
  }

  void MakeAll() {
    CreateOutbox();
    CreatePublication();
    CreateSlot();
  }
};

TEST_F(BadInput, ConninfoThatDoesNotParse) {
  const std::vector<std::string> wrong = {"--conninfo", "host=127.0.0.1 nonsense password=hunter2"};
  ExpectRunFails(2, {"conninfo"}, wrong);
  ExpectSetupFails(2, {"conninfo"}, wrong);
}

TEST_F(BadInput, UnreachableServer) {
  const std::string port = absl::StrCat(support::FreePort());
  const std::vector<std::string> wrong = {
      "--conninfo", absl::StrCat("host=127.0.0.1 port=", port, " dbname=shop user=walpost")};
  ExpectRunFails(1, {"127.0.0.1", port, "conninfo"}, wrong);
  ExpectSetupFails(1, {"127.0.0.1", port, "conninfo"}, wrong);
}

TEST_F(BadInput, MissingDatabase) {
  const std::vector<std::string> wrong = {"--conninfo", postgres().Conninfo("no_such_db")};
  ExpectRunFails(3, {"no_such_db"}, wrong);
  ExpectSetupFails(3, {"no_such_db"}, wrong);
}

TEST_F(BadInput, WrongPassword) {
  MakeAll();
  const Lsn before = Confirmed();
  sql().Exec(absl::StrCat("CREATE ROLE ", name(), " LOGIN REPLICATION PASSWORD 'right'"));
  postgres().PrependHba(absl::StrCat("host all ", name(), " 127.0.0.1/32 scram-sha-256\n"));
  const std::vector<std::string> wrong = {
      "--conninfo", absl::StrCat(conninfo(), " user=", name(), " password=hunter2")};
  ExpectRunFails(3, {name(), "password"}, wrong);
  ExpectSetupFails(3, {name(), "password"}, wrong);
  EXPECT_EQ(Confirmed(), before);
  sql().Exec(absl::StrCat("DROP ROLE ", name()));
}

TEST_F(BadInput, WalLevelThatIsNotLogical) {
  PostgresServer replica("wal_level = replica");
  ASSERT_TRUE(replica.Start().ok());
  Sql(replica.Conninfo())
      .Exec(
          "CREATE TABLE outbox(id uuid, aggregatetype text, aggregateid text, type text, payload "
          "jsonb)");
  const std::vector<std::string> wrong = {"--conninfo", replica.Conninfo()};
  ExpectRunFails(3, {"wal_level"}, wrong);
  ExpectSetupFails(3, {"wal_level"}, wrong);
}

TEST_F(BadInput, RoleWithoutReplication) {
  MakeAll();
  const Lsn before = Confirmed();
  sql().Exec(absl::StrCat("CREATE ROLE ", name(), " LOGIN; ALTER TABLE outbox OWNER TO ", name(),
                          "; GRANT CREATE ON DATABASE ", name(), " TO ", name()));
  const std::vector<std::string> wrong = {"--conninfo", absl::StrCat(conninfo(), " user=", name())};
  ExpectRunFails(3, {name(), "REPLICATION"}, wrong);
  std::vector<std::string> fresh = wrong;
  fresh.insert(fresh.end(), {"--slot", name() + "_new"});
  ExpectSetupFails(3, {name(), "REPLICATION"}, fresh);
  EXPECT_EQ(Confirmed(), before);
  sql().Exec(absl::StrCat("DROP OWNED BY ", name(), " CASCADE; DROP ROLE ", name()));
}

TEST_F(BadInput, SlotOfAnotherPlugin) {
  CreateOutbox();
  CreatePublication();
  sql().Exec(absl::StrCat("SELECT pg_create_logical_replication_slot(", Quoted(name()),
                          ", 'test_decoding')"));
  const Lsn before = Confirmed();
  ExpectRunFails(3, {name(), "test_decoding", "pgoutput"});
  ExpectSetupFails(3, {name(), "test_decoding", "pgoutput"});
  EXPECT_EQ(Confirmed(), before);
}

TEST_F(BadInput, SlotOfAnotherDatabase) {
  CreateOutbox();
  CreatePublication();
  Sql other(postgres().Conninfo());
  other.Exec(
      absl::StrCat("SELECT pg_create_logical_replication_slot(", Quoted(name()), ", 'pgoutput')"));
  const Lsn before = Confirmed();
  ExpectRunFails(3, {name(), "postgres"});
  ExpectSetupFails(3, {name(), "postgres"});
  EXPECT_EQ(Confirmed(), before);
  other.Exec(absl::StrCat("SELECT pg_drop_replication_slot(", Quoted(name()), ")"));
}

TEST_F(BadInput, PhysicalSlot) {
  CreateOutbox();
  CreatePublication();
  sql().Exec(absl::StrCat("SELECT pg_create_physical_replication_slot(", Quoted(name()), ")"));
  ExpectRunFails(3, {name(), "physical"});
  ExpectSetupFails(3, {name(), "physical"});
  sql().Exec(absl::StrCat("SELECT pg_drop_replication_slot(", Quoted(name()), ")"));
}

TEST_F(BadInput, MissingSlot) {
  CreateOutbox();
  CreatePublication();
  ExpectRunFails(3, {name(), "slot", "walpost setup"});
  // It is never made on the quiet: that would hide a loss.
  EXPECT_EQ(sql().Number(absl::StrCat(
                "SELECT count(*) FROM pg_replication_slots WHERE slot_name = ", Quoted(name()))),
            0);
}

TEST_F(BadInput, MissingPublication) {
  CreateOutbox();
  CreateSlot();
  const Lsn before = Confirmed();
  ExpectRunFails(3, {name(), "publication"});
  EXPECT_EQ(Confirmed(), before);
}

// The rows before the publication cannot be decoded with it; passing over them would lose them.
TEST_F(BadInput, SlotOlderThanItsPublication) {
  CreateOutbox();
  CreateSlot();
  const Lsn before = Confirmed();
  sql().Exec(
      "INSERT INTO outbox (aggregatetype, aggregateid, payload) VALUES ('order', 'o', '{}')");
  CreatePublication();
  ExpectRunFails(3, {name(), "publication"});
  EXPECT_EQ(Confirmed(), before);
}

TEST_F(BadInput, TableThatThePublicationLacks) {
  MakeAll();
  sql().Exec("CREATE TABLE outbox2 (LIKE outbox INCLUDING ALL)");
  const Lsn before = Confirmed();
  ExpectRunFails(3, {"public.outbox2", name(), "ALTER PUBLICATION"}, {"--table", "public.outbox2"});
  EXPECT_EQ(Confirmed(), before);
}

TEST_F(BadInput, MissingTable) {
  MakeAll();
  const Lsn before = Confirmed();
  ExpectRunFails(3, {"public.no_such_table"}, {"--table", "public.no_such_table"});
  ExpectSetupFails(3, {"public.no_such_table"}, {"--table", "public.no_such_table"});
  EXPECT_EQ(Confirmed(), before);
}

TEST_F(BadInput, MissingColumn) {
  MakeAll();
  sql().Exec("ALTER TABLE outbox DROP aggregateid");
  const Lsn before = Confirmed();
  ExpectRunFails(3, {"public.outbox", "aggregateid"});
  EXPECT_EQ(Confirmed(), before);
}

TEST_F(BadInput, UnreachableBroker) {
  MakeAll();
  Sql(conninfo())
      .Exec(
          "INSERT INTO outbox(aggregatetype, aggregateid, type, payload) VALUES ('order', 'k', "
          "'T', '{}')");
  const Lsn before = Confirmed();
  const std::string broker = absl::StrCat("127.0.0.1:", support::FreePort());
  ExpectRunFails(1, {broker, "brokers"}, {"--brokers", broker});
  EXPECT_EQ(Confirmed(), before);
}

TEST_F(BadInput, BrokerThatDoesNotSpeakKafka) {
  MakeAll();
  const Lsn before = Confirmed();
  const std::string broker = absl::StrCat("127.0.0.1:", postgres().port());
  ExpectRunFails(1, {broker, "brokers"}, {"--brokers", broker});
  EXPECT_EQ(Confirmed(), before);
}

TEST_F(BadInput, NoBrokersAtAll) {
  MakeAll();
  const Finished finished = RunVerb("run", kSoon);
  ExpectOneLine(finished, 2, {"brokers"});
}

TEST_F(BadInput, UnknownKafkaProperty) {
  MakeAll();
  ExpectRunFails(2, {"no.such.property"}, {"--kafka-property", "no.such.property=1"});
}

TEST_F(BadInput, UnknownFlagAndVerb) {
  const Finished flag = support::Run({WalpostBinary(), "run", "--no-such-flag"});
  EXPECT_EQ(flag.code, 2) << flag.err;
  EXPECT_THAT(flag.err, HasSubstr("--no-such-flag"));
  const Finished verb = support::Run({WalpostBinary(), "no-such-verb"});
  EXPECT_EQ(verb.code, 2) << verb.err;
  EXPECT_THAT(verb.err, HasSubstr("no-such-verb"));
}

}  // namespace
}  // namespace walpost::integration
