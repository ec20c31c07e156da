#include "postgres/preflight.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/postgres/server_facts.h"

namespace walpost::postgres {
namespace {

using absl::StatusCode;
using testing::HasSubstr;

const OutboxTable kWanted{{"public", "outbox"},
                          {{"id", "outbox.id", {}}, {"payload", "outbox.payload", {}}}};

TableFacts GoodTable() {
  TableFacts table;
  for (const char* name : {"id", "payload", "note"}) {
    ColumnFacts column;
    column.name = name;
    column.type_name = "text";
    column.base_type = 25;
    table.columns.push_back(column);
  }
  return table;
}

std::string MessageOf(const absl::Status& status) { return std::string(status.message()); }

TEST(Preflight, TakesNamesThatTheServerTakes) {
  EXPECT_TRUE(CheckSlotName("walpost_2").ok());
  EXPECT_TRUE(CheckSlotName(std::string(63, 'a')).ok());
  for (const std::string& name : {std::string(), std::string("Big"), std::string("a-b"),
                                  std::string("a b"), std::string("a'b"), std::string(64, 'a')}) {
    EXPECT_EQ(CheckSlotName(name).code(), StatusCode::kInvalidArgument) << name;
  }
}

TEST(Preflight, WantsLogicalWal) {
  ServerFacts server = GoodServer();
  EXPECT_TRUE(CheckServer(server).ok());
  server.wal_level = "replica";
  EXPECT_EQ(CheckServer(server).code(), StatusCode::kFailedPrecondition);
  EXPECT_THAT(MessageOf(CheckServer(server)), HasSubstr("wal_level"));
}

TEST(Preflight, WantsVersion14OrLater) {
  ServerFacts server = GoodServer();
  server.version = 130011;
  EXPECT_EQ(CheckServer(server).code(), StatusCode::kFailedPrecondition);
}

TEST(Preflight, WaitsForTheEndOfRecoveryBefore16) {
  ServerFacts server = GoodServer();
  server.in_recovery = true;
  EXPECT_EQ(CheckServer(server).code(), StatusCode::kUnavailable);
  server.version = 160000;
  EXPECT_TRUE(CheckServer(server).ok());
}

TEST(Preflight, AMissingSlotIsForAnOperator) {
  absl::Status status = CheckSlot(std::nullopt, "walpost", GoodServer());
  EXPECT_EQ(status.code(), StatusCode::kFailedPrecondition);
  EXPECT_THAT(MessageOf(status), HasSubstr("walpost setup"));
}

TEST(Preflight, RefusesASlotThatIsNotOurs) {
  EXPECT_TRUE(CheckSlot(GoodSlot(), "s", GoodServer()).ok());
  SlotFacts slot = GoodSlot();
  slot.type = "physical";
  EXPECT_EQ(CheckSlot(slot, "s", GoodServer()).code(), StatusCode::kFailedPrecondition);
  slot = GoodSlot();
  slot.plugin = "wal2json";
  EXPECT_THAT(MessageOf(CheckSlot(slot, "s", GoodServer())), HasSubstr("wal2json"));
  slot = GoodSlot();
  slot.database = "other";
  EXPECT_THAT(MessageOf(CheckSlot(slot, "s", GoodServer())), HasSubstr("\"other\""));
}

TEST(Preflight, AnInvalidatedSlotIsDataLossEvenWhileItIsHeld) {
  SlotFacts slot = GoodSlot();
  slot.active_pid = 5;
  slot.wal_status = "lost";
  EXPECT_EQ(CheckSlot(slot, "s", GoodServer()).code(), StatusCode::kDataLoss);
  slot = GoodSlot();
  slot.invalidation_reason = "idle_timeout";
  EXPECT_THAT(MessageOf(CheckSlot(slot, "s", GoodServer())), HasSubstr("idle_timeout"));
  slot = GoodSlot();
  slot.conflicting = true;
  EXPECT_EQ(CheckSlot(slot, "s", GoodServer()).code(), StatusCode::kDataLoss);
}

TEST(Preflight, ASlotInDangerIsStillGood) {
  SlotFacts slot = GoodSlot();
  slot.wal_status = "unreserved";
  EXPECT_TRUE(CheckSlot(slot, "s", GoodServer()).ok());
}

TEST(Preflight, ASlotThatIsHeldNamesItsHolder) {
  SlotFacts slot = GoodSlot();
  slot.active_pid = 4711;
  absl::Status status = CheckSlot(slot, "s", GoodServer());
  EXPECT_EQ(status.code(), StatusCode::kAborted);
  EXPECT_THAT(MessageOf(status), HasSubstr("4711"));
}

TEST(Preflight, ASyncedCopyWaitsForPromotion) {
  SlotFacts slot = GoodSlot();
  slot.synced = true;
  ServerFacts server = GoodServer();
  server.version = 170000;
  EXPECT_TRUE(CheckSlot(slot, "s", server).ok());
  server.in_recovery = true;
  EXPECT_EQ(CheckSlot(slot, "s", server).code(), StatusCode::kUnavailable);
}

TEST(Preflight, RefusesTablesThatAreNeverPublished) {
  TableFacts table = GoodTable();
  EXPECT_TRUE(CheckTableKind(kWanted.name, table).ok());
  table.kind = 'p';
  EXPECT_TRUE(CheckTableKind(kWanted.name, table).ok());
  for (char kind : {'f', 'v', 'm', 'S'}) {
    table.kind = kind;
    EXPECT_EQ(CheckTableKind(kWanted.name, table).code(), StatusCode::kFailedPrecondition) << kind;
  }
  table.kind = 'r';
  for (char persistence : {'u', 't'}) {
    table.persistence = persistence;
    EXPECT_EQ(CheckTableKind(kWanted.name, table).code(), StatusCode::kFailedPrecondition);
  }
}

TEST(Preflight, AMissingColumnNamesThoseThatThereAre) {
  OutboxTable wanted = kWanted;
  wanted.columns.push_back({"zork", "outbox.key", {}});
  absl::Status status = CheckColumns(wanted, GoodTable(), {}, "p", 150000);
  EXPECT_EQ(status.code(), StatusCode::kFailedPrecondition);
  EXPECT_THAT(MessageOf(status), HasSubstr("id, payload, note"));
}

TEST(Preflight, AColumnOfATypeThatWillNotDoIsRefusedWithThoseThatWould) {
  OutboxTable wanted = kWanted;
  wanted.columns.push_back({"note", "outbox.partition", {21, 23, 20}});
  absl::Status status = CheckColumns(wanted, GoodTable(), {}, "p", 150000);
  EXPECT_EQ(status.code(), StatusCode::kFailedPrecondition);
  EXPECT_THAT(
      MessageOf(status),
      testing::AllOf(HasSubstr("\"note\""), HasSubstr("outbox.partition"),
                     HasSubstr("is of type text"), HasSubstr("smallint or integer or bigint")));
  TableFacts table = GoodTable();
  table.columns[2].base_type = 23;  // also that under a domain
  EXPECT_TRUE(CheckColumns(wanted, table, {}, "p", 150000).ok());
}

TEST(Preflight, UpdatesMustBePublishedWhereTheyAreToBeSeen) {
  PublicationFacts publication;
  publication.inserts = true;
  absl::Status status = CheckPublishesUpdates(publication, "p");
  EXPECT_EQ(status.code(), StatusCode::kFailedPrecondition);
  EXPECT_THAT(MessageOf(status), HasSubstr("publish = 'insert, update'"));
  publication.updates = true;
  EXPECT_TRUE(CheckPublishesUpdates(publication, "p").ok());
}

TEST(Preflight, AColumnOutsideTheListIsMissingFromTheStream) {
  PublishedTable published;
  published.columns = {"id", "note"};
  absl::Status status = CheckColumns(kWanted, GoodTable(), published, "p", 150000);
  EXPECT_EQ(status.code(), StatusCode::kFailedPrecondition);
  EXPECT_THAT(MessageOf(status), HasSubstr("column \"payload\""));
  published.columns = {"id", "payload"};
  EXPECT_TRUE(CheckColumns(kWanted, GoodTable(), published, "p", 150000).ok());
}

TEST(Preflight, AGeneratedColumnIsCarriedOnlyWhere18SaysSo) {
  TableFacts table = GoodTable();
  table.columns[1].generated = true;
  PublishedTable published;
  EXPECT_FALSE(CheckColumns(kWanted, table, published, "p", 140000).ok());
  published.columns = {"id", "payload"};
  EXPECT_FALSE(CheckColumns(kWanted, table, published, "p", 150000).ok());
  EXPECT_TRUE(CheckColumns(kWanted, table, published, "p", 180000).ok());
  published.columns = {"id"};
  EXPECT_THAT(MessageOf(CheckColumns(kWanted, table, published, "p", 180000)),
              HasSubstr("publish_generated_columns"));
}

TEST(Preflight, AColumnThatOnlyAPartitionGeneratesIsRefusedToo) {
  PublishedTable published;
  published.columns = {"id", "payload"};
  published.generated_in_partitions = {"payload"};
  absl::Status status = CheckColumns(kWanted, GoodTable(), published, "p", 150000);
  EXPECT_EQ(status.code(), StatusCode::kFailedPrecondition);
  EXPECT_THAT(MessageOf(status), HasSubstr("\"payload\""));
  EXPECT_THAT(MessageOf(status), HasSubstr("generated in one of its partitions"));
}

TEST(Preflight, APublicationMustExistAndPublishInserts) {
  EXPECT_EQ(CheckPublication(std::nullopt, "p", GoodServer()).code(),
            StatusCode::kFailedPrecondition);
  PublicationFacts publication;
  EXPECT_THAT(MessageOf(CheckPublication(publication, "My P", GoodServer())),
              HasSubstr("ALTER PUBLICATION \"My P\" SET (publish = 'insert')"));
  publication.inserts = true;
  EXPECT_TRUE(CheckPublication(publication, "p", GoodServer()).ok());
}

TEST(Preflight, ForMessagesAPublicationMustMerelyExist) {
  EXPECT_EQ(CheckPublication(std::nullopt, "p", GoodServer(), /*rows=*/false).code(),
            StatusCode::kFailedPrecondition);
  EXPECT_TRUE(CheckPublication(PublicationFacts(), "p", GoodServer(), /*rows=*/false).ok());
}

}  // namespace
}  // namespace walpost::postgres
