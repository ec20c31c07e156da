// Whole blocks of [[outbox]] against real servers: several tables on one slot, messages,
// CloudEvents, payload types, and what is no event.
#include <absl/strings/str_cat.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "integration/relay_test.h"
#include "support/temp_dir.h"
#include "support/wait.h"

namespace walpost::integration {
namespace {

using support::Record;
using support::TempDir;
using support::TopicReader;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

constexpr char kTrace[] = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

class Mapping : public RelayTest {
 protected:
  void SetUp() override {
    RelayTest::SetUp();
    if (IsSkipped() || HasFatalFailure()) return;
    CreateTopic("out", 1);
  }

  // Starts a relay with these blocks, and waits until it is ready.
  std::unique_ptr<support::RelayProcess> StartWith(const std::string& blocks,
                                                   const support::Environment& environment = {}) {
    auto relay = LaunchWith(blocks, environment);
    EXPECT_TRUE(relay->WaitReady()) << relay->process().Err();
    return relay;
  }
  std::unique_ptr<support::RelayProcess> LaunchWith(const std::string& blocks,
                                                    const support::Environment& environment = {}) {
    const std::string path = folder_.path() + "/walpost.toml";
    std::ofstream(path) << "[postgres]\nconninfo = \"" << conninfo() << "\"\nslot = \"" << name()
                        << "\"\npublication = \"" << name() << "\"\n[kafka]\nbrokers = \""
                        << kafka().bootstrap() << "\"\n"
                        << blocks;
    return std::make_unique<support::RelayProcess>(
        WalpostBinary(), std::vector<std::string>{"--config", path}, environment);
  }

  // What is in the topic once `count` records are.
  std::vector<Record> Records(std::size_t count) {
    TopicReader reader = Reader({"out"});
    EXPECT_TRUE(reader.ReadUntilCount(count, absl::Seconds(30)));
    EXPECT_TRUE(reader.ReadToEnd());
    EXPECT_EQ(reader.records().size(), count);
    std::vector<Record> records = reader.records();
    records.resize(count);
    return records;
  }

