// From INSERT to the topic: what arrives, how often and in which order.
#include <absl/strings/str_cat.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <map>

#include "integration/relay_test.h"
#include "support/wait.h"

namespace walpost::integration {
namespace {

using support::Quoted;
using support::Record;
using support::Sql;
using support::TopicReader;
using ::testing::ElementsAre;

class WholePath : public RelayTest {
 protected:
  // Every column of the table against the record of its id.
  void ExpectRecordsEqualRows(const TopicReader& reader) {
    std::map<std::string, const Record*> by_id;
    for (const Record& record : reader.records()) by_id.emplace(record.Id(), &record);
    for (const Sql::Row& row :
         sql().Rows("SELECT id, aggregatetype, aggregateid, payload::text FROM outbox")) {
      const auto found = by_id.find(*row[0]);
      ASSERT_NE(found, by_id.end()) << "lost " << *row[0];
      EXPECT_EQ(found->second->topic, Topic(*row[1]));
      EXPECT_EQ(found->second->key, row[2]);
      EXPECT_EQ(found->second->value, row[3]);
    }
  }
};

TEST_F(WholePath, TenThousandEventsArriveOnceAndInCommitOrderOfEachKey) {
  const std::vector<std::string> types = {"order", "customer", "invoice", "parcel", "refund"};
  for (const std::string& type : types) CreateTopic(type);
  auto relay = StartRelay();
  // Transactions of 1 to 39 rows, each over all topics.
  int written = 0;
  for (int size = 1; written < 10'000; size = size % 39 + 1) {
    const int last = std::min(written + size, 10'000) - 1;
    sql().Exec(absl::StrCat(
        "INSERT INTO outbox(aggregatetype, aggregateid, type, payload) SELECT ",
        "('{order,customer,invoice,parcel,refund}'::text[])[1 + g % 5], 'k' || (g % 97), ",
        "'Happened', jsonb_build_object('n', g, 'pad', repeat('x', g % 300)) ",
        "FROM generate_series(", written, ", ", last, ") g"));
    written = last + 1;
  }
  TopicReader reader = Reader(types);
  ExpectDelivered(reader, absl::Seconds(60));
  EXPECT_EQ(reader.records().size(), 10'000u);
  ExpectKeysInOrder(reader);
  ExpectRecordsEqualRows(reader);
}

TEST_F(WholePath, DefaultTopicIsThatOfThePreset) {
  // The preset's topic rule has no test's name in it, so the aggregate type carries it.
  const std::string topic = absl::StrCat("outbox.event.", name());
  ASSERT_TRUE(kafka().CreateTopic(topic, 1).ok());
  std::vector<std::string> flags = Flags();
  flags.insert(flags.end(), {"--brokers", kafka().bootstrap()});
  support::RelayProcess relay(WalpostBinary(), flags);
  Insert(name(), 3);
  TopicReader reader(kafka().bootstrap(), {topic});
  ExpectDelivered(reader);
  EXPECT_EQ(reader.records().size(), 3u);
}

TEST_F(WholePath, RowsWrittenWhileItWasAwayAreDelivered) {
  CreateTopic("order");
  Insert("order", 10);
  auto relay = StartRelay();
  TopicReader reader = Reader({"order"});
  ExpectDelivered(reader);
  EXPECT_EQ(reader.duplicates(), 0u);
}

TEST_F(WholePath, RolledBackRowsYieldNothing) {
  CreateTopic("order", 1);
  auto relay = StartRelay();
  sql().Exec("BEGIN");
  Insert("order", 5);
  sql().Exec("ROLLBACK");
  sql().Exec("BEGIN");
  Insert("order", 1);
  sql().Exec("SAVEPOINT s");
  Insert("order", 7);
  sql().Exec("ROLLBACK TO s");
  Insert("order", 1);
  sql().Exec("COMMIT");
  TopicReader reader = Reader({"order"});
  ExpectDelivered(reader);
  EXPECT_EQ(reader.records().size(), 2u);
}

TEST_F(WholePath, InsertAndDeleteInOneTransactionIsAnEvent) {
  CreateTopic("order", 1);
  auto relay = StartRelay();
  sql().Exec("BEGIN");
  Insert("order", 1);
  const std::string id = IdsInTable().at(0);
  sql().Exec("DELETE FROM outbox");
  sql().Exec("COMMIT");
  TopicReader reader = Reader({"order"});
  EXPECT_TRUE(reader.ReadUntilDistinct(1, absl::Seconds(20)));
  EXPECT_TRUE(reader.Has(id));
}

TEST_F(WholePath, InterleavedTransactionsArriveInCommitOrder) {
  CreateTopic("order", 1);
  auto relay = StartRelay();
  const auto insert = [](const char* key) {
    return absl::StrCat("INSERT INTO outbox(aggregatetype, aggregateid, type, payload) VALUES ",
                        "('order', ", Quoted(key), ", 'T', '{}')");
  };
  Sql other(conninfo());
  sql().Exec("BEGIN");
  sql().Exec(insert("a"));
  other.Exec("BEGIN");
  other.Exec(insert("b"));
  other.Exec("COMMIT");
  sql().Exec(insert("c"));
  sql().Exec("COMMIT");
  TopicReader reader = Reader({"order"});
  ExpectDelivered(reader);
  std::vector<std::string> keys;
  for (const Record& record : reader.records()) keys.push_back(record.key.value_or(""));
  EXPECT_THAT(keys, ElementsAre("b", "a", "c"));
}

TEST_F(WholePath, HugeTransactionIsWholeAndMemoryStaysBounded) {
  CreateTopic("order");
  auto relay = StartRelay();
  sql().Exec(
      "INSERT INTO outbox(aggregatetype, aggregateid, type, payload) SELECT 'order', "
      "'k' || (g % 997), 'Bulk', jsonb_build_object('n', g, 'pad', repeat('x', 200)) "
      "FROM generate_series(1, 100000) g");
  TopicReader reader = Reader({"order"});
  ExpectDelivered(reader, absl::Seconds(90));
  EXPECT_EQ(reader.duplicates(), 0u);
  ExpectKeysInOrder(reader);
  EXPECT_LT(relay->process().PeakRssKib(), 64 * 1024);
}

TEST_F(WholePath, ConfirmsAfterTheAck) {
  CreateTopic("order");
  auto relay = StartRelay();
  Insert("order", 100);
  const Lsn written = sql().LsnOf("SELECT pg_current_wal_lsn()");
  EXPECT_TRUE(support::WaitUntil(absl::Seconds(10), [&] { return Confirmed() >= written; }));
  TopicReader reader = Reader({"order"});
  EXPECT_TRUE(reader.ReadToEnd());
  EXPECT_EQ(reader.distinct(), 100u);
  EXPECT_EQ(relay->Metric("walpost_events_published_total"), 100);
}

}  // namespace
}  // namespace walpost::integration
