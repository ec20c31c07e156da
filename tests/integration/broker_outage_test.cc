// The broker goes away, freezes or is slow: the relay waits, confirms nothing that it should not,
// and holds neither memory nor the connection hostage.
#include <absl/strings/str_cat.h>
#include <gtest/gtest.h>

#include "integration/relay_test.h"
#include "support/outbox_writer.h"
#include "support/wait.h"

namespace walpost::integration {
namespace {

using support::HoldsFor;
using support::OutboxWriter;
using support::Sql;
using support::TopicReader;
using support::WaitUntil;

class BrokerOutage : public RelayTest {
 protected:
  // Applies to connections of this database that begin later.
  void SetWalSenderTimeout(const std::string& timeout) {
    sql().Exec(
        absl::StrCat("ALTER DATABASE ", name(), " SET wal_sender_timeout = '", timeout, "'"));
  }
  // The process that serves the slot, which is another for another connection; "" for none.
  std::string Walsender() {
    return sql().Scalar(absl::StrCat(
        "SELECT coalesce(active_pid::text, '') FROM pg_replication_slots WHERE slot_name = '",
        name(), "'"));
  }
};

TEST_F(BrokerOutage, AMinuteWithoutBrokerIsWaitedOut) {
  CreateTopic("order");
  auto relay = StartRelay();
  Insert("order", 200);
  TopicReader reader = Reader({"order"});
  ASSERT_TRUE(reader.ReadUntilDistinct(200, absl::Seconds(30)));

  kafka().Stop();
  const Lsn first_unacked = InsertOne("order");
  OutboxWriter writer(conninfo(), "order", 20);
  EXPECT_TRUE(HoldsFor(
      absl::Minutes(1), [&] { return relay->process().Running() && Confirmed() <= first_unacked; },
      absl::Milliseconds(250)))
      << "confirmed " << Confirmed().ToString() << ", the row is at " << first_unacked.ToString();
  EXPECT_NE(relay->Ready().status, 200);
  EXPECT_EQ(relay->Health().status, 200);
  ASSERT_TRUE(kafka().Start().ok());
  EXPECT_TRUE(relay->WaitReady(absl::Seconds(30))) << relay->Ready().body;
  writer.Stop();
  ExpectDelivered(reader, absl::Seconds(60));
  ExpectKeysInOrder(reader);
}

TEST_F(BrokerOutage, AKeepaliveDoesNotConfirmWhatIsInFlight) {
  CreateTopic("order");
  SetWalSenderTimeout("4s");
  TopicReader reader = Reader({"order"});
  {
    auto relay = StartRelay();
    kafka().Pause();
    const Lsn first_unacked = InsertOne("order");
    Insert("order", 4);
    // Twice the timeout: keepalives that want a reply have come, and other WAL after the rows.
    EXPECT_TRUE(HoldsFor(absl::Seconds(8), [&] {
      sql().Exec("CREATE TABLE noise(n int); DROP TABLE noise");
      return Confirmed() <= first_unacked;
    }));
    EXPECT_TRUE(relay->process().Running());
    relay->process().Kill();
  }
  kafka().Resume();
  auto relay = StartRelay();
  ExpectDelivered(reader, absl::Seconds(60));
  EXPECT_EQ(reader.distinct(), 5u);
}

TEST_F(BrokerOutage, BackPressureKeepsTheConnectionAndTheMemory) {
  CreateTopic("order");
  SetWalSenderTimeout("4s");
  auto relay = StartRelay({"--max-in-flight-bytes", "256KiB"});
  const std::string walsender = Walsender();
  ASSERT_NE(walsender, "");
  kafka().Pause();
  sql().Exec(
      "INSERT INTO outbox(aggregatetype, aggregateid, type, payload) SELECT 'order', "
      "'k' || (g % 97), 'Bulk', jsonb_build_object('n', g, 'pad', repeat('x', 1000)) "
      "FROM generate_series(1, 60000) g");
  EXPECT_TRUE(HoldsFor(absl::Seconds(12), [&] { return Walsender() == walsender; }))
      << relay->process().Err();
  EXPECT_LE(relay->Metric("walpost_bytes_in_flight").value_or(1e18), 256 * 1024 + 4096);
  kafka().Resume();
  TopicReader reader = Reader({"order"});
  ExpectDelivered(reader, absl::Seconds(90));
  EXPECT_EQ(Walsender(), walsender);
  EXPECT_EQ(reader.duplicates(), 0u);
  EXPECT_LT(relay->process().PeakRssKib(), 64 * 1024);
}

}  // namespace
}  // namespace walpost::integration
