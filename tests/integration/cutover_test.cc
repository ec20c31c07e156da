// Moving over from Debezium: its slot, its publication and its offset, taken where it left them.
#include <absl/strings/str_cat.h>
#include <absl/strings/str_join.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "integration/relay_test.h"

namespace walpost::integration {
namespace {

using support::Finished;
using support::Quoted;
using support::Sql;
using support::TopicReader;
using ::testing::HasSubstr;

using Ids = std::set<std::string>;

class Cutover : public RelayTest {
 protected:
  void SetUp() override {
    RelayTest::SetUp();
    if (IsSkipped() || HasFatalFailure()) return;
    CreateTopic("order");
    // As publication.autocreate.mode=filtered makes it, and the connector's slot.
    sql().Exec("CREATE PUBLICATION dbz_publication FOR TABLE public.outbox");
    sql().Exec("SELECT pg_create_logical_replication_slot('debezium', 'pgoutput')");
    LeaveAsDebeziumDoes();
  }

  // Ten transactions that the connector has published, of which the slot heard of four; then one
  // in its hands, under way since before the last of them, and ten it has not seen.
  void LeaveAsDebeziumDoes() {
    Sql slow(conninfo());
    for (int i = 0; i < 4; ++i) Insert("order", 3);
    const Lsn flushed = LastEnd();
    for (int i = 0; i < 5; ++i) Insert("order", 3);
    slow.Exec("BEGIN");
    InsertBy(slow);
    Insert("order", 3);
    published_ = TableIds();
    lsn_commit_ = LastEnd();
    InsertBy(slow);
    const Lsn inside = sql().LsnOf("SELECT pg_current_wal_insert_lsn()");
    InsertBy(slow);
    slow.Exec("COMMIT");
    for (int i = 0; i < 10; ++i) Insert("order", 3);
    sql().Exec(absl::StrCat("SELECT pg_replication_slot_advance('debezium', ",
                            Quoted(flushed.ToString()), ")"));
    ASSERT_LT(flushed, lsn_commit_);
    offset_ = absl::StrCat(R"({"offsets":[{"partition":{"server":"shop"},"offset":{)",
                           R"("transaction_id":null,"lsn_proc":)", inside.value(),
                           R"(,"messageType":"INSERT","lsn_commit":)", lsn_commit_.value(),
                           R"(,"lsn":)", inside.value(), R"(,"txId":800,"ts_usec":1}}]})");
  }

  static void InsertBy(Sql& session) {
    session.Exec(
        "INSERT INTO outbox(aggregatetype, aggregateid, type, payload) VALUES ('order', 'slow', "
        "'T', '{}')");
  }

  Lsn LastEnd() {
    return sql().LsnOf(
        "SELECT max(lsn) FROM pg_logical_slot_peek_binary_changes('debezium', NULL, NULL, "
        "'proto_version', '1', 'publication_names', 'dbz_publication') "
        "WHERE get_byte(data, 0) = 67");
  }

  Ids TableIds() {
    const std::vector<std::string> ids = IdsInTable();
    return Ids(ids.begin(), ids.end());
  }
  static Ids Difference(const Ids& all, const Ids& without) {
    Ids rest;
    for (const std::string& id : all) {
      if (!without.contains(id)) rest.insert(id);
    }
    return rest;
  }

  std::vector<std::string> DebeziumsNames() {
    return {"--slot", "debezium", "--publication", "dbz_publication"};
  }
  Finished Advance(const std::vector<std::string>& more) {
    std::vector<std::string> line = {WalpostBinary(), "slot", "advance", "--conninfo", conninfo()};
    for (const auto& part : {DebeziumsNames(), more}) {
      line.insert(line.end(), part.begin(), part.end());
    }
    return support::Run(line);
  }
  // What a relay on the connector's slot publishes, until `count` ids are there and no more come.
  struct Published {
    Ids ids;
    std::size_t duplicates = 0;
  };
  Published Relayed(std::size_t count) {
    auto relay = StartRelay(DebeziumsNames());
    TopicReader reader = Reader({"order"});
    EXPECT_TRUE(reader.ReadUntilDistinct(count, absl::Seconds(30)));
    EXPECT_EQ(relay->Terminate().code, 0);
    EXPECT_TRUE(reader.ReadToEnd());
    const std::vector<std::string> ids = reader.FirstSeen();
    return {Ids(ids.begin(), ids.end()), reader.duplicates()};
  }

  Ids published_;  // by the connector
  Lsn lsn_commit_;
  std::string offset_;  // as GET /connectors/NAME/offsets answers
};

TEST_F(Cutover, AtTheConnectorsOffsetNothingIsLostAndNothingFinishedComesTwice) {
  const Finished dry = Advance({"--connect-offset", offset_, "--dry-run"});
  EXPECT_EQ(dry.code, 0) << dry.err;
  const Finished done = Advance({"--connect-offset", offset_});
  EXPECT_EQ(done.code, 0) << done.err;
  EXPECT_THAT(done.out, HasSubstr("server 'shop'"));
  EXPECT_THAT(done.out, HasSubstr("6 transactions"));
  EXPECT_THAT(done.out, HasSubstr("walpost run --slot debezium --publication dbz_publication"));
  const Ids to_come = Difference(TableIds(), published_);
  ASSERT_EQ(to_come.size(), 33u);
  const Published relayed = Relayed(to_come.size());
  EXPECT_EQ(relayed.ids, to_come);
  EXPECT_EQ(relayed.duplicates, 0u);
}

TEST_F(Cutover, WithoutTheOffsetNothingIsLostAndTheLastOnesComeTwice) {
  const Ids all = TableIds();
  // Six transactions of three rows that the slot had not heard of.
  const std::size_t to_come = Difference(all, published_).size() + 18;
  const Published relayed = Relayed(to_come);
  EXPECT_EQ(relayed.ids.size(), to_come);
  EXPECT_EQ(relayed.duplicates, 0u);
  EXPECT_EQ(Difference(Difference(all, published_), relayed.ids), Ids{});
}

TEST_F(Cutover, AtLsnOrLsnProcIsRefused) {
  const Lsn before = sql().LsnOf(
      "SELECT confirmed_flush_lsn FROM pg_replication_slots WHERE slot_name = 'debezium'");
  // What a hurried person types: the offset's `lsn`.
  const std::size_t at = offset_.rfind("\"lsn\":") + 6;
  const Lsn lsn(std::stoull(offset_.substr(at)));
  const Finished refused = Advance({"--to", lsn.ToString()});
  EXPECT_EQ(refused.code, 3) << refused.out;
  EXPECT_THAT(refused.err, HasSubstr("inside a transaction"));
  EXPECT_THAT(refused.err, HasSubstr(absl::StrCat("advance to ", lsn_commit_.ToString())));
  EXPECT_EQ(sql().LsnOf("SELECT confirmed_flush_lsn FROM pg_replication_slots WHERE slot_name = "
                        "'debezium'"),
            before);
}

TEST_F(Cutover, IsDoneOnceThoughItIsRunTwice) {
  ASSERT_EQ(Advance({"--connect-offset", offset_}).code, 0);
  const std::size_t to_come = Difference(TableIds(), published_).size();
  EXPECT_EQ(Relayed(to_come).duplicates, 0u);
  // By now the slot is past the offset.
  const Finished again = Advance({"--connect-offset", offset_});
  EXPECT_EQ(again.code, 0) << again.err;
  EXPECT_THAT(again.out, HasSubstr("nothing to do"));
  Insert("order", 1);
  EXPECT_EQ(Relayed(to_come + 1).duplicates, 0u);
}

}  // namespace
}  // namespace walpost::integration
