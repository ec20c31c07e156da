#include "integration/relay_test.h"

#include <absl/strings/ascii.h>
#include <absl/strings/match.h>
#include <absl/strings/str_cat.h>
#include <absl/strings/str_split.h>
#include <absl/time/clock.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <map>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "base/strings.h"
#include "support/wait.h"

namespace walpost::integration {
namespace {

using support::Quoted;
using support::Sql;

// Lower case, digits and underscores, short enough for a slot; unique within the binary.
std::string NameOfThisTest() {
  const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
  const std::string full = absl::StrCat(test->test_suite_name(), "_", test->name());
  std::string name = absl::AsciiStrToLower(full).substr(0, 40);
  std::replace_if(
      name.begin(), name.end(),
      [](char c) { return !absl::ascii_isalnum(static_cast<unsigned char>(c)); }, '_');
  return absl::StrCat(name, "_", std::hash<std::string>{}(full) % 100000);
}

}  // namespace

void DatabaseTest::SetUp() {
  name_ = NameOfThisTest();
  Sql(postgres().Conninfo()).Exec(absl::StrCat("CREATE DATABASE ", name_));
  sql_ = std::make_unique<Sql>(conninfo());
}

void DatabaseTest::RequireKafka() {
  const std::string& why_not = Servers::Get().why_no_kafka();
  if (why_not.empty()) return;
  if (std::getenv("CI") != nullptr) FAIL() << why_not;
  GTEST_SKIP() << why_not;
}

void DatabaseTest::TearDown() {
  if (sql_ == nullptr) return;
  sql_.reset();
  // A failed test may have left it stopped; starting a running server changes nothing.
  (void)postgres().Start();
  Sql admin(postgres().Conninfo());
  const auto slots = absl::StrCat("FROM pg_replication_slots WHERE database = ", Quoted(name_));
  admin.Exec(absl::StrCat("SELECT pg_terminate_backend(active_pid) ", slots, " AND active"));
  EXPECT_TRUE(support::WaitUntil(absl::Seconds(10),
                                 [&] {
                                   return admin.TryExec(absl::StrCat(
                                       "SELECT pg_drop_replication_slot(slot_name) ", slots));
                                 }))
      << "a slot of " << name_ << " stayed in use";
  admin.Exec(absl::StrCat("DROP DATABASE ", name_, " WITH (FORCE)"));
}

void DatabaseTest::CreateOutbox() {
  sql().Exec(
      "CREATE TABLE outbox(id uuid PRIMARY KEY DEFAULT gen_random_uuid(), seq bigserial, "
      "aggregatetype text, aggregateid text, type text, payload jsonb)");
}

void DatabaseTest::CreatePublication() {
  sql().Exec(
      absl::StrCat("CREATE PUBLICATION ", name_, " FOR TABLE outbox WITH (publish = 'insert')"));
}

void DatabaseTest::CreateSlot() {
  sql().Exec(
      absl::StrCat("SELECT pg_create_logical_replication_slot(", Quoted(name_), ", 'pgoutput')"));
}

Lsn DatabaseTest::Confirmed() {
  return sql().LsnOf(absl::StrCat(
      "SELECT confirmed_flush_lsn FROM pg_replication_slots WHERE slot_name = ", Quoted(name_)));
}

std::vector<std::string> DatabaseTest::Flags() {
  return {"--conninfo", conninfo(), "--slot", name_, "--publication", name_};
}

support::Finished DatabaseTest::RunVerb(const std::string& verb,
                                        const std::vector<std::string>& more,
                                        const support::Environment& environment,
                                        absl::Duration limit) {
  std::vector<std::string> line = {WalpostBinary(), verb};
  // What the test says itself stands alone: a flag is given once.
  const std::vector<std::string> flags = Flags();
  for (std::size_t i = 0; i < flags.size(); i += 2) {
    if (std::find(more.begin(), more.end(), flags[i]) != more.end()) continue;
    line.insert(line.end(), {flags[i], flags[i + 1]});
  }
  line.insert(line.end(), more.begin(), more.end());
  return support::Run(std::move(line), environment, limit);
}

void RelayTest::SetUp() {
  RequireKafka();
  if (IsSkipped() || HasFatalFailure()) return;
  DatabaseTest::SetUp();
  CreateOutbox();
  CreatePublication();
  CreateSlot();
}

void RelayTest::TearDown() {
  if (!Servers::Get().why_no_kafka().empty()) return;
  kafka().Resume();
  // A failed test may have left it stopped.
  EXPECT_TRUE(kafka().Start().ok());
  DatabaseTest::TearDown();
}

std::string RelayTest::Topic(std::string_view aggregate_type) const {
  return absl::StrCat(name(), ".", ToAbsl(aggregate_type));
}

void RelayTest::CreateTopic(std::string_view aggregate_type, int partitions) {
  const absl::Status created = kafka().CreateTopic(Topic(aggregate_type), partitions);
  ASSERT_TRUE(created.ok()) << created.ToString();
}

support::TopicReader RelayTest::Reader(const std::vector<std::string>& aggregate_types) {
  std::vector<std::string> topics;
  for (const std::string& type : aggregate_types) topics.push_back(Topic(type));
  return support::TopicReader(kafka().bootstrap(), std::move(topics));
}

std::vector<std::string> RelayTest::RunFlags(const std::vector<std::string>& more) {
  std::vector<std::string> flags = Flags();
  flags.insert(flags.end(), {"--brokers", kafka().bootstrap(), "--topic",
                             absl::StrCat(name(), ".${aggregatetype}")});
  flags.insert(flags.end(), more.begin(), more.end());
  return flags;
}

std::unique_ptr<support::RelayProcess> RelayTest::Launch(const std::vector<std::string>& more,
                                                         const support::Environment& environment) {
  return std::make_unique<support::RelayProcess>(WalpostBinary(), RunFlags(more), environment);
}

std::unique_ptr<support::RelayProcess> RelayTest::StartRelay(
    const std::vector<std::string>& more, const support::Environment& environment) {
  auto relay = Launch(more, environment);
  EXPECT_TRUE(relay->WaitReady()) << relay->Ready().body << "\n" << relay->process().Err();
  return relay;
}

void RelayTest::Insert(std::string_view aggregate_type, int count) {
  sql().Exec(absl::StrCat("INSERT INTO outbox(aggregatetype, aggregateid, type, payload) SELECT ",
                          Quoted(aggregate_type),
                          ", 'k' || (g % 10), 'Inserted', jsonb_build_object('n', g) ",
                          "FROM generate_series(0, ", count - 1, ") g"));
}

void RelayTest::DeliverFirst(std::string_view aggregate_type) {
  Insert(aggregate_type, 2);
  support::TopicReader reader = Reader({std::string(aggregate_type)});
  ExpectDelivered(reader);
}

Lsn RelayTest::InsertOne(std::string_view aggregate_type) {
  sql().Exec("BEGIN");
  Insert(aggregate_type, 1);
  const Lsn before_commit = sql().LsnOf("SELECT pg_current_wal_insert_lsn()");
  sql().Exec("COMMIT");
  return before_commit;
}

std::vector<std::string> RelayTest::IdsInTable() {
  std::vector<std::string> ids;
  for (const Sql::Row& row : sql().Rows("SELECT id FROM outbox ORDER BY seq")) {
    ids.push_back(*row[0]);
  }
  return ids;
}

void RelayTest::ExpectDelivered(support::TopicReader& reader, absl::Duration limit) {
  const std::vector<std::string> expected = IdsInTable();
  (void)reader.ReadUntilDistinct(expected.size(), limit);
  EXPECT_TRUE(reader.ReadToEnd());
  std::size_t lost = 0;
  std::string first_lost;
  for (const std::string& id : expected) {
    if (reader.Has(id)) continue;
    if (lost++ == 0) first_lost = id;
  }
  EXPECT_EQ(lost, 0u) << "of " << expected.size() << "; the first is " << first_lost;
  EXPECT_EQ(reader.distinct(), expected.size() - lost) << "records that are not in the table";
}

void RelayTest::ExpectKeysInOrder(const support::TopicReader& reader) {
  std::unordered_map<std::string, std::size_t> position;
  for (const std::string& id : IdsInTable()) position.emplace(id, position.size());
  std::map<std::pair<std::string, std::string>, std::size_t> last;
  std::unordered_set<std::string> seen;
  std::size_t out_of_order = 0;
  for (const support::Record& record : reader.records()) {
    if (!seen.insert(record.Id()).second) continue;
    const std::size_t at = position[record.Id()];
    std::size_t& previous = last[{record.topic, record.key.value_or("")}];
    if (at < previous) ++out_of_order;
    previous = at;
  }
  EXPECT_EQ(out_of_order, 0u);
}

std::vector<std::string> ErrorLines(const std::string& standard_error) {
  std::vector<std::string> lines;
  for (const auto line : absl::StrSplit(standard_error, '\n')) {
    if (absl::StrContains(line, "level=error") || absl::StartsWith(line, "walpost: ")) {
      lines.emplace_back(line);
    } else if (absl::StartsWith(line, "hint: ") && !lines.empty()) {
      // A verb that ends at once puts the hint on a line of its own.
      absl::StrAppend(&lines.back(), "; ", line);
    }
  }
  return lines;
}

}  // namespace walpost::integration
