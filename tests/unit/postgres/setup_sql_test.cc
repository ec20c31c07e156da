#include "postgres/setup_sql.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

namespace walpost::postgres {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

const QualifiedName kMixed{"My \"App\"", "OutboxMessages"};

TEST(SetupSql, QuotesBothPartsOfATable) {
  EXPECT_EQ(QuotedTable(kMixed), "\"My \"\"App\"\"\".\"OutboxMessages\"");
  EXPECT_EQ(QuotedTable({"public", "user"}), "\"public\".\"user\"");
}

TEST(SetupSql, PublishesInsertsAlone) {
  EXPECT_EQ(PublicationSql("walpost", std::vector<QualifiedName>{{"public", "outbox"}}, false),
            "CREATE PUBLICATION \"walpost\" FOR TABLE \"public\".\"outbox\" WITH (publish = "
            "'insert');");
}

TEST(SetupSql, PublishesSeveralTablesOfAnyName) {
  EXPECT_EQ(PublicationSql("My \"P\"", std::vector<QualifiedName>{{"a", "b"}, kMixed}, false),
            "CREATE PUBLICATION \"My \"\"P\"\"\" FOR TABLE \"a\".\"b\", "
            "\"My \"\"App\"\"\".\"OutboxMessages\" WITH (publish = 'insert');");
}

TEST(SetupSql, PublishesAPartitionedTableUnderItsOwnName) {
  EXPECT_THAT(PublicationSql("p", std::vector<QualifiedName>{{"a", "b"}}, true),
              HasSubstr("publish_via_partition_root = true"));
}

TEST(SetupSql, PublishesNoTableWhereThereIsNone) {
  EXPECT_EQ(PublicationSql("p", {}, false), "CREATE PUBLICATION \"p\" WITH (publish = 'insert');");
}

TEST(SetupSql, MakesAPgoutputSlot) {
  EXPECT_EQ(SlotSql("walpost"),
            "SELECT lsn FROM pg_catalog.pg_create_logical_replication_slot('walpost', "
            "'pgoutput');");
}

TEST(SetupSql, RenamesTheTableOfAPreset) {
  absl::StatusOr<std::string> sql = TableSql("debezium", kMixed, false);
  ASSERT_TRUE(sql.ok()) << sql.status();
  EXPECT_THAT(*sql,
              HasSubstr("CREATE TABLE IF NOT EXISTS \"My \"\"App\"\"\".\"OutboxMessages\" ("));
  EXPECT_THAT(*sql, Not(HasSubstr("public.outbox")));
  EXPECT_THAT(*sql, Not(HasSubstr("CREATE SCHEMA")));
  for (const char* column : {"id ", "aggregatetype ", "aggregateid ", "type ", "payload "}) {
    EXPECT_THAT(*sql, HasSubstr(column));
  }
}

TEST(SetupSql, HasTheTableOfEachPresetThatHasOne) {
  for (const char* preset : {"debezium", "aggregate", "topic", "efcore"}) {
    absl::StatusOr<std::string> sql = TableSql(preset, {"s", "t"}, false);
    ASSERT_TRUE(sql.ok()) << sql.status();
    EXPECT_THAT(*sql, HasSubstr("CREATE TABLE IF NOT EXISTS \"s\".\"t\" ("));
    EXPECT_THAT(*sql, Not(HasSubstr("public.")));
  }
  EXPECT_FALSE(TableSql("message", {"s", "t"}, false).ok());
}

TEST(SetupSql, MakesTheSchemaFirstWhenAsked) {
  EXPECT_THAT(*TableSql("debezium", kMixed, true),
              StartsWith("CREATE SCHEMA IF NOT EXISTS \"My \"\"App\"\"\";\n"));
}

TEST(SetupSql, AnUnknownPresetListsThoseThatThereAre) {
  absl::Status status = TableSql("nosuch", kMixed, false).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(status.message()), HasSubstr("debezium"));
}

}  // namespace
}  // namespace walpost::postgres
