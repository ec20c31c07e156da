#include "postgres/slot_advance.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "unit/postgres/server_facts.h"

namespace walpost::postgres {
namespace {

using absl::StatusCode;
using testing::HasSubstr;

void ExpectRefusal(const std::optional<SlotFacts>& slot, StatusCode code, const std::string& why,
                   const std::string& hint) {
  const absl::Status status = CheckSlotMayMove(slot, "debezium", GoodServer());
  EXPECT_EQ(status.code(), code) << status;
  const std::string message(status.message());
  const std::size_t at = message.find("; hint: ");
  ASSERT_NE(at, std::string::npos) << message;
  EXPECT_THAT(message.substr(0, at), HasSubstr(why));
  EXPECT_THAT(message.substr(at), HasSubstr(hint));
}

TEST(CheckSlotMayMove, TakesASlotThatNobodyHolds) {
  EXPECT_TRUE(CheckSlotMayMove(GoodSlot(), "debezium", GoodServer()).ok());
}

TEST(CheckSlotMayMove, RefusesAMissingSlot) {
  ExpectRefusal(std::nullopt, StatusCode::kFailedPrecondition, "does not exist", "slot.name");
}

TEST(CheckSlotMayMove, SaysHowToMoveFromAnotherPlugin) {
  SlotFacts slot = GoodSlot();
  slot.plugin = "decoderbufs";
  ExpectRefusal(slot, StatusCode::kFailedPrecondition, "decoderbufs", "walpost setup --slot NAME");
}

TEST(CheckSlotMayMove, RefusesAPhysicalSlotAndOneOfAnotherDatabase) {
  SlotFacts slot = GoodSlot();
  slot.database = "stock";
  ExpectRefusal(slot, StatusCode::kFailedPrecondition, "stock", "dbname");
  slot = GoodSlot();
  slot.type = "physical";
  slot.plugin = "";
  ExpectRefusal(slot, StatusCode::kFailedPrecondition, "physical", "--slot");
}

TEST(CheckSlotMayMove, RefusesASlotInUseForAnOperatorToAct) {
  SlotFacts slot = GoodSlot();
  slot.active_pid = 4711;
  ExpectRefusal(slot, StatusCode::kFailedPrecondition, "4711", "PUT /connectors/NAME/stop");
}

TEST(CheckSlotMayMove, TellsThatAnInvalidatedSlotHasLostRows) {
  SlotFacts slot = GoodSlot();
  slot.wal_status = "lost";
  ExpectRefusal(slot, StatusCode::kDataLoss, "invalidated", "pg_drop_replication_slot");
}

TEST(CheckSlotMayMove, RefusesASlotThatIsNotMadeYet) {
  SlotFacts slot = GoodSlot();
  slot.confirmed_flush.reset();
  ExpectRefusal(slot, StatusCode::kFailedPrecondition, "no position", "wait");
}

TEST(SwitchPointOf, FindsEachAncestor) {
  constexpr char kHistory[] =
      "1\t0/5000000\tno recovery target specified\n"
      "\n"
      "# a comment\n"
      "2\t16/B374D848\tbefore 2000-01-01 00:00:00+00\n";
  EXPECT_EQ(*SwitchPointOf(kHistory, 1), Lsn(0x5000000));
  EXPECT_EQ(SwitchPointOf(kHistory, 2)->ToString(), "16/B374D848");
  EXPECT_TRUE(absl::IsFailedPrecondition(SwitchPointOf(kHistory, 3).status()));
  EXPECT_TRUE(absl::IsFailedPrecondition(SwitchPointOf("", 1).status()));
  EXPECT_FALSE(SwitchPointOf("1\tnonsense\tx\n", 1).ok());
}

}  // namespace
}  // namespace walpost::postgres
