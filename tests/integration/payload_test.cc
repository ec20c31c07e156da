// What a record holds: the bytes of the column, whatever the role, the table and the DDL do.
#include <absl/strings/str_cat.h>
#include <gtest/gtest.h>

#include <fstream>

#include "integration/relay_test.h"
#include "support/temp_dir.h"

namespace walpost::integration {
namespace {

using support::Quoted;
using support::Record;
using support::TempDir;
using support::TopicReader;

class Payload : public RelayTest {
 protected:
  // Reads one topic of one partition until `count` records are there.
  std::vector<Record> Records(const std::string& type, std::size_t count) {
    TopicReader reader = Reader({type});
    EXPECT_TRUE(reader.ReadUntilCount(count, absl::Seconds(30)));
    std::vector<Record> records = reader.records();
    records.resize(count);
    return records;
  }

  // A configuration file for this test, with its outbox block's keys.
  std::string WriteConfig(const TempDir& dir, const std::string& outbox_keys) {
    const std::string path = dir.path() + "/walpost.toml";
    std::ofstream(path) << "[postgres]\nconninfo = \"" << conninfo() << "\"\nslot = \"" << name()
                        << "\"\npublication = \"" << name() << "\"\n[kafka]\nbrokers = \""
                        << kafka().bootstrap() << "\"\n[[outbox]]\ntable = \"public.outbox\"\n"
                        << outbox_keys;
    return path;
  }
};

TEST_F(Payload, NumbersAreNotTouched) {
  CreateTopic("order", 1);
  auto relay = StartRelay();
  sql().Exec(
      "INSERT INTO outbox(aggregatetype, aggregateid, type, payload) VALUES ('order', 'k', 'T', "
      "'{\"n\":9007199254740993,\"d\":0.1000000000000000055511151231257827,\"e\":1e400}')");
  const std::string text = sql().Scalar("SELECT payload::text FROM outbox");
  EXPECT_EQ(Records("order", 1)[0].value, text);
}

TEST_F(Payload, NullIsATombstoneAndJsonNullIsText) {
  CreateTopic("order", 1);
  auto relay = StartRelay();
  sql().Exec(
      "INSERT INTO outbox(aggregatetype, aggregateid, type, payload) VALUES "
      "('order', 'k', 'T', NULL), ('order', 'k', 'T', 'null'), ('order', 'k', 'T', '{}'), "
      "('order', 'k', 'T', '\"\"')");
  const std::vector<Record> records = Records("order", 4);
  EXPECT_EQ(records[0].value, std::nullopt);
  EXPECT_EQ(records[1].value, "null");
  EXPECT_EQ(records[2].value, "{}");
  EXPECT_EQ(records[3].value, "\"\"");
}

TEST_F(Payload, NullKeyAndEmptyKeyDiffer) {
  CreateTopic("order", 1);
  auto relay = StartRelay();
  sql().Exec(
      "INSERT INTO outbox(aggregatetype, aggregateid, type, payload) VALUES "
      "('order', NULL, 'T', '{}'), ('order', '', 'T', '{}')");
  const std::vector<Record> records = Records("order", 2);
  EXPECT_EQ(records[0].key, std::nullopt);
  EXPECT_EQ(records[1].key, "");
}

TEST_F(Payload, LargeAndUnicodeTextArrivesWhole) {
  CreateTopic("order", 1);
  auto relay = StartRelay();
  sql().Exec(
      "ALTER TABLE outbox ALTER payload SET STORAGE EXTERNAL; "
      "INSERT INTO outbox(aggregatetype, aggregateid, type, payload) VALUES ('order', "
      "'\u00dcn\u00ef/\u2615', 'T', jsonb_build_object('pad', repeat('na\u00efve \u65e5\u672c ', "
      "20000)))");
  const Record record = Records("order", 1)[0];
  EXPECT_EQ(record.key, "\u00dcn\u00ef/\u2615");
  EXPECT_EQ(record.value, sql().Scalar("SELECT payload::text FROM outbox"));
}

TEST_F(Payload, SettingsOfTheRoleDoNotChangeBytes) {
  CreateTopic("order", 1);
  sql().Exec(absl::StrCat(
      "ALTER TABLE outbox ALTER payload TYPE text, ADD at timestamptz, ADD raw bytea, "
      "ADD span interval, ADD ratio float8; CREATE ROLE ",
      name(), " LOGIN REPLICATION; ALTER ROLE ", name(),
      " SET bytea_output = 'escape'; ALTER ROLE ", name(), " SET DateStyle = 'German'; ",
      "ALTER ROLE ", name(), " SET TimeZone = 'Asia/Kathmandu'; ALTER ROLE ", name(),
      " SET IntervalStyle = 'iso_8601'; ALTER ROLE ", name(), " SET extra_float_digits = -15"));
  const TempDir dir("config");
  const std::string config =
      WriteConfig(dir, absl::StrCat("topic = \"", name(), ".${aggregatetype}\"\n",
                                    "headers = { at = \"at\", raw = \"raw\", span = \"span\", ",
                                    "ratio = \"ratio\" }\n"));
  const std::string as_role = absl::StrCat(conninfo(), " user=", name());
  {
    support::RelayProcess relay(WalpostBinary(), {"--config", config, "--conninfo", as_role});
    sql().Exec(
        "INSERT INTO outbox(aggregatetype, aggregateid, type, payload, at, raw, span, ratio) "
        "VALUES ('order', 'k', 'T', ' as  it is ', '2024-02-29 12:34:56.789123+00', '\\x00ff', "
        "'1 day 02:03:04', 0.1)");
    const Record record = Records("order", 1)[0];
    EXPECT_EQ(record.value, " as  it is ") << relay.process().Err();
    EXPECT_EQ(record.Header("at"), "2024-02-29 12:34:56.789123+00");
    EXPECT_EQ(record.Header("raw"), "\\x00ff");
    EXPECT_EQ(record.Header("span"), "1 day 02:03:04");
    EXPECT_EQ(record.Header("ratio"), "0.1");
  }
  sql().Exec(absl::StrCat("DROP ROLE ", name()));
}

TEST_F(Payload, TimestampIsTheCommitInMilliseconds) {
  CreateTopic("order", 1);
  auto relay = StartRelay();
  Insert("order", 1);
  const long committed_ms = sql().Number(
      "SELECT floor(extract(epoch FROM pg_xact_commit_timestamp(xmin)) * 1000)::bigint FROM "
      "outbox");
  EXPECT_EQ(Records("order", 1)[0].timestamp_ms, committed_ms);
}

TEST_F(Payload, TopicKeyAndHeadersComeFromTheFile) {
  CreateTopic("t-orders", 1);
  const TempDir dir("config");
  const std::string config = WriteConfig(
      dir, absl::StrCat("topic = \"", name(), ".t-${aggregatetype}s\"\n",
                        "key = \"payload:/customer/id\"\n", "headers = { eventType = \"type\", ",
                        "tenant = \"payload:/tenant\" }\n"));
  support::RelayProcess relay(WalpostBinary(), {"--config", config});
  sql().Exec(
      "INSERT INTO outbox(aggregatetype, aggregateid, type, payload) VALUES ('order', 'k', "
      "'OrderPlaced', '{\"customer\": {\"id\": \"c-7\"}, \"tenant\": \"acme\"}')");
  const Record record = Records("t-orders", 1)[0];
  EXPECT_EQ(record.key, "c-7") << relay.process().Err();
  EXPECT_EQ(record.Header("eventType"), "OrderPlaced");
  EXPECT_EQ(record.Header("tenant"), "acme");
  EXPECT_EQ(record.Id(), IdsInTable().at(0));
}

TEST_F(Payload, OtherOperationsAndTypesLetTheStreamFlow) {
  CreateTopic("order", 1);
  sql().Exec(absl::StrCat("ALTER PUBLICATION ", name(),
                          " SET (publish = 'insert, update, delete, truncate')"));
  auto relay = StartRelay();
  sql().Exec("CREATE TYPE st AS ENUM ('a'); ALTER TABLE outbox ADD s st");
  Insert("order", 2);
  sql().Exec("UPDATE outbox SET s = 'a', type = 'Changed'");
  sql().Exec("DELETE FROM outbox WHERE seq = 1");
  sql().Exec("TRUNCATE outbox");
  Insert("order", 1);
  sql().Exec("ALTER TABLE outbox DROP s");
  Insert("order", 1);
  TopicReader reader = Reader({"order"});
  EXPECT_TRUE(reader.ReadUntilDistinct(4, absl::Seconds(20))) << relay->process().Err();
  EXPECT_TRUE(reader.ReadToEnd());
  EXPECT_EQ(reader.records().size(), 4u);
  for (const std::string& id : IdsInTable()) EXPECT_TRUE(reader.Has(id));
}

TEST_F(Payload, OtherTablesOfThePublicationAreNoEvents) {
  CreateTopic("order", 1);
  sql().Exec(
      absl::StrCat("CREATE TABLE other(n int); ALTER PUBLICATION ", name(), " ADD TABLE other"));
  auto relay = StartRelay();
  sql().Exec("INSERT INTO other SELECT generate_series(1, 100)");
  Insert("order", 1);
  TopicReader reader = Reader({"order"});
  ExpectDelivered(reader);
  EXPECT_EQ(reader.records().size(), 1u);
}

}  // namespace
}  // namespace walpost::integration
