// The scripts of sql/: each can be run twice, and does what it says.
#include <absl/strings/str_cat.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "integration/relay_test.h"

namespace walpost::integration {
namespace {

using support::Finished;
using support::Record;
using support::Sql;
using support::TopicReader;
using ::testing::HasSubstr;

std::string TextOf(const std::string& file) {
  std::ifstream in(absl::StrCat(WALPOST_SQL_DIR, "/", file));
  EXPECT_TRUE(in.good()) << file;
  return {std::istreambuf_iterator<char>(in), {}};
}

std::vector<std::string> AllFiles() {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(WALPOST_SQL_DIR)) {
    if (entry.path().extension() == ".sql") files.push_back(entry.path().filename().string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

class SqlFiles : public DatabaseTest {
 protected:
  void TearDown() override {
    DatabaseTest::TearDown();
    // A role belongs to the whole server.
    Sql(postgres().Conninfo()).Exec("DROP ROLE IF EXISTS walpost");
  }

  void RunFile(const std::string& file) { sql().Exec(TextOf(file)); }
};

TEST_F(SqlFiles, EachCanBeRunTwice) {
  const std::vector<std::string> files = AllFiles();
  EXPECT_GE(files.size(), 9u);
  for (const std::string& file : files) {
    SCOPED_TRACE(file);
    sql().Exec(
        "DROP PUBLICATION IF EXISTS walpost; DROP SCHEMA public CASCADE; CREATE SCHEMA public");
    if (file == "publication.sql") RunFile("outbox_debezium.sql");
    RunFile(file);
    RunFile(file);
  }
}

TEST_F(SqlFiles, TheInboxTakesAnEventOnce) {
  RunFile("inbox.sql");
  const std::string statement = "INSERT INTO public.processed_events (consumer, event_id) VALUES ";
  ASSERT_THAT(TextOf("inbox.sql"), HasSubstr(statement + "($1, $2)\n--   ON CONFLICT DO NOTHING"));
  const auto rows = [&](Sql& session, const std::string& values) {
    return session.Rows(statement + values + " ON CONFLICT DO NOTHING RETURNING 1").size();
  };
  EXPECT_EQ(rows(sql(), "('billing', 'e-1')"), 1u);
  EXPECT_EQ(rows(sql(), "('billing', 'e-1')"), 0u);
  EXPECT_EQ(rows(sql(), "('shipping', 'e-1')"), 1u);
  // What was rolled back was not handled.
  sql().Exec("BEGIN");
  EXPECT_EQ(rows(sql(), "('billing', 'e-2')"), 1u);
  sql().Exec("ROLLBACK");
  EXPECT_EQ(rows(sql(), "('billing', 'e-2')"), 1u);
  EXPECT_EQ(sql().Number("SELECT count(*) FROM public.processed_events"), 3);
}

TEST_F(SqlFiles, PartitionsCanBeAddedAheadAndAgain) {
  RunFile("partitioned.sql");
  sql().Exec("SET TimeZone = 'Pacific/Auckland'");
  sql().Exec("CALL public.outbox_add_partition('2030-03-01')");
  sql().Exec("CALL public.outbox_add_partition('2030-03-01')");
  const std::string insert =
      "INSERT INTO public.outbox(aggregatetype, created_at) VALUES ('order', ";
  sql().Exec(insert + "now())");
  sql().Exec(insert + "now() + interval '6 days')");
  sql().Exec(insert + "'2030-03-01 00:00+00'), ('order', '2030-03-01 23:59+00')");
  EXPECT_FALSE(sql().TryExec(insert + "'2030-03-02 00:00+00')"));
  EXPECT_EQ(sql().Number("SELECT count(*) FROM public.outbox_20300301"), 2);
}

// The relay itself on what the scripts made.
class SqlFilesInUse : public SqlFiles {
 protected:
  void SetUp() override {
    RequireKafka();
    if (IsSkipped() || HasFatalFailure()) return;
    SqlFiles::SetUp();
    const absl::Status created = kafka().CreateTopic(Topic(), 1);
    ASSERT_TRUE(created.ok()) << created.ToString();
  }
  void TearDown() override {
    if (Servers::Get().why_no_kafka().empty()) SqlFiles::TearDown();
  }

  std::string Topic() const { return absl::StrCat(name(), ".order"); }
  // A topic setting with the test's name, which ends in this column.
  std::vector<std::string> TopicFlags(const std::string& column) const {
    return {"--topic", absl::StrCat(name(), ".${", column, "}")};
  }

  // Publishes what was written, with further flags, and answers the one record.
  Record RelayOne(std::vector<std::string> more) {
    TopicReader reader(kafka().bootstrap(), {Topic()});
    std::vector<std::string> flags = Flags();
    const auto replace = [&more](const std::string& flag) {
      return std::find(more.begin(), more.end(), flag) != more.end();
    };
    std::vector<std::string> line;
    for (std::size_t i = 0; i < flags.size(); i += 2) {
      if (!replace(flags[i])) line.insert(line.end(), {flags[i], flags[i + 1]});
    }
    line.insert(line.end(), {"--brokers", kafka().bootstrap()});
    line.insert(line.end(), more.begin(), more.end());
    support::RelayProcess relay(WalpostBinary(), line);
    EXPECT_TRUE(reader.ReadUntilCount(1, absl::Seconds(30))) << relay.process().Err();
    EXPECT_EQ(relay.Terminate().code, 0) << relay.process().Err();
    EXPECT_TRUE(reader.ReadToEnd());
    EXPECT_EQ(reader.records().size(), 1u);
    return reader.records().empty() ? Record() : reader.records().front();
  }

  // Makes table, publication and slot by `walpost setup`, writes one row, and relays it.
  Record RelayRowOf(const std::string& preset, const std::string& insert,
                    std::vector<std::string> more = {}) {
    for (int i = 0; i < 2; ++i) {
      const Finished done = RunVerb("setup", {"--create-table", preset});
      EXPECT_EQ(done.code, 0) << done.err;
    }
    sql().Exec(insert);
    more.insert(more.end(), {"--preset", preset});
    return RelayOne(std::move(more));
  }
};

constexpr const char* kId = "11111111-1111-1111-1111-111111111111";

TEST_F(SqlFilesInUse, TheTableOfDebeziumFitsItsPreset) {
  const Record record = RelayRowOf(
      "debezium",
      absl::StrCat("INSERT INTO public.outbox(id, aggregatetype, aggregateid, type, payload) "
                   "VALUES ('",
                   kId, "', 'order', 'o-1', 'OrderPlaced', '{\"n\": 1}')"),
      TopicFlags("aggregatetype"));
  EXPECT_EQ(record.Id(), kId);
  EXPECT_EQ(record.key, "o-1");
  EXPECT_EQ(record.value, "{\"n\": 1}");
}

TEST_F(SqlFilesInUse, TheTableOfAggregateFitsItsPreset) {
  const Record record = RelayRowOf(
      "aggregate",
      absl::StrCat("INSERT INTO public.outbox(id, aggregate_type, aggregate_id, event_type, "
                   "payload) VALUES ('",
                   kId, "', 'order', 'o-1', 'OrderPlaced', '{\"n\": 1}')"),
      TopicFlags("aggregate_type"));
  EXPECT_EQ(record.Id(), kId);
  EXPECT_EQ(record.key, "o-1");
  EXPECT_EQ(record.Header("eventType"), "OrderPlaced");
  EXPECT_EQ(record.value, "{\"n\": 1}");
}

TEST_F(SqlFilesInUse, TheTableOfTopicFitsItsPreset) {
  const Record record =
      RelayRowOf("topic", absl::StrCat("INSERT INTO public.outbox(id, topic, payload) VALUES ('",
                                       kId, "', '", Topic(), "', '{\"n\": 1}')"));
  EXPECT_EQ(record.Id(), kId);
  EXPECT_EQ(record.key, std::nullopt);
  EXPECT_EQ(record.value, "{\"n\": 1}");
}

TEST_F(SqlFilesInUse, TheTableOfEfcoreFitsItsPreset) {
  const Record record = RelayRowOf(
      "efcore",
      absl::StrCat("INSERT INTO public.\"OutboxMessages\"(\"Id\", \"Type\", \"Payload\") VALUES ('",
                   kId, "', 'order', '{\"n\":   1}')"),
      TopicFlags("Type"));
  EXPECT_EQ(record.Id(), kId);
  EXPECT_EQ(record.key, kId);
  EXPECT_EQ(record.Header("eventType"), "order");
  EXPECT_EQ(record.value, "{\"n\":   1}");
}

TEST_F(SqlFilesInUse, AMessageNeedsNoTable) {
  RunFile("message.sql");
  const std::vector<std::string> publication = {"--publication", "walpost"};
  std::vector<std::string> setup = {"--preset", "message"};
  setup.insert(setup.end(), publication.begin(), publication.end());
  const Finished done = RunVerb("setup", setup);
  ASSERT_EQ(done.code, 0) << done.err;
  sql().Exec(absl::StrCat(
      "SELECT pg_logical_emit_message(true, 'walpost', json_build_object('topic', '", Topic(),
      "', 'key', 'order-4711', 'headers', json_build_object('eventType', 'OrderPlaced'), "
      "'payload', json_build_object('id', 4711))::text)"));
  const Record record = RelayOne(setup);
  EXPECT_EQ(record.key, "order-4711");
  EXPECT_EQ(record.Header("eventType"), "OrderPlaced");
  EXPECT_THAT(record.value.value_or(""), HasSubstr("4711"));
}

// What a relay does with the least that role.sql gives: checks, streaming, and the question what a
// table is a partition of.
TEST_F(SqlFilesInUse, TheRoleIsEnoughToRun) {
  RunFile("partitioned.sql");
  RunFile("publication.sql");
  RunFile("role.sql");
  CreateSlot();
  sql().Exec("REVOKE ALL ON SCHEMA public FROM PUBLIC");
  EXPECT_EQ(sql().Scalar("SELECT rolsuper OR rolcreatedb OR rolcreaterole OR rolbypassrls FROM "
                         "pg_roles WHERE rolname = 'walpost'"),
            "f");
  EXPECT_EQ(sql().Scalar("SELECT has_table_privilege('walpost', 'public.outbox', 'SELECT')"), "f");
  sql().Exec(absl::StrCat("INSERT INTO public.outbox(id, aggregatetype, aggregateid) VALUES ('",
                          kId, "', 'order', 'o-1')"));
  std::vector<std::string> flags = TopicFlags("aggregatetype");
  flags.insert(flags.end(), {"--conninfo", absl::StrCat(conninfo(), " user=walpost"),
                             "--publication", "walpost"});
  const Record record = RelayOne(flags);
  EXPECT_EQ(record.Id(), kId);
  EXPECT_EQ(record.value, std::nullopt);
}

}  // namespace
}  // namespace walpost::integration
