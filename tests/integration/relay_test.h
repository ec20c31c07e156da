#ifndef WALPOST_TESTS_INTEGRATION_RELAY_TEST_H_
#define WALPOST_TESTS_INTEGRATION_RELAY_TEST_H_

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "integration/servers.h"
#include "support/relay_process.h"
#include "support/sql.h"
#include "support/topic_reader.h"
#include "walpost/lsn.h"

namespace walpost::integration {

// A database of its own in the shared server, named for the test, and the name that the test's
// slot, publication and topics carry. Drops the database and every slot in it at the end.
class DatabaseTest : public ::testing::Test {
 protected:
  void SetUp() override;
  void TearDown() override;

  // Without Java the test is skipped, and in CI it fails; to be followed by a look at whether it
  // goes on.
  void RequireKafka();

  support::PostgresServer& postgres() { return Servers::Get().postgres(); }
  support::KafkaBroker& kafka() { return Servers::Get().kafka(); }
  support::Sql& sql() { return *sql_; }
  // Of the database, its slot and its publication.
  const std::string& name() const { return name_; }
  std::string conninfo() { return postgres().Conninfo(name_); }

  // The outbox, with the columns of the debezium preset and `seq`, which counts inserts.
  void CreateOutbox();
  void CreatePublication();
  void CreateSlot();
  // confirmed_flush_lsn of the slot.
  Lsn Confirmed();

  // `walpost VERB` with this test's conninfo, slot and publication, run to its end.
  support::Finished RunVerb(const std::string& verb, const std::vector<std::string>& more = {},
                            const support::Environment& environment = {},
                            absl::Duration limit = absl::Minutes(1));
  // The flags that RunVerb adds.
  std::vector<std::string> Flags();

 private:
  std::string name_;
  std::unique_ptr<support::Sql> sql_;
};

// Adds the outbox with its publication and slot, and a broker. The topic of an aggregate type is
// the test's name, a dot and the type.
class RelayTest : public DatabaseTest {
 protected:
  void SetUp() override;
  void TearDown() override;

  std::string Topic(std::string_view aggregate_type) const;
  void CreateTopic(std::string_view aggregate_type, int partitions = 3);
  support::TopicReader Reader(const std::vector<std::string>& aggregate_types);

  // The flags of `walpost run` for this test.
  std::vector<std::string> RunFlags(const std::vector<std::string>& more = {});
  // Starts it without waiting.
  std::unique_ptr<support::RelayProcess> Launch(const std::vector<std::string>& more = {},
                                                const support::Environment& environment = {});
  // Starts it and waits until it is ready.
  std::unique_ptr<support::RelayProcess> StartRelay(const std::vector<std::string>& more = {},
                                                    const support::Environment& environment = {});

  // One transaction of `count` rows; keys k0 to k9 in turn.
  void Insert(std::string_view aggregate_type, int count);
  // One row; an LSN between its insert and its commit: whoever confirms more than that has
  // confirmed the row.
  Lsn InsertOne(std::string_view aggregate_type);

  // Has two rows delivered, so that the events behind them need not wait for the first of their
  // partition. The topic is to have one.
  void DeliverFirst(std::string_view aggregate_type);

  // Ids of the table in the order of insertion, which is the order of commits when one session
  // wrote.
  std::vector<std::string> IdsInTable();
  // Reads until each row of the table is in the topics, then what else they hold; says what is
  // lost or foreign.
  void ExpectDelivered(support::TopicReader& reader, absl::Duration limit = absl::Seconds(30));
  // First appearances are in the order of insertion for each topic and key.
  void ExpectKeysInOrder(const support::TopicReader& reader);
};

// Lines of standard error that report an error, each with its hint.
std::vector<std::string> ErrorLines(const std::string& standard_error);

}  // namespace walpost::integration

#endif  // WALPOST_TESTS_INTEGRATION_RELAY_TEST_H_
