// What each value format makes of a payload.
#include "unit/outbox/mapper_fixture.h"

namespace walpost::outbox {
namespace {

using testing::HasSubstr;

class ValueFormatTest : public MapperTest {
 protected:
  void Use(const std::string& format, std::uint32_t payload_type,
           const std::vector<std::pair<std::string, std::uint32_t>>& more = {}) {
    settings_.value = format;
    Table(payload_type, more);
    mapper_.reset();
  }
};

TEST_F(ValueFormatTest, TextPassesVerbatim) {
  Use("text", kJsonb);
  EXPECT_EQ(Value(R"({"n": 9007199254740993, "d": 1.50})"),
            R"({"n": 9007199254740993, "d": 1.50})");
  EXPECT_EQ(Value(""), "");
  EXPECT_EQ(Value("null"), "null");
  EXPECT_EQ(Value(std::nullopt), std::nullopt);
}

TEST_F(ValueFormatTest, BytesAreThoseOfTheBytea) {
  Use("bytes", kBytea);
  EXPECT_EQ(Value("\\x00ff41"), std::string("\0\xff"
                                            "A",
                                            3));
  EXPECT_EQ(Value("\\x"), "");
  EXPECT_EQ(Value(std::nullopt), std::nullopt);
  ExpectPoison(Map("no hex"), PoisonReason::kValue, "id-1");
  Use("bytes", kText);
  EXPECT_EQ(Value("plain"), "plain");
}

TEST_F(ValueFormatTest, JsonEmbedsThePayloadWithoutLoss) {
  Use("json", kJsonb);
  EXPECT_EQ(Value(R"({"n": 9007199254740993, "d": 1.50, "e": [], "x": null, "e": 1E400})"),
            R"({"n":9007199254740993,"d":1.50,"e":[],"x":null,"e":1E400})");
  EXPECT_EQ(Value("[1, 2]"), "[1,2]");
  EXPECT_EQ(Value("\"s\""), "\"s\"");
  EXPECT_EQ(Value("null"), "null");
  EXPECT_EQ(Value(std::nullopt), "null");
}

TEST_F(ValueFormatTest, WhatIsNoJsonIsPoisonWhereJsonIsNeeded) {
  Use("json", kText);
  for (const char* text : {"", " ", "{", "{} x", "NaN", "secret"}) {
    const auto event = Map(text);
    ExpectPoison(event, PoisonReason::kValue, "not JSON");
    EXPECT_THAT(std::string(event.status().message()), testing::Not(HasSubstr("secret")));
  }
}

TEST_F(ValueFormatTest, DebeziumsStyleDropsAndRendersAsItDoes) {
  settings_.json_style = "debezium";
  Use("json", kJsonb);
  EXPECT_EQ(Value(R"({"a": null, "b": [], "c": 1.50, "d": {}})"), R"({"c":1.5,"d":{}})");
  EXPECT_EQ(Value("\"s\""), R"("\"s\"")");
  settings_.json_nulls = "keep";
  settings_.json_empty_arrays = "keep";
  Use("json", kJsonb);
  EXPECT_EQ(Value(R"({"a": null, "b": []})"), R"({"a":null,"b":[]})");
}

TEST_F(ValueFormatTest, JsonEscapedIsOneString) {
  Use("json-escaped", kJsonb);
  EXPECT_EQ(Value(R"({"a": "x"})"), R"("{\"a\": \"x\"}")");
  EXPECT_EQ(Value(""), "\"\"");
  EXPECT_EQ(Value(std::nullopt), "null");
  Use("json-escaped", kBytea);
  EXPECT_EQ(Value("\\x0102"), "\"AQI=\"");
}

TEST_F(ValueFormatTest, JsonSchemaTellsTheTypeOfTheColumn) {
  Use("json-schema", kJsonb);
  EXPECT_EQ(
      Value("{}"),
      R"({"schema":{"type":"string","optional":true,"name":"io.debezium.data.Json","version":1},"payload":"{}"})");
  EXPECT_EQ(
      Value(std::nullopt),
      R"({"schema":{"type":"string","optional":true,"name":"io.debezium.data.Json","version":1},"payload":null})");
}

TEST_F(ValueFormatTest, JsonSchemaKnowsFromTheCatalogWhatMayBeNull) {
  Use("json-schema", kText);
  ASSERT_TRUE(Bind().ok());
  EXPECT_TRUE(mapper_->NeedsCatalog(relation_));
  const std::optional<CatalogTable> catalog = CatalogTable{
      .name = {}, .is_partition = false, .ancestors = {}, .columns = {{"payload", kText, true}}};
  ASSERT_TRUE(Bind(&catalog).ok());
  EXPECT_EQ(Value("x"), R"({"schema":{"type":"string","optional":false},"payload":"x"})");
}

TEST_F(ValueFormatTest, JsonSchemaDescribesAnEnvelopeAndAnExpandedPayload) {
  settings_.envelope = {{"eventType", "type"}};
  Use("json-schema", kText);
  EXPECT_EQ(
      Value("x"),
      R"({"schema":{"type":"struct","fields":[{"type":"string","optional":true,"field":"payload"},)"
      R"({"type":"string","optional":true,"field":"eventType"}],"optional":false},)"
      R"("payload":{"payload":"x","eventType":"OrderPlaced"}})");
  settings_.envelope.clear();
  settings_.json_style = "debezium";
  Use("json-schema", kJsonb);
  EXPECT_EQ(Value(R"({"a": 1})"),
            R"({"schema":{"type":"struct","fields":[{"type":"int32","optional":true,"field":"a"}],)"
            R"("optional":true,"name":"payload"},"payload":{"a":1}})");
  EXPECT_EQ(Value(std::nullopt),
            R"({"schema":{"type":"string","optional":true,"name":"io.debezium.data.Json",)"
            R"("version":1},"payload":null})");
}

TEST_F(ValueFormatTest, AnEnvelopeHasThePayloadFirstAndItsMembersInOrder) {
  settings_.envelope = {{"eventType", "type"}, {"version", "ver"}, {"paid", "paid"}};
  Use("envelope", kJsonb, {{"ver", kInt4}, {"paid", kBool}});
  EXPECT_EQ(Value(R"({"a": 1})", {"7", "t"}),
            R"({"payload":"{\"a\": 1}","eventType":"OrderPlaced","version":7,"paid":true})");
  EXPECT_EQ(Value(std::nullopt, {std::nullopt, std::nullopt}),
            R"({"payload":null,"eventType":"OrderPlaced","version":null,"paid":null})");
  Use("json", kJsonb, {{"ver", kInt4}, {"paid", kBool}});
  EXPECT_EQ(Value(R"({"a": 1})", {"7", "f"}),
            R"({"payload":{"a":1},"eventType":"OrderPlaced","version":7,"paid":false})");
}

TEST_F(ValueFormatTest, AnEnvelopeOfNothingElseIsStillAnObject) {
  Use("envelope", kJsonb);
  EXPECT_EQ(Value("1"), R"({"payload":"1"})");
}

TEST_F(ValueFormatTest, StructIsWhatJavaPrints) {
  Use("struct", kJsonb);
  EXPECT_EQ(Value(R"({"a": {"z": [1, 2]}, "n": null, "t": "x"})"),
            "Struct{a=Struct{z=[1, 2]},t=x}");
  EXPECT_EQ(Value(std::nullopt), std::nullopt);
}

TEST_F(ValueFormatTest, AUnionWhoseFieldsAreTooManyStaysText) {
  Use("struct", kText);
  std::string payload = R"({"a":[)";
  for (int i = 0; i < 3'000; ++i) {
    payload += (i == 0 ? R"({"k)" : R"(,{"k)") + std::to_string(i) + R"(":1})";
  }
  payload += "]}";
  EXPECT_EQ(Value(payload), payload);
}

TEST_F(ValueFormatTest, JsonOfAUuidIsAString) {
  Use("json", kUuid);
  EXPECT_EQ(Value("018f3a1e-0000-7000-8000-000000000001"),
            R"("018f3a1e-0000-7000-8000-000000000001")");
}

TEST_F(ValueFormatTest, AStringThatIsNoUtf8IsPoisonWhereJsonIsNeeded) {
  for (const char* format : {"json-escaped", "json-schema", "envelope"}) {
    Use(format, kText);
    ExpectPoison(Map("caf\xe9"), PoisonReason::kValue, "UTF-8");
  }
  Use("text", kText);
  EXPECT_EQ(Value("caf\xe9"), "caf\xe9");
}

TEST_F(ValueFormatTest, AnEmptyPayloadIsATombstoneWhereThatIsAskedFor) {
  settings_.empty_payload = "tombstone";
  for (const char* format : {"text", "json", "json-escaped", "json-schema", "envelope"}) {
    Use(format, kText);
    EXPECT_EQ(Value(std::nullopt), std::nullopt) << format;
    EXPECT_EQ(Value(""), std::nullopt) << format;
    EXPECT_EQ(Value(" \t\n\x01"), std::nullopt) << format;
    EXPECT_NE(Value("null"), std::nullopt) << format;
    EXPECT_NE(Value("1"), std::nullopt) << format;
  }
  Use("bytes", kBytea);
  EXPECT_EQ(Value("\\x"), "") << "an empty bytea is no tombstone";
  EXPECT_EQ(Value(std::nullopt), std::nullopt);
}

TEST_F(ValueFormatTest, ABytesPayloadIsRefusedWhereTextIsNeeded) {
  for (const char* format : {"text", "json", "struct"}) {
    Use(format, kBytea);
    const absl::Status bound = Bind();
    EXPECT_TRUE(absl::IsFailedPrecondition(bound)) << format;
    EXPECT_THAT(std::string(bound.message()), HasSubstr("outbox.value = 'bytes'"));
  }
}

}  // namespace
}  // namespace walpost::outbox
