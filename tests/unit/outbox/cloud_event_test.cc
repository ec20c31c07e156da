// CloudEvents 1.0 as its Kafka protocol binding has them.
// Source:
// https://github.com/cloudevents/spec/blob/v1.0.2/cloudevents/bindings/kafka-protocol-binding.md
#include "unit/outbox/mapper_fixture.h"

namespace walpost::outbox {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Key;
using testing::Not;
using testing::Pair;

class CloudEventTest : public MapperTest {
 protected:
  CloudEventTest() {
    settings_.value = "cloudevents";
    settings_.cloudevents = {{"source", "'/shop/orders'"}, {"type", "type"}};
    Table(kJsonb);
  }
  void Structured() { settings_.cloudevents_mode = "structured"; }
};

TEST_F(CloudEventTest, BinaryModeHasTheAttributesAsHeadersAndTheDataAsItIs) {
  settings_.cloudevents.emplace_back("subject", "aggregateid");
  const auto event = Map(R"({"a": 1.50})", {}, 1'500'999);
  ASSERT_TRUE(event.ok()) << event.status();
  EXPECT_EQ((*event)->value, R"({"a": 1.50})");
  EXPECT_EQ((*event)->key, "o-1");
  EXPECT_THAT(
      Headers(**event),
      ElementsAre(Pair("id", Field("id-1")), Pair("ce_specversion", Field("1.0")),
                  Pair("ce_source", Field("/shop/orders")), Pair("ce_type", Field("OrderPlaced")),
                  Pair("ce_subject", Field("o-1")), Pair("ce_id", Field("id-1")),
                  Pair("ce_time", Field("2000-01-01T00:00:01.500999Z")),
                  Pair("content-type", Field("application/json"))));
}

TEST_F(CloudEventTest, StructuredModeIsOneObject) {
  Structured();
  const auto event = Map(R"({"a": 1.50, "b": []})");
  ASSERT_TRUE(event.ok()) << event.status();
  EXPECT_EQ((*event)->value,
            R"({"specversion":"1.0","source":"/shop/orders","type":"OrderPlaced","id":"id-1",)"
            R"("time":"2000-01-01T00:00:00Z","datacontenttype":"application/json",)"
            R"("data":{"a":1.50,"b":[]}})");
  EXPECT_THAT(
      Headers(**event),
      ElementsAre(Pair("id", Field("id-1")),
                  Pair("content-type", Field("application/cloudevents+json; charset=UTF-8"))));
}

TEST_F(CloudEventTest, WithoutDataBinaryIsATombstoneAndStructuredIsNot) {
  EXPECT_EQ(Value(std::nullopt), std::nullopt);
  Structured();
  mapper_.reset();
  EXPECT_THAT(*Value(std::nullopt), Not(HasSubstr("\"data\"")));
  settings_.empty_payload = "tombstone";
  mapper_.reset();
  EXPECT_EQ(Value(std::nullopt), std::nullopt);
}

TEST_F(CloudEventTest, BytesAreRawInBinaryAndBase64InStructuredMode) {
  Table(kBytea);
  const auto event = Map("\\x0102");
  ASSERT_TRUE(event.ok()) << event.status();
  EXPECT_EQ((*event)->value, "\x01\x02");
  EXPECT_THAT(Headers(**event), Not(Contains(Key("content-type"))));
  Structured();
  mapper_.reset();
  EXPECT_THAT(*Value("\\x0102"), HasSubstr(R"("data_base64":"AQI=")"));
}

TEST_F(CloudEventTest, TextIsAStringUnlessItsTypeSaysJson) {
  Table(kText);
  Structured();
  EXPECT_THAT(*Value("{\"a\": 1}"), HasSubstr(R"("data":"{\"a\": 1}")"));
  for (const char* type : {"'application/json'", "'application/vnd.shop+json; v=1'"}) {
    settings_.cloudevents = {{"source", "'/shop'"}, {"type", "type"}, {"datacontenttype", type}};
    mapper_.reset();
    EXPECT_THAT(*Value("{\"a\": 1}"), HasSubstr(R"("data":{"a":1})"));
    ExpectPoison(Map("no JSON"), PoisonReason::kValue, "not JSON");
  }
}

TEST_F(CloudEventTest, AttributesMayBeSetAndLeftOut) {
  Table(kJsonb, {{"at", kTimestampTz}, {"tenant", kText}});
  settings_.cloudevents = {{"source", "aggregatetype"}, {"type", "type"},
                           {"id", "aggregateid"},       {"time", "at"},
                           {"tenant", "tenant"},        {"datacontenttype", "'application/avro'"}};
  const auto event = Map("{}", {"2024-02-29 12:34:56.5+02", std::nullopt});
  ASSERT_TRUE(event.ok()) << event.status();
  const auto headers = Headers(**event);
  EXPECT_THAT(headers, Contains(Pair("ce_id", Field("o-1"))));
  EXPECT_THAT(headers, Contains(Pair("ce_time", Field("2024-02-29T10:34:56.5Z"))));
  EXPECT_THAT(headers, Contains(Pair("content-type", Field("application/avro"))));
  EXPECT_THAT(headers, Not(Contains(Key("ce_tenant")))) << "NULL is no attribute";
  EXPECT_THAT(headers, Not(Contains(Key("ce_datacontenttype"))));
}

TEST_F(CloudEventTest, AnAttributeThatCannotBeIsPoison) {
  ExpectPoison(MapRow({"id", "order", "k", std::nullopt, "{}"}), PoisonReason::kValue,
               "'type' of the CloudEvent is NULL");
  ExpectPoison(MapRow({"id", "order", "k", "", "{}"}), PoisonReason::kValue, "'type'");
  ExpectPoison(MapRow({"id", "order", "k", "a\nb", "{}"}), PoisonReason::kValue, "control");
  settings_.cloudevents.emplace_back("time", "aggregateid");
  mapper_.reset();
  ExpectPoison(Map("{}"), PoisonReason::kValue, "RFC 3339");
  for (const char* time : {"infinite-future", " 2026-12-01T00:00:00Z", "2026-12-01T00:00:00Z "}) {
    ExpectPoison(MapRow({"id", "order", time, "T", "{}"}), PoisonReason::kValue, "RFC 3339");
  }
}

}  // namespace
}  // namespace walpost::outbox
