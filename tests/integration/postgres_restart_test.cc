// PostgreSQL goes away and comes back; and it can always go when it wants to.
#include <absl/strings/str_cat.h>
#include <gtest/gtest.h>

#include "integration/relay_test.h"
#include "support/outbox_writer.h"
#include "support/wait.h"

namespace walpost::integration {
namespace {

using support::OutboxWriter;
using support::TopicReader;
using support::WaitUntil;

constexpr absl::Duration kStopLimit = absl::Seconds(15);

class PostgresRestart : public RelayTest {
 protected:
  // Ten rows while no broker answers, of which the producer takes so many; the server stops fast
  // all the same, and once both are back, nothing is lost of all `rows`.
  void StopFastWithEventsInFlight(support::RelayProcess& relay, double in_flight,
                                  std::size_t rows) {
    kafka().Stop();
    Insert("order", 10);
    ASSERT_TRUE(WaitUntil(absl::Seconds(20), [&] {
      return relay.Metric("walpost_events_in_flight").value_or(0) == in_flight;
    })) << relay.process().Err();
    EXPECT_TRUE(postgres().StopFast(kStopLimit).has_value()) << relay.process().Err();
    ASSERT_TRUE(postgres().Start().ok());
    ASSERT_TRUE(kafka().Start().ok());
    TopicReader reader = Reader({"order"});
    ExpectDelivered(reader, absl::Seconds(60));
    EXPECT_EQ(reader.distinct(), rows);
    ExpectKeysInOrder(reader);
    EXPECT_TRUE(relay.process().Running());
  }
};

TEST_F(PostgresRestart, RelayReconnectsAndNothingIsLost) {
  CreateTopic("order");
  auto relay = StartRelay();
  OutboxWriter writer(conninfo(), "order", 200);
  ASSERT_TRUE(WaitUntil(absl::Seconds(20), [&] { return writer.written() >= 200; }));
  EXPECT_TRUE(postgres().StopFast(kStopLimit).has_value());
  ASSERT_TRUE(postgres().Start().ok());
  const long before = writer.written();
  EXPECT_TRUE(WaitUntil(absl::Seconds(20), [&] { return writer.written() >= before + 200; }));
  writer.Stop();
  TopicReader reader = Reader({"order"});
  ExpectDelivered(reader);
  ExpectKeysInOrder(reader);
  EXPECT_TRUE(relay->WaitReady());
  EXPECT_GE(relay->Metric("walpost_reconnects_total").value_or(0), 1);
}

TEST_F(PostgresRestart, ACrashOfTheServerLosesNothing) {
  CreateTopic("order");
  auto relay = StartRelay();
  OutboxWriter writer(conninfo(), "order", 200);
  ASSERT_TRUE(WaitUntil(absl::Seconds(20), [&] { return writer.written() >= 200; }));
  postgres().Crash();
  ASSERT_TRUE(postgres().Start().ok());
  const long before = writer.written();
  EXPECT_TRUE(WaitUntil(absl::Seconds(20), [&] { return writer.written() >= before + 200; }));
  writer.Stop();
  TopicReader reader = Reader({"order"});
  ExpectDelivered(reader);
  EXPECT_TRUE(relay->WaitReady());
}

TEST_F(PostgresRestart, FastStopIsNotHeldUpByAnIdleRelay) {
  CreateTopic("order");
  auto relay = StartRelay();
  Insert("order", 10);
  TopicReader reader = Reader({"order"});
  ExpectDelivered(reader);
  EXPECT_TRUE(postgres().StopFast(kStopLimit).has_value()) << relay->process().Err();
  ASSERT_TRUE(postgres().Start().ok());
  EXPECT_TRUE(relay->WaitReady()) << relay->process().Err();
  Insert("order", 10);
  ExpectDelivered(reader);
}

TEST_F(PostgresRestart, FastStopIsNotHeldUpByRowsThatNoBrokerTook) {
  CreateTopic("order", 1);
  auto relay = StartRelay();
  DeliverFirst("order");
  StopFastWithEventsInFlight(*relay, 10, 12);
}

TEST_F(PostgresRestart, FastStopIsNotHeldUpByTheFirstEventThatNoBrokerTook) {
  CreateTopic("order", 1);
  auto relay = StartRelay();
  // The others wait for it.
  StopFastWithEventsInFlight(*relay, 1, 10);
}

// Full of what no broker takes, it reads nothing, so the server cannot tell that it waits.
TEST_F(PostgresRestart, FastStopIsNotHeldUpByARelayThatIsFull) {
  CreateTopic("order", 1);
  auto relay = StartRelay({"--max-in-flight-bytes", "64KiB"});
  DeliverFirst("order");
  kafka().Stop();
  // Far more than the sockets between the two hold.
  sql().Exec(
      "INSERT INTO outbox(aggregatetype, aggregateid, type, payload) SELECT 'order', 'k' || g, "
      "'Bulk', "
      "jsonb_build_object('pad', repeat(md5(g::text), 60)) FROM generate_series(1, 20000) g");
  ASSERT_TRUE(WaitUntil(absl::Seconds(20), [&] {
    return relay->Metric("walpost_bytes_in_flight").value_or(0) >= 64 * 1024;
  })) << relay->process().Err();
  EXPECT_TRUE(postgres().StopFast(kStopLimit).has_value()) << relay->process().Err();
  ASSERT_TRUE(postgres().Start().ok());
  ASSERT_TRUE(kafka().Start().ok());
  TopicReader reader = Reader({"order"});
  ExpectDelivered(reader, absl::Seconds(60));
  EXPECT_EQ(reader.distinct(), 20002u);
  EXPECT_TRUE(relay->process().Running());
}

}  // namespace
}  // namespace walpost::integration
