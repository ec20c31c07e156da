// A row that cannot become a record stops the relay; it is neither skipped nor confirmed.
#include <absl/strings/match.h>
#include <absl/strings/str_cat.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "integration/relay_test.h"

namespace walpost::integration {
namespace {

using support::TopicReader;

struct PoisonCase {
  const char* name;
  const char* aggregate_type;  // as SQL
};

class Poison : public RelayTest, public ::testing::WithParamInterface<PoisonCase> {};

TEST_P(Poison, HaltsWithoutConfirming) {
  CreateTopic("order", 1);
  auto relay = StartRelay();
  Insert("order", 3);
  TopicReader reader = Reader({"order"});
  ExpectDelivered(reader);

  sql().Exec("BEGIN");
  sql().Exec(absl::StrCat("INSERT INTO outbox(aggregatetype, aggregateid, type, payload) VALUES (",
                          GetParam().aggregate_type,
                          ", 'k', 'T', '{\"secret\": \"do-not-log\"}')"));
  const Lsn poison = sql().LsnOf("SELECT pg_current_wal_insert_lsn()");
  sql().Exec("COMMIT");
  Insert("order", 1);
  EXPECT_EQ(relay->process().WaitExit(absl::Seconds(20)), 4) << relay->process().Err();
  EXPECT_LE(Confirmed(), poison);
  const std::vector<std::string> errors = ErrorLines(relay->process().Err());
  ASSERT_EQ(errors.size(), 1u) << relay->process().Err();
  EXPECT_THAT(errors[0], ::testing::HasSubstr("outbox"));
  EXPECT_THAT(errors[0], ::testing::HasSubstr("hint: "));
  EXPECT_THAT(relay->process().Err(), ::testing::Not(::testing::HasSubstr("do-not-log")));

  // It stops there again, whoever starts it.
  auto again = Launch();
  EXPECT_EQ(again->process().WaitExit(absl::Seconds(20)), 4) << again->process().Err();
  EXPECT_LE(Confirmed(), poison);
}

INSTANTIATE_TEST_SUITE_P(Rows, Poison,
                         ::testing::Values(PoisonCase{"NullAggregateType", "NULL"},
                                           PoisonCase{"BlankInTopic", "'has space'"},
                                           PoisonCase{"TopicTooLong", "repeat('a', 250)"},
                                           PoisonCase{"NonAsciiTopic", "'caf\u00e9'"}),
                         [](const auto& poison) { return std::string(poison.param.name); });

}  // namespace
}  // namespace walpost::integration
