// A row that cannot become a record: the relay halts, sends it to the dead-letter topic, or skips
// it, as it was told; and it is never confirmed before that is done.
#include <absl/strings/match.h>
#include <absl/strings/str_cat.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/strings.h"
#include "integration/relay_test.h"
#include "support/wait.h"

namespace walpost::integration {
namespace {

using support::Quoted;
using support::Record;
using support::TopicReader;
using ::testing::HasSubstr;
using ::testing::Not;

// More than the producer takes by default (message.max.bytes), and not to be compressed below it.
constexpr const char* kLargeText =
    "(SELECT string_agg(md5(g::text), '') FROM generate_series(1, 60000) g)";
constexpr const char* kTooLarge =
    "jsonb_build_object('secret', (SELECT string_agg(md5(g::text), '') "
    "FROM generate_series(1, 60000) g))";

class PoisonRelay : public RelayTest {
 protected:
  // One row, of a type and with a payload that are SQL. Answers an LSN before its commit: whoever
  // confirms more has confirmed it.
  Lsn InsertRow(std::string_view aggregate_type,
                std::string_view payload = "'{\"secret\": \"do-not-log\"}'",
                std::string_view key = "'k0'") {
    sql().Exec("BEGIN");
    sql().Exec(
        absl::StrCat("INSERT INTO outbox(aggregatetype, aggregateid, type, payload) VALUES (",
                     ToAbsl(aggregate_type), ", ", ToAbsl(key), ", 'T', ", ToAbsl(payload), ")"));
    const Lsn before_commit = sql().LsnOf("SELECT pg_current_wal_insert_lsn()");
    sql().Exec("COMMIT");
    return before_commit;
  }
  std::string IdOfLastRow() {
    return *sql().Rows("SELECT id FROM outbox ORDER BY seq DESC LIMIT 1")[0][0];
  }
  std::string DeadLetterTopic() const { return Topic("dead"); }
  std::vector<std::string> DeadLetterFlags() const {
    return {"--on-poison", "dead-letter", "--dead-letter-topic", DeadLetterTopic()};
  }
  static std::string Count(std::string_view reason, std::string_view action) {
    return absl::StrCat("walpost_poison_events_total{reason=\"", ToAbsl(reason), "\",action=\"",
                        ToAbsl(action), "\"}");
  }
  void ExpectConfirmsAllOfTheWal() {
    const Lsn end = sql().LsnOf("SELECT pg_current_wal_lsn()");
    EXPECT_TRUE(support::WaitUntil(absl::Seconds(20), [&] { return Confirmed() >= end; }))
        << Confirmed().ToString() << ", not " << end.ToString();
  }
};

struct PoisonCase {
  const char* name;
  const char* aggregate_type;  // as SQL
};

class Poison : public PoisonRelay, public ::testing::WithParamInterface<PoisonCase> {};

TEST_P(Poison, HaltsWithoutConfirming) {
  CreateTopic("order", 1);
  auto relay = StartRelay();
  Insert("order", 3);
  TopicReader reader = Reader({"order"});
  ExpectDelivered(reader);

  const Lsn poison = InsertRow(GetParam().aggregate_type);
  const std::string id = IdOfLastRow();
  Insert("order", 1);
  EXPECT_EQ(relay->process().WaitExit(absl::Seconds(20)), 4) << relay->process().Err();
  EXPECT_LE(Confirmed(), poison);
  const std::vector<std::string> errors = ErrorLines(relay->process().Err());
  ASSERT_EQ(errors.size(), 1u) << relay->process().Err();
  for (const char* part : {"outbox", "(LSN ", "hint: ", "relay.on_poison"}) {
    EXPECT_THAT(errors[0], HasSubstr(part));
  }
  EXPECT_THAT(errors[0], HasSubstr(id));
  EXPECT_THAT(relay->process().Err(), Not(HasSubstr("do-not-log")));

  // It stops there again, whoever starts it.
  auto again = Launch();
  EXPECT_EQ(again->process().WaitExit(absl::Seconds(20)), 4) << again->process().Err();
  EXPECT_LE(Confirmed(), poison);

  // And whoever may skip it goes on from there.
  auto skipping = StartRelay({"--on-poison", "skip"});
  sql().Exec(absl::StrCat("DELETE FROM outbox WHERE id = ", Quoted(id)));
  ExpectDelivered(reader);
  ExpectConfirmsAllOfTheWal();
  EXPECT_EQ(skipping->Metric(Count("topic", "skip")), 1);
  EXPECT_EQ(skipping->Terminate().code, 0) << skipping->process().Err();
}

INSTANTIATE_TEST_SUITE_P(Rows, Poison,
                         ::testing::Values(PoisonCase{"NullAggregateType", "NULL"},
                                           PoisonCase{"BlankInTopic", "'has space'"},
                                           PoisonCase{"TopicTooLong", "repeat('a', 250)"},
                                           PoisonCase{"NonAsciiTopic", "'caf\u00e9'"}),
                         [](const auto& poison) { return std::string(poison.param.name); });

TEST_F(PoisonRelay, GoesToTheDeadLetterTopicWithItsRowAndItsReason) {
  CreateTopic("order", 1);
  CreateTopic("dead", 1);
  auto relay = StartRelay(DeadLetterFlags());
  Insert("order", 20);
  const Lsn poison = InsertRow("'has space'", "'{\"secret\": \"do-not-log\"}'", "'k7'");
  const std::string id = IdOfLastRow();
  Insert("order", 20);

  TopicReader letters = Reader({"dead"});
  ASSERT_TRUE(letters.ReadUntilCount(1, absl::Seconds(30))) << relay->process().Err();
  const Record& letter = letters.records()[0];
  EXPECT_EQ(letter.Id(), id);
  EXPECT_EQ(letter.key, "k7");
  EXPECT_THAT(letter.value.value_or(""), HasSubstr("\"aggregatetype\":\"has space\""));
  EXPECT_THAT(letter.value.value_or(""), HasSubstr("do-not-log"));
  EXPECT_THAT(letter.Header("walpost_table"), HasSubstr("outbox"));
  EXPECT_EQ(letter.Header("walpost_reason"), "topic");
  EXPECT_THAT(letter.Header("walpost_error"), HasSubstr(id));
  EXPECT_LE(Lsn::Parse(letter.Header("walpost_lsn")).value_or(Lsn()), poison);

  TopicReader all = Reader({"order", "dead"});
  ExpectDelivered(all);
  ExpectKeysInOrder(all);
  ExpectConfirmsAllOfTheWal();
  EXPECT_EQ(relay->Metric(Count("topic", "dead-letter")), 1);
  EXPECT_EQ(relay->Terminate().code, 0);
  EXPECT_THAT(relay->process().Err(), HasSubstr("a poison event goes to the dead-letter topic"));
  EXPECT_THAT(relay->process().Err(), HasSubstr(id));
  EXPECT_THAT(relay->process().Err(), Not(HasSubstr("do-not-log")));
}

TEST_F(PoisonRelay, IsNotConfirmedBeforeItsDeadLetterIsAcked) {
  CreateTopic("order", 1);
  CreateTopic("dead", 1);
  auto relay = StartRelay(DeadLetterFlags());
  // So that what follows need not wait for the first event of its topic.
  Insert("order", 2);
  for (int i = 0; i < 2; ++i) InsertRow("NULL");
  TopicReader first = Reader({"order", "dead"});
  ExpectDelivered(first);
  kafka().Pause();
  const Lsn poison = InsertRow("NULL");
  Insert("order", 5);
  EXPECT_TRUE(support::WaitUntil(absl::Seconds(20), [&] {
    return relay->Metric(Count("topic", "dead-letter")) == 3 &&
           relay->Metric("walpost_events_in_flight") == 6;
  })) << relay->process().Err();
  EXPECT_LE(Confirmed(), poison);
  relay->process().Kill();
  EXPECT_LE(Confirmed(), poison);
  kafka().Resume();

  auto again = StartRelay(DeadLetterFlags());
  TopicReader all = Reader({"order", "dead"});
  ExpectDelivered(all);
  ExpectConfirmsAllOfTheWal();
  EXPECT_EQ(again->Terminate().code, 0);
}

TEST_F(PoisonRelay, IsSkippedAndCountedWhenToldSo) {
  CreateTopic("order", 1);
  auto relay = StartRelay({"--on-poison", "skip"});
  Insert("order", 5);
  for (int i = 0; i < 4; ++i) InsertRow("'has space'");
  InsertRow(Quoted("order"), kTooLarge);
  Insert("order", 5);
  sql().Exec("DELETE FROM outbox WHERE type = 'T'");
  TopicReader reader = Reader({"order"});
  ExpectDelivered(reader);
  ExpectConfirmsAllOfTheWal();
  EXPECT_EQ(relay->Metric(Count("topic", "skip")), 4);
  EXPECT_EQ(relay->Metric(Count("refused", "skip")), 1);
  EXPECT_EQ(relay->Metric("walpost_poison_events_total"), 5);
  EXPECT_EQ(relay->Terminate().code, 0);
  EXPECT_THAT(relay->process().Err(), HasSubstr("further poison events"));
  EXPECT_THAT(relay->process().Err(), Not(HasSubstr("do-not-log")));
}

TEST_F(PoisonRelay, ADeadLetterThatIsTooLargeGoesWithoutItsRow) {
  CreateTopic("order", 1);
  CreateTopic("dead", 1);
  auto relay = StartRelay(DeadLetterFlags());
  Insert("order", 3);
  InsertRow(Quoted("order"), kTooLarge, "'k7'");
  const std::string id = IdOfLastRow();
  Insert("order", 3);

  TopicReader letters = Reader({"dead"});
  ASSERT_TRUE(letters.ReadUntilCount(1, absl::Seconds(30))) << relay->process().Err();
  const Record& letter = letters.records()[0];
  EXPECT_EQ(letter.Id(), id);
  EXPECT_EQ(letter.key, "k7");
  EXPECT_THAT(letter.value.value_or(""), HasSubstr("row left out"));
  EXPECT_EQ(letter.Header("walpost_row_left_out"), "true");
  EXPECT_EQ(letter.Header("walpost_reason"), "refused");
  EXPECT_THAT(letter.Header("walpost_error"),
              HasSubstr("exceeds, with its headers and framing, the producer's limit"));

  TopicReader all = Reader({"order", "dead"});
  ExpectDelivered(all);
  ExpectConfirmsAllOfTheWal();
  EXPECT_EQ(relay->Metric(Count("refused", "dead-letter")), 1);
  EXPECT_EQ(relay->Terminate().code, 0);
}

TEST_F(PoisonRelay, ADeadLetterWithoutItsRowLeavesOutAKeyThatIsTooLargeToo) {
  CreateTopic("order", 1);
  CreateTopic("dead", 1);
  auto relay = StartRelay(DeadLetterFlags());
  Insert("order", 3);
  InsertRow(Quoted("order"), "'{}'", kLargeText);
  const std::string id = IdOfLastRow();
  Insert("order", 3);
  TopicReader letters = Reader({"dead"});
  ASSERT_TRUE(letters.ReadUntilCount(1, absl::Seconds(30))) << relay->process().Err();
  EXPECT_EQ(letters.records()[0].Id(), id);
  EXPECT_EQ(letters.records()[0].key, std::nullopt);
  EXPECT_EQ(letters.records()[0].Header("walpost_row_left_out"), "true");
  TopicReader all = Reader({"order", "dead"});
  ExpectDelivered(all);
  EXPECT_EQ(relay->Terminate().code, 0);
}

// Whatever the policy: the broker, not the row, may be what has to be mended.
TEST_F(PoisonRelay, NothingOvertakesAnEventThatTheBrokerRefuses) {
  CreateTopic("order", 1);
  const auto take_at_most = [&](const char* bytes) {
    const absl::Status set = kafka().ConfigureTopic(Topic("order"), "max.message.bytes", bytes);
    ASSERT_TRUE(set.ok()) << set;
  };
  take_at_most("100000");
  auto relay = StartRelay(DeadLetterFlags());
  InsertRow(Quoted("order"));
  TopicReader reader = Reader({"order"});
  ExpectDelivered(reader);
  const auto insert = [&](int rows, int md5s) {
    sql().Exec(absl::StrCat(
        "INSERT INTO outbox(aggregatetype, aggregateid, type, payload) SELECT 'order', 'k0', 'T', ",
        "jsonb_build_object('secret', (SELECT string_agg(md5(g::text), '') FROM "
        "generate_series(1, ",
        md5s, ") g)) FROM generate_series(1, ", rows, ")"));
  };
  // Of one key, and in one transaction, so that all of them are on their way at once.
  sql().Exec("BEGIN");
  insert(1, 5000);
  const std::string refused = IdOfLastRow();
  insert(100, 1000);
  const Lsn before_commit = sql().LsnOf("SELECT pg_current_wal_insert_lsn()");
  sql().Exec("COMMIT");

  EXPECT_EQ(relay->process().WaitExit(absl::Seconds(60)), 4) << relay->process().Err();
  EXPECT_LE(Confirmed(), before_commit);
  const std::vector<std::string> errors = ErrorLines(relay->process().Err());
  ASSERT_EQ(errors.size(), 1u) << relay->process().Err();
  EXPECT_THAT(errors[0], HasSubstr(refused));
  EXPECT_THAT(errors[0], HasSubstr("(LSN "));
  EXPECT_THAT(errors[0], HasSubstr("max.message.bytes"));

  take_at_most("1000000");
  auto again = StartRelay();
  ExpectDelivered(reader);
  ExpectKeysInOrder(reader);
  EXPECT_EQ(again->Terminate().code, 0);
}

TEST_F(PoisonRelay, AnUpdateHaltsOnlyWhenToldTo) {
  CreateTopic("order", 1);
  sql().Exec(absl::StrCat("ALTER PUBLICATION ", name(), " SET (publish = 'insert, update')"));
  auto relay = StartRelay();
  Insert("order", 3);
  sql().Exec("UPDATE outbox SET type = 'Changed'");
  TopicReader reader = Reader({"order"});
  ExpectDelivered(reader);
  ExpectConfirmsAllOfTheWal();
  EXPECT_EQ(relay->Metric("walpost_updates_ignored_total"), 3);
  EXPECT_EQ(relay->Terminate().code, 0);

  auto strict = StartRelay({"--on-update", "halt", "--on-poison", "skip"});
  sql().Exec("BEGIN");
  sql().Exec("UPDATE outbox SET type = 'Again'");
  const Lsn update = sql().LsnOf("SELECT pg_current_wal_insert_lsn()");
  sql().Exec("COMMIT");
  EXPECT_EQ(strict->process().WaitExit(absl::Seconds(20)), 4) << strict->process().Err();
  EXPECT_LE(Confirmed(), update);
  const std::vector<std::string> errors = ErrorLines(strict->process().Err());
  ASSERT_EQ(errors.size(), 1u) << strict->process().Err();
  EXPECT_THAT(errors[0], HasSubstr("an UPDATE of a row of public.outbox"));
  EXPECT_THAT(errors[0], HasSubstr("relay.on_update"));
}

}  // namespace
}  // namespace walpost::integration