  TempDir folder_{"walpost-mapping"};
};

TEST_F(Mapping, SeveralTablesShareASlotEachWithItsOwnRules) {
  sql().Exec(
      "CREATE SCHEMA \"My Shop\"; CREATE TABLE \"My Shop\".\"Out Box\"(\"Id\" uuid PRIMARY KEY, "
      "\"Body\" bytea, \"Part\" int, \"At\" timestamptz, headers jsonb)");
  sql().Exec(absl::StrCat("ALTER PUBLICATION ", name(), " ADD TABLE \"My Shop\".\"Out Box\""));
  auto relay = StartWith(absl::StrCat(
      "[[outbox]]\ntable = \"outbox\"\ntopic = \"", Topic("out"),
      "\"\nkey = \"payload:/order/id\"\nheaders = { eventType = \"type\", origin = \"'shop'\" }\n",
      "[[outbox]]\ntable = '\"My Shop\".\"Out Box\"'\nid = \"Id\"\npayload = \"Body\"\n"
      "value = \"bytes\"\nkey = \"\"\npartition = \"Part\"\ntimestamp = \"At\"\n"
      "headers_from = \"headers\"\ntopic = \"",
      Topic("out"), "\"\n"));
  sql().Exec(
      "INSERT INTO outbox(aggregatetype, aggregateid, type, payload) VALUES "
      "('x', 'y', 'Placed', '{\"order\": {\"id\": 42}}')");
  sql().Exec(absl::StrCat(
      "INSERT INTO \"My Shop\".\"Out Box\" VALUES ('11111111-1111-1111-1111-111111111111', "
      "'\\x00ff'::bytea, 0, '1970-01-01 00:00:00+00', '{\"n\": 1.50, \"traceparent\": \"",
      kTrace, "\"}')"));
  const std::vector<Record> records = Records(2);
  EXPECT_EQ(records[0].key, "42");
  EXPECT_EQ(records[0].Header("eventType"), "Placed");
  EXPECT_EQ(records[0].Header("origin"), "shop");
  EXPECT_EQ(records[1].key, std::nullopt);
  EXPECT_EQ(records[1].value, std::string("\0\xff", 2));
  EXPECT_EQ(records[1].timestamp_ms, 0);
  EXPECT_EQ(records[1].Header("n"), "1.50");
  EXPECT_EQ(records[1].Header("traceparent"), kTrace);
  EXPECT_EQ(relay->Terminate().code, 0);
}

// Variables of libpq that count for more than the options of a connection.
TEST_F(Mapping, TextOfAColumnDoesNotDependOnTheEnvironment) {
  sql().Exec("ALTER TABLE outbox ADD COLUMN at timestamptz");
  auto relay = StartWith(absl::StrCat("[[outbox]]\ntable = \"outbox\"\ntopic = \"", Topic("out"),
                                      "\"\nheaders = { at = \"at\" }\ntimestamp = \"at\"\n"),
                         {{"PGDATESTYLE", "German, DMY"}, {"PGTZ", "Asia/Tokyo"}});
  sql().Exec(
      "INSERT INTO outbox(aggregatetype, payload, at) VALUES ('x', '{}', '2026-03-04 "
      "05:06:07.5+00')");
  const std::vector<Record> records = Records(1);
  EXPECT_EQ(records[0].Header("at"), "2026-03-04 05:06:07.5+00");
  EXPECT_EQ(records[0].timestamp_ms, 1772600767500);
  EXPECT_EQ(relay->Terminate().code, 0);
}

TEST_F(Mapping, APartitionThatATopicOfItsOwnMakingLacksIsPoison) {
  sql().Exec("ALTER TABLE outbox ADD COLUMN part int");
  auto relay = StartWith(
      absl::StrCat("[relay]\non_poison = \"skip\"\n[[outbox]]\ntable = ", "\"outbox\"\ntopic = \"",
                   Topic("made"), "\"\npartition = \"part\"\n"));
  sql().Exec(
      "INSERT INTO outbox(aggregatetype, payload, part) VALUES ('x', '{}', 9), ('x', '{}', 0)");
  EXPECT_TRUE(support::WaitUntil(absl::Seconds(60), [&] {
    return relay->Metric("walpost_events_published_total") == 1;
  })) << relay->process().Err();
  EXPECT_EQ(relay->Metric("walpost_poison_events_total{reason=\"partition\",action=\"skip\"}"), 1);
  TopicReader reader = Reader({"made"});
  EXPECT_TRUE(reader.ReadUntilCount(1, absl::Seconds(30)));
  EXPECT_EQ(relay->Terminate().code, 0);
}

TEST_F(Mapping, ATracingColumnOfDebeziumsBecomesHeaders) {
  sql().Exec("ALTER TABLE outbox ADD COLUMN tracingspancontext text");
  auto relay = StartWith(absl::StrCat("[[outbox]]\ntable = \"outbox\"\ntopic = \"", Topic("out"),
                                      "\"\ntracing = \"tracingspancontext\"\n"));
  sql().Exec(absl::StrCat(
      "INSERT INTO outbox(aggregatetype, payload, tracingspancontext) VALUES ('x', '{}', "
      "E'#Tue Dec 01 05:00:00 UTC 2026\\ntraceparent=",
      kTrace, "\\ntracestate=a\\\\=1\\n')"));
  const Record record = Records(1)[0];
  ASSERT_EQ(record.headers.size(), 3u);
  EXPECT_THAT(record.headers[0], Pair("traceparent", std::optional<std::string>(kTrace)));
  EXPECT_THAT(record.headers[1], Pair("tracestate", std::optional<std::string>("a=1")));
  EXPECT_EQ(record.headers[2].first, "id");
  EXPECT_EQ(relay->Terminate().code, 0);
}

TEST_F(Mapping, ACloudEventIsOneInBothModes) {
  const std::string block = absl::StrCat("[[outbox]]\ntable = \"outbox\"\ntopic = \"", Topic("out"),
                                         "\"\nvalue = \"cloudevents\"\ncloudevents = { source = "
                                         "\"'/shop'\", type = \"type\" }\n");
  {
    auto binary = StartWith(block);
    sql().Exec(
        "INSERT INTO outbox(aggregatetype, type, payload) VALUES ('x', 'Placed', '{\"a\": 1}')");
    const Record record = Records(1)[0];
    EXPECT_EQ(record.value, "{\"a\": 1}");
    EXPECT_EQ(record.Header("ce_specversion"), "1.0");
    EXPECT_EQ(record.Header("ce_id"), record.Id());
    EXPECT_EQ(record.Header("ce_source"), "/shop");
    EXPECT_EQ(record.Header("ce_type"), "Placed");
    EXPECT_THAT(record.Header("ce_time"), testing::EndsWith("Z"));
    EXPECT_EQ(record.Header("content-type"), "application/json");
    EXPECT_EQ(binary->Terminate().code, 0);
  }
  auto structured = StartWith(block + "cloudevents_mode = \"structured\"\n");
  sql().Exec("INSERT INTO outbox(aggregatetype, type, payload) VALUES ('x', 'Paid', '{\"a\": 1}')");
  const Record record = Records(2)[1];
  EXPECT_EQ(record.Header("content-type"), "application/cloudevents+json; charset=UTF-8");
  EXPECT_THAT(*record.value, HasSubstr(R"("specversion":"1.0","source":"/shop","type":"Paid")"));
  EXPECT_THAT(*record.value, HasSubstr(R"("data":{"a":1})"));
  EXPECT_EQ(structured->Terminate().code, 0);
}

TEST_F(Mapping, MessagesAreEventsBesideATableAndRolledBackOnesOnlyWhereAskedFor) {
  auto relay = StartWith(absl::StrCat("[[outbox]]\ntable = \"outbox\"\ntopic = \"", Topic("out"),
                                      "\"\n[[outbox]]\npreset = \"message\"\nprefix = \"shop\"\n"
                                      "message_scope = \"all\"\n"));
  const auto emit = [&](bool transactional, const std::string& key, const std::string& prefix) {
    sql().Exec(absl::StrCat("SELECT pg_logical_emit_message(", transactional ? "true" : "false",
                            ", '", prefix, "', json_build_object('topic', '", Topic("out"),
                            "', 'key', '", key, "', 'payload', json_build_object('n', 1))::text)"));
  };
  emit(true, "first", "shop");
  sql().Exec("BEGIN");
  emit(true, "rolled back", "shop");
  emit(false, "not transactional", "shop");
  emit(false, "foreign", "audit");
  sql().Exec("ROLLBACK");
  sql().Exec("BEGIN");
  emit(true, "with a row", "shop");
  sql().Exec("INSERT INTO outbox(aggregatetype, aggregateid, payload) VALUES ('x', 'row', '{}')");
  sql().Exec("COMMIT");
  std::vector<std::string> keys;
  for (const Record& record : Records(4)) keys.push_back(record.key.value_or("NULL"));
  EXPECT_THAT(keys, ElementsAre("first", "not transactional", "with a row", "row"));
  EXPECT_EQ(relay->Terminate().code, 0);
}

TEST_F(Mapping, AMessageThatDoesNotParseStopsTheRelayWithNothingOfItConfirmed) {
  const Lsn before = Confirmed();
  auto relay = StartWith("[[outbox]]\npreset = \"message\"\n");
  sql().Exec("SELECT pg_logical_emit_message(true, 'walpost', 'no JSON')");
  EXPECT_EQ(relay->process().WaitExit(absl::Seconds(20)), 4);
  EXPECT_THAT(relay->process().Err(), HasSubstr("message with id "));
  EXPECT_THAT(relay->process().Err(), HasSubstr("not JSON"));
  EXPECT_THAT(relay->process().Err(), testing::Not(HasSubstr("no JSON")));
  EXPECT_GE(Confirmed(), before);
  auto again = LaunchWith("[[outbox]]\npreset = \"message\"\n");
  EXPECT_EQ(again->process().WaitExit(absl::Seconds(20)), 4) << "it comes again";
}

TEST_F(Mapping, ARowThatIsDeletedInItsTransactionIsOneEventAndAnUpdateIsNone) {
  sql().Exec(
      absl::StrCat("ALTER PUBLICATION ", name(), " SET (publish = 'insert, update, delete')"));
  auto relay =
      StartWith(absl::StrCat("[[outbox]]\ntable = \"outbox\"\ntopic = \"", Topic("out"), "\"\n"));
  sql().Exec("BEGIN");
  sql().Exec("INSERT INTO outbox(aggregatetype, aggregateid, payload) VALUES ('x', 'gone', '{}')");
  sql().Exec("DELETE FROM outbox");
  sql().Exec("COMMIT");
  sql().Exec("INSERT INTO outbox(aggregatetype, aggregateid, payload) VALUES ('x', 'kept', '{}')");
  sql().Exec("UPDATE outbox SET type = 'x'");
  sql().Exec("UPDATE outbox SET type = 'y'");
  sql().Exec("DELETE FROM outbox");
  sql().Exec("INSERT INTO outbox(aggregatetype, aggregateid, payload) VALUES ('x', 'last', '{}')");
  std::vector<std::string> keys;
  for (const Record& record : Records(3)) keys.push_back(record.key.value_or("NULL"));
  EXPECT_THAT(keys, ElementsAre("gone", "kept", "last"));
  EXPECT_EQ(relay->Metric("walpost_updates_ignored_total"), 2);
  EXPECT_EQ(relay->Terminate().code, 0);
}

TEST_F(Mapping, AnUpdateStopsTheRelayWhereThatIsAskedFor) {
  sql().Exec(absl::StrCat("ALTER PUBLICATION ", name(), " SET (publish = 'insert, update')"));
  auto relay = StartWith(absl::StrCat("[[outbox]]\ntable = \"outbox\"\ntopic = \"", Topic("out"),
                                      "\"\n[relay]\non_update = \"halt\"\n"));
  Insert("x", 1);
  sql().Exec("UPDATE outbox SET type = 'x'");
  EXPECT_EQ(relay->process().WaitExit(absl::Seconds(20)), 4);
  EXPECT_THAT(relay->process().Err(), HasSubstr("public.outbox"));
  EXPECT_EQ(Records(1).size(), 1u);
}

}  // namespace
}  // namespace walpost::integration
