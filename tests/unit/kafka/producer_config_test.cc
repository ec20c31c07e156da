#include "kafka/producer_config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace walpost::kafka {
namespace {

using testing::HasSubstr;

ProducerOptions With(std::map<std::string, std::string> properties) {
  return {.brokers = "127.0.0.1:9092", .properties = std::move(properties)};
}

TEST(ProducerConfig, KeepsThePromiseByDefault) {
  const auto conf = MakeProducerConf(With({}), 0);
  ASSERT_TRUE(conf.ok()) << conf.status();

  EXPECT_EQ(PropertyValue(conf->get(), "bootstrap.servers"), "127.0.0.1:9092");
  EXPECT_EQ(PropertyValue(conf->get(), "enable.idempotence"), "true");
  EXPECT_EQ(PropertyValue(conf->get(), "enable.gapless.guarantee"), "true");
  EXPECT_EQ(PropertyValue(conf->get(), "acks"), "-1");
  EXPECT_EQ(PropertyValue(conf->get(), "message.timeout.ms"), "0");
  EXPECT_EQ(PropertyValue(conf->get(), "partitioner"), "murmur2_random");
  EXPECT_EQ(PropertyValue(conf->get(), "client.id"), "walpost");
}

TEST(ProducerConfig, PassesAnyOtherPropertyThrough) {
  const auto conf = MakeProducerConf(With({{"compression.type", "lz4"},
                                           {"linger.ms", "0.5"},
                                           {"sasl.password", "a secret"},
                                           {"client.id", "shop"}}),
                                     0);
  ASSERT_TRUE(conf.ok()) << conf.status();

  EXPECT_EQ(PropertyValue(conf->get(), "compression.type"), "lz4");
  EXPECT_EQ(PropertyValue(conf->get(), "linger.ms"), "0.5");
  EXPECT_EQ(PropertyValue(conf->get(), "client.id"), "shop");
}

TEST(ProducerConfig, TakesEverySpellingOfWhatItSetsItself) {
  for (const auto& [name, value] :
       std::map<std::string, std::string>{{"acks", "all"},
                                          {"request.required.acks", "-1"},
                                          {"enable.idempotence", "1"},
                                          {"delivery.timeout.ms", "0"},
                                          {"partitioner", "murmur2"},
                                          {"max.in.flight", "5"},
                                          {"bootstrap.servers", "127.0.0.1:9092"}}) {
    const auto conf = MakeProducerConf(With({{name, value}}), 0);
    EXPECT_TRUE(conf.ok()) << name << ": " << conf.status();
  }
}

struct Refused {
  const char* name;
  const char* value;
  const char* because;
};

class RefusedProperty : public testing::TestWithParam<Refused> {};

TEST_P(RefusedProperty, IsNamedWithTheReason) {
  const auto conf = MakeProducerConf(With({{GetParam().name, GetParam().value}}), 0);

  ASSERT_EQ(conf.status().code(), absl::StatusCode::kInvalidArgument);
  const std::string text(conf.status().message());
  EXPECT_THAT(text, HasSubstr("'" + std::string(GetParam().name) + "'"));
  EXPECT_THAT(text, HasSubstr(GetParam().because));
  EXPECT_THAT(text, HasSubstr("; hint: "));
}

INSTANTIATE_TEST_SUITE_P(
    Each, RefusedProperty,
    testing::Values(Refused{"acks", "1", "in-sync replica"},
                    Refused{"request.required.acks", "0", "in-sync replica"},
                    Refused{"enable.idempotence", "false", "repeat"},
                    Refused{"message.timeout.ms", "300000", "expire"},
                    Refused{"delivery.timeout.ms", "1000", "expire"},
                    Refused{"partitioner", "consistent_random", "Java"},
                    Refused{"enable.gapless.guarantee", "false", "overtake"},
                    Refused{"delivery.report.only.error", "true", "delivery report"},
                    Refused{"transactional.id", "x", "transactions"},
                    Refused{"max.in.flight", "6", "five batches"},
                    Refused{"max.in.flight.requests.per.connection", "100", "five batches"},
                    Refused{"statistics.interval.ms", "0", "readiness"},
                    Refused{"bootstrap.servers", "elsewhere:9092", "kafka.brokers"},
                    Refused{"metadata.broker.list", "elsewhere:9092", "kafka.brokers"},
                    Refused{"no.such.property", "1", "No such configuration property"},
                    Refused{"compression.type", "rar", "compression"}));

TEST(ProducerConfig, TakesTheBrokersFromThePropertyWhenThereAreNoOthers) {
  const ProducerOptions options = {.brokers = "", .properties = {{"metadata.broker.list", "a:1"}}};

  const auto conf = MakeProducerConf(options, 0);

  ASSERT_TRUE(conf.ok()) << conf.status();
  EXPECT_EQ(BrokerList(options), "a:1");
  EXPECT_EQ(PropertyValue(conf->get(), "bootstrap.servers"), "a:1");
}

TEST(ProducerConfig, NeedsBrokers) {
  const auto conf = MakeProducerConf({}, 0);

  ASSERT_EQ(conf.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(conf.status().message()), HasSubstr("--brokers"));
}

TEST(ProducerConfig, TellsABrokerFromWhatIsNone) {
  for (const char* list : {"kafka", "k-1:9092,k-2:9093", " k:1 , k:65535,", "[::1]:9092", "[::1]",
                           "2001:db8::a1", "SASL_SSL://k:9092", "plaintext://127.0.0.1"}) {
    EXPECT_TRUE(MakeProducerConf({.brokers = list, .properties = {}}, 0).ok()) << list;
  }
  for (const char* list :
       {"k:9092;k:9092", "k:abc", "k:0", "k:99999", ":9092", "http://k:1", "k k:1", "k:9092/x"}) {
    const auto conf = MakeProducerConf({.brokers = list, .properties = {}}, 0);
    EXPECT_TRUE(absl::IsInvalidArgument(conf.status())) << list;
    EXPECT_THAT(std::string(conf.status().message()), HasSubstr("kafka.brokers: '")) << list;
  }
}

TEST(ProducerConfig, LowersTheBatchButNeverRaisesIt) {
  const auto lowered = MakeProducerConf(With({}), 1000);
  const auto kept = MakeProducerConf(With({{"batch.size", "500"}}), 1000);
  ASSERT_TRUE(lowered.ok() && kept.ok());

  EXPECT_EQ(PropertyValue(lowered->get(), "batch.size"), "1000");
  EXPECT_EQ(PropertyValue(kept->get(), "batch.size"), "500");
}

TEST(ProducerConfig, NeverRepeatsASecret) {
  const auto conf = MakeProducerConf(
      With({{"sasl.password", "hunter2"}, {"acks", "1"}, {"sasl.username", "me"}}), 0);

  EXPECT_THAT(std::string(conf.status().message()), testing::Not(HasSubstr("hunter2")));
}

}  // namespace
}  // namespace walpost::kafka
