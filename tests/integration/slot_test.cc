// The slot of an idle relay follows the log, so that the server can recycle it.
#include <absl/strings/str_cat.h>
#include <gtest/gtest.h>

#include "integration/relay_test.h"
#include "support/wait.h"

namespace walpost::integration {
namespace {

using support::Sql;
using support::WaitUntil;

using IdleSlot = RelayTest;

TEST_F(IdleSlot, FollowsTheLogWhileAnotherDatabaseIsBusy) {
  auto relay = StartRelay();
  Sql other(postgres().Conninfo());
  other.Exec("CREATE TABLE busy AS SELECT g, repeat('x', 500) FROM generate_series(1, 20000) g");
  const Lsn target = other.LsnOf("SELECT pg_current_wal_lsn()");
  EXPECT_TRUE(WaitUntil(absl::Seconds(15),
                        [&] {
                          other.Exec("UPDATE busy SET g = g + 1 WHERE g % 100 = 0");
                          return Confirmed() >= target;
                        }))
      << "confirmed " << Confirmed().ToString() << " of " << target.ToString();
  other.Exec("DROP TABLE busy");
}

TEST_F(IdleSlot, FollowsOtherTablesOfTheSameDatabase) {
  auto relay = StartRelay();
  sql().Exec("CREATE TABLE business AS SELECT g FROM generate_series(1, 10000) g");
  const Lsn target = sql().LsnOf("SELECT pg_current_wal_lsn()");
  EXPECT_TRUE(WaitUntil(absl::Seconds(15), [&] { return Confirmed() >= target; }));
}

TEST_F(IdleSlot, NeedsNoReconnectWhenNothingHappens) {
  sql().Exec(absl::StrCat("ALTER DATABASE ", name(), " SET wal_sender_timeout = '2s'"));
  auto relay = StartRelay();
  EXPECT_TRUE(support::HoldsFor(
      absl::Seconds(8), [&] { return relay->Ready().status == 200; }, absl::Milliseconds(200)));
  EXPECT_EQ(relay->Metric("walpost_reconnects_total"), 0);
}

}  // namespace
}  // namespace walpost::integration
