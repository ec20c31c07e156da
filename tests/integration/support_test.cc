// What the other tests stand on: the servers, the clients and the process runner.
#include <absl/time/clock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <array>

#include "integration/relay_test.h"
#include "support/process.h"
#include "support/rdkafka_ptr.h"

namespace walpost::integration {
namespace {

using support::Process;
using support::Sql;
using support::TopicReader;

using SupportProcess = ::testing::Test;
using SupportPostgres = DatabaseTest;

class SupportKafka : public RelayTest {
 protected:
  // Produces values "0" to "count - 1", the value as the header id too.
  // Null when the client took it. Not by the variadic call, whose macros are an extension of gcc's.
  static rd_kafka_error_t* ProduceOne(rd_kafka_t* producer, const std::string& topic,
                                      std::string value) {
    std::array<rd_kafka_vu_t, 5> parts{};
    parts[0].vtype = RD_KAFKA_VTYPE_TOPIC;
    parts[0].u.cstr = topic.c_str();
    parts[1].vtype = RD_KAFKA_VTYPE_KEY;
    std::string key = "key";
    parts[1].u.mem = {key.data(), key.size()};
    parts[2].vtype = RD_KAFKA_VTYPE_VALUE;
    parts[2].u.mem = {value.data(), value.size()};
    parts[3].vtype = RD_KAFKA_VTYPE_HEADER;
    parts[3].u.header = {"id", value.data(), static_cast<ssize_t>(value.size())};
    parts[4].vtype = RD_KAFKA_VTYPE_MSGFLAGS;
    parts[4].u.i = RD_KAFKA_MSG_F_COPY;
    return rd_kafka_produceva(producer, parts.data(), parts.size());
  }

  void Produce(const std::string& topic, int count) {
    std::array<char, 256> error{};
    rd_kafka_conf_t* conf = rd_kafka_conf_new();
    rd_kafka_conf_set(conf, "bootstrap.servers", kafka().bootstrap().c_str(), error.data(),
                      error.size());
    // Without it a batch that has to be sent again, as to a new topic, may come behind later ones.
    rd_kafka_conf_set(conf, "enable.idempotence", "true", error.data(), error.size());
    const support::ClientPtr producer(
        rd_kafka_new(RD_KAFKA_PRODUCER, conf, error.data(), error.size()));
    for (int i = 0; i < count; ++i) {
      const std::string value = std::to_string(i);
      ASSERT_EQ(ProduceOne(producer.get(), topic, value), nullptr);
    }
    ASSERT_EQ(rd_kafka_flush(producer.get(), 20'000), RD_KAFKA_RESP_ERR_NO_ERROR);
  }
};

TEST_F(SupportProcess, ReportsOutputAndExitCode) {
  const support::Finished finished =
      support::Run({"bash", "-c", "echo out; echo err $WORD >&2; exit 3"}, {{"WORD", "word"}});
  EXPECT_EQ(finished.code, 3);
  EXPECT_EQ(finished.out, "out\n");
  EXPECT_EQ(finished.err, "err word\n");
}

TEST_F(SupportProcess, ReportsASignalAsTheShellDoes) {
  Process process({"sleep", "60"});
  EXPECT_TRUE(process.Running());
  process.Signal(SIGTERM);
  EXPECT_EQ(process.WaitExit(absl::Seconds(5)), 128 + SIGTERM);
}

TEST_F(SupportPostgres, RestartsWithItsData) {
  sql().Exec("CREATE TABLE kept AS SELECT 1 AS n");
  EXPECT_EQ(sql().Scalar("SHOW wal_level"), "logical");
  ASSERT_TRUE(postgres().StopFast().has_value());
  ASSERT_TRUE(postgres().Start().ok());
  EXPECT_EQ(sql().Number("SELECT n FROM kept"), 1);
}

TEST_F(SupportPostgres, SessionsInterleave) {
  sql().Exec("CREATE TABLE t(n int)");
  Sql other(conninfo());
  other.Exec("BEGIN; LOCK TABLE t");
  sql().Send("INSERT INTO t VALUES (1)");
  other.Exec("COMMIT");
  sql().Finish();
  EXPECT_EQ(other.Number("SELECT count(*) FROM t"), 1);
}

TEST_F(SupportKafka, ReadsBackWhatWasProduced) {
  CreateTopic("plain", 2);
  Produce(Topic("plain"), 100);
  TopicReader reader = Reader({"plain"});
  EXPECT_TRUE(reader.ReadUntilDistinct(100, absl::Seconds(20)));
  EXPECT_TRUE(reader.ReadToEnd());
  EXPECT_EQ(reader.records().size(), 100u);
  EXPECT_EQ(reader.FirstSeen().front(), "0");
  EXPECT_EQ(reader.Find("99")->key, "key");
  EXPECT_NE(reader.Find("99")->timestamp_ms, 0);
}

TEST_F(SupportKafka, KeepsItsTopicsThroughPauseAndKill) {
  CreateTopic("kept", 1);
  Produce(Topic("kept"), 10);
  kafka().Pause();
  kafka().Resume();
  kafka().Kill();
  ASSERT_TRUE(kafka().Start().ok());
  TopicReader reader = Reader({"kept"});
  EXPECT_TRUE(reader.ReadUntilDistinct(10, absl::Seconds(20)));
}

}  // namespace
}  // namespace walpost::integration
