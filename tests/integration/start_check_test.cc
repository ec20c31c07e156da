// What walpost refuses before it streams a byte: columns and publications that cannot give what the
// configuration asks for. One line that names the column, its setting, and what would do.
#include <absl/strings/str_cat.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "integration/relay_test.h"

namespace walpost::integration {
namespace {

using support::Environment;
using support::Finished;
using support::TopicReader;
using ::testing::HasSubstr;

class StartCheck : public RelayTest {
 protected:
  void AddColumn(const std::string& definition) {
    sql().Exec(absl::StrCat("ALTER TABLE outbox ADD COLUMN ", definition));
  }

  // `settings` are of the [[outbox]] block, with their names in the environment.
  void ExpectRefused(const std::vector<std::string>& words, const Environment& settings,
                     const std::vector<std::string>& more = {}) {
    const Lsn before = Confirmed();
    auto relay = Launch(more, settings);
    EXPECT_EQ(relay->process().WaitExit(absl::Seconds(20)), 3) << relay->process().Err();
    const std::vector<std::string> errors = ErrorLines(relay->process().Err());
    ASSERT_EQ(errors.size(), 1u) << relay->process().Err();
    for (const std::string& word : words) EXPECT_THAT(errors[0], HasSubstr(word));
    EXPECT_THAT(errors[0], HasSubstr("hint: "));
    EXPECT_EQ(Confirmed(), before);
  }
  void ExpectStarts(const Environment& settings, const std::vector<std::string>& more = {}) {
    auto relay = StartRelay(more, settings);
    EXPECT_EQ(relay->Terminate().code, 0) << relay->process().Err();
  }
};

TEST_F(StartCheck, AColumnThatTheTableLacks) {
  ExpectRefused({"shard", "outbox.partition", "does not exist", "aggregatetype, aggregateid"},
                {{"WALPOST_OUTBOX_PARTITION", "shard"}});
}

TEST_F(StartCheck, ATypeThatIsNoPartition) {
  AddColumn("shard text");
  ExpectRefused({"shard", "outbox.partition", "of type text", "smallint", "integer", "bigint"},
                {{"WALPOST_OUTBOX_PARTITION", "shard"}});
}

TEST_F(StartCheck, ATypeThatIsNoTimestamp) {
  AddColumn("made varchar(30)");
  ExpectRefused({"made", "outbox.timestamp", "of type character varying(30)", "timestamptz"},
                {{"WALPOST_OUTBOX_TIMESTAMP", "made"}});
}

TEST_F(StartCheck, TheTypeUnderADomainIsWhatCounts) {
  sql().Exec("CREATE DOMAIN small AS int CHECK (VALUE < 3); CREATE DOMAIN smaller AS small");
  AddColumn("shard smaller");
  ExpectStarts({{"WALPOST_OUTBOX_PARTITION", "shard"}});
  sql().Exec("CREATE DOMAIN word AS text; ALTER TABLE outbox ADD COLUMN other word");
  ExpectRefused({"other", "outbox.partition", "of type public.word"},
                {{"WALPOST_OUTBOX_PARTITION", "other"}});
}

TEST_F(StartCheck, AGeneratedColumnThatTheStreamDoesNotCarry) {
  AddColumn("key_of text GENERATED ALWAYS AS (aggregatetype || aggregateid) STORED");
  ExpectRefused({"key_of", "outbox.key", "generated"}, {{"WALPOST_OUTBOX_KEY", "key_of"}});
}

TEST_F(StartCheck, UpdatesThatThePublicationLeavesOut) {
  const std::vector<std::string> halt = {"--on-update", "halt"};
  ExpectRefused({name(), "relay.on_update", "ALTER PUBLICATION", "insert, update"}, {}, halt);
  sql().Exec(absl::StrCat("ALTER PUBLICATION ", name(), " SET (publish = 'insert, update')"));
  ExpectStarts({}, halt);
}

TEST_F(StartCheck, ForMessagesAnyPublicationWillDo) {
  CreateTopic("order");
  sql().Exec(absl::StrCat("DROP PUBLICATION ", name(), "; CREATE PUBLICATION ", name(),
                          " WITH (publish = 'delete'); SELECT pg_drop_replication_slot('", name(),
                          "')"));
  CreateSlot();
  sql().Exec(
      absl::StrCat("SELECT pg_logical_emit_message(true, 'walpost', json_build_object('topic', '",
                   Topic("order"), "', 'payload', 'x')::text)"));
  std::vector<std::string> flags = Flags();
  flags.insert(flags.end(), {"--brokers", kafka().bootstrap(), "--preset", "message"});
  support::RelayProcess relay(WalpostBinary(), flags);
  TopicReader reader = Reader({"order"});
  EXPECT_TRUE(reader.ReadUntilCount(1, absl::Seconds(30))) << relay.process().Err();
  EXPECT_EQ(relay.Terminate().code, 0);
}

}  // namespace
}  // namespace walpost::integration
