// Key, headers, partition and timestamp of a record.
#include "unit/outbox/mapper_fixture.h"

namespace walpost::outbox {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

constexpr char kTrace[] = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

class RecordPartsTest : public MapperTest {
 protected:
  RecordPartsTest() { Table(kJsonb); }
};

TEST_F(RecordPartsTest, AKeyInJsonHasQuotesAndNullIsAWord) {
  settings_.key_format = "json";
  EXPECT_EQ((*Map("{}"))->key, "\"o-1\"");
  EXPECT_EQ((*MapRow({"id", "order", std::nullopt, "T", "{}"}))->key, "null");
  Table(kJsonb, {{"n", kInt8}});
  settings_.key = "n";
  mapper_.reset();
  EXPECT_EQ((*Map("{}", {"42"}))->key, "42");
}

TEST_F(RecordPartsTest, AKeyWithItsSchemaTellsWhetherItMayBeNull) {
  settings_.key_format = "json-schema";
  EXPECT_EQ((*Map("{}"))->key, R"({"schema":{"type":"string","optional":true},"payload":"o-1"})");
  const std::optional<CatalogTable> catalog =
      CatalogTable{.name = {},
                   .is_partition = false,
                   .ancestors = {},
                   .columns = {{"aggregateid", kText, true}}};
  ASSERT_TRUE(Bind(&catalog).ok());
  EXPECT_EQ((*Map("{}"))->key, R"({"schema":{"type":"string","optional":false},"payload":"o-1"})");
}

TEST_F(RecordPartsTest, AKeyInBytesIsThatOfTheBytea) {
  Table(kJsonb, {{"k", kBytea}});
  settings_.key = "k";
  settings_.key_format = "bytes";
  EXPECT_EQ((*Map("{}", {"\\x6b00"}))->key, std::string("k\0", 2));
  EXPECT_EQ((*Map("{}", {std::nullopt}))->key, std::nullopt);
}

TEST_F(RecordPartsTest, AKeyOutOfSomethingThatIsNoJsonIsPoison) {
  settings_.key = "payload:/id";
  ExpectPoison(Map("no JSON"), PoisonReason::kKey, "not JSON");
  ExpectPoison(Map(R"({"id":{}})"), PoisonReason::kKey, "no scalar");
}

TEST_F(RecordPartsTest, HeadersComeFromColumnsPointersAndConstants) {
  settings_.headers = Texts{{"eventType", "type"}, {"tenant", "payload:/t"}, {"origin", "'shop'"}};
  const auto event = Map(R"({"t":"acme"})");
  ASSERT_TRUE(event.ok()) << event.status();
  EXPECT_THAT(Headers(**event),
              ElementsAre(Pair("id", Field("id-1")), Pair("eventType", Field("OrderPlaced")),
                          Pair("tenant", Field("acme")), Pair("origin", Field("shop"))));
}

TEST_F(RecordPartsTest, HeadersInJsonHaveQuotesAndNullIsAWord) {
  Table(kJsonb, {{"n", kInt4}});
  settings_.headers =
      Texts{{"type", "type"}, {"n", "n"}, {"p", "payload:/p"}, {"none", "payload:/q"}};
  settings_.header_format = "json";
  const auto event = Map(R"({"p":"x"})", {"7"});
  ASSERT_TRUE(event.ok()) << event.status();
  EXPECT_THAT(
      Headers(**event),
      ElementsAre(Pair("id", Field("\"id-1\"")), Pair("type", Field("\"OrderPlaced\"")),
                  Pair("n", Field("7")), Pair("p", Field("\"x\"")), Pair("none", Field("null"))));
}

TEST_F(RecordPartsTest, AnObjectBecomesAHeaderForEachMember) {
  Table(kJsonb, {{"headers", kJsonb}});
  settings_.headers_from = "headers";
  const auto event = Map(
      "{}",
      {R"({"s": "a\"b", "n": 1.50, "t": true, "z": null, "o": {"x": [1, 2]}, "traceparent": ")" +
       std::string(kTrace) + "\"}"});
  ASSERT_TRUE(event.ok()) << event.status();
  EXPECT_THAT(
      Headers(**event),
      ElementsAre(Pair("id", Field("id-1")), Pair("s", Field("a\"b")), Pair("n", Field("1.50")),
                  Pair("t", Field("true")), Pair("z", std::nullopt),
                  Pair("o", Field(R"({"x":[1,2]})")), Pair("traceparent", Field(kTrace))));
  EXPECT_EQ((*Map("{}", {std::nullopt}))->headers.size(), 1u);
  EXPECT_EQ((*Map("{}", {"{}"}))->headers.size(), 1u);
}

TEST_F(RecordPartsTest, WhatIsNoObjectOfHeadersIsPoison) {
  Table(kJsonb, {{"headers", kText}});
  settings_.headers_from = "headers";
  for (const char* text : {"[]", "1", "null", "", "{\"a\":}"}) {
    ExpectPoison(Map("{}", {text}), PoisonReason::kHeader, "outbox.headers_from");
  }
  ExpectPoison(Map("{}", {R"({"id":"x"})"}), PoisonReason::kHeader, "'id'");
}

TEST_F(RecordPartsTest, ASpanContextPassesUnchangedInFrontOfTheId) {
  Table(kJsonb, {{"tracingspancontext", kText}});
  settings_.tracing = "tracingspancontext";
  const auto event = Map("{}", {"#Tue Dec 01 05:00:00 UTC 2026\nother=1\ntracestate=a=1,b=2\n"
                                "traceparent=" +
                                std::string(kTrace) + "\n"});
  ASSERT_TRUE(event.ok()) << event.status();
  EXPECT_THAT(Headers(**event),
              ElementsAre(Pair("traceparent", Field(kTrace)), Pair("tracestate", Field("a=1,b=2")),
                          Pair("id", Field("id-1"))));
  EXPECT_EQ((*Map("{}", {std::nullopt}))->headers.size(), 1u);
}

TEST_F(RecordPartsTest, APartitionIsTheColumnsNumber) {
  Table(kJsonb, {{"part", kInt4}});
  settings_.partition = "part";
  EXPECT_EQ((*Map("{}", {"3"}))->partition, 3);
  EXPECT_EQ((*Map("{}", {std::nullopt}))->partition, std::nullopt);
  ExpectPoison(Map("{}", {"-1"}), PoisonReason::kPartition, "part");
  ExpectPoison(Map("{}", {"2147483648"}), PoisonReason::kPartition, "part");
  EXPECT_EQ((*Map("{}", {"0"}))->partition, 0);
}

TEST_F(RecordPartsTest, ATypeThatCannotBeAPartitionOrATimestampIsRefusedByName) {
  for (std::uint32_t type : {kText, kBool, kUuid}) {
    Table(kJsonb, {{"x", type}});
    settings_ = {};
    settings_.partition = "x";
    EXPECT_THAT(std::string(Bind().message()),
                testing::AllOf(HasSubstr("'x'"), HasSubstr("outbox.partition"),
                               HasSubstr("smallint, integer or bigint")));
    settings_ = {};
    settings_.timestamp = "x";
    EXPECT_THAT(std::string(Bind().message()),
                testing::AllOf(HasSubstr("'x'"), HasSubstr("outbox.timestamp"),
                               HasSubstr("timestamp or timestamptz")));
  }
}

TEST_F(RecordPartsTest, WhatWillNotDoIsRefusedBeforeTheFirstRow) {
  settings_.headers = Texts{{"n", "n"}};
  settings_.column_text = "debezium";
  auto mapper = EventMapper::Create({settings_});
  ASSERT_TRUE(mapper.ok());
  CatalogTable table;
  for (const char* name : {"id", "aggregatetype", "aggregateid", "payload"}) {
    table.columns.push_back({name, kText, false});
  }
  const QualifiedName outbox{"public", "outbox"};
  EXPECT_THAT(std::string(mapper->CheckTable(outbox, table).message()), HasSubstr("no column 'n'"));
  table.columns.push_back({"n", kInt4, false});
  EXPECT_TRUE(mapper->CheckTable(outbox, table).ok());
  table.columns.back().type = 1009;  // text[]
  EXPECT_TRUE(absl::IsFailedPrecondition(mapper->CheckTable(outbox, table)));
  table.columns.back().type = kInt4;
  table.columns[3].type = kBytea;
  EXPECT_THAT(std::string(mapper->CheckTable(outbox, table).message()), HasSubstr("bytea"));
}

TEST_F(RecordPartsTest, AColumnThatCannotHoldWhatIsReadOutOfItIsRefused) {
  const auto expect_refused = [this](std::string_view why) {
    const absl::Status refused = Bind();
    EXPECT_TRUE(absl::IsFailedPrecondition(refused)) << refused;
    EXPECT_THAT(std::string(refused.message()), HasSubstr(why));
  };
  Table(kBytea, {{"h", kInt4}});
  settings_.value = "bytes";
  settings_.key = "payload:/id";
  expect_refused("named by outbox.key, that is neither jsonb nor json nor text");
  settings_.key = "aggregateid";
  settings_.headers = Texts{{"t", "payload:/t"}};
  expect_refused("named by outbox.headers");
  settings_.headers = Texts{};
  settings_.headers_from = "h";
  expect_refused("named by outbox.headers_from");
  settings_.headers_from = "";
  settings_.tracing = "h";
  expect_refused("named by outbox.tracing, that is not text");
}

TEST_F(RecordPartsTest, AStructureMadeByUsersIsRefusedWhereDebeziumHasItsOwnText) {
  Table(kJsonb, {{"h", 70000}});
  settings_.headers = Texts{{"h", "h"}};
  std::optional<CatalogTable> catalog = CatalogTable{};
  catalog->columns.push_back({.name = "h", .type = 70000});
  ASSERT_TRUE(Bind(&catalog).ok());
  settings_.column_text = "debezium";
  EXPECT_TRUE(Bind(&catalog).ok()) << "an enum";
  catalog->columns.back().is_structured = true;
  EXPECT_TRUE(absl::IsFailedPrecondition(Bind(&catalog)));
  settings_.column_text = "postgres";
  EXPECT_TRUE(Bind(&catalog).ok());
}

TEST_F(RecordPartsTest, ADomainIsAsGoodAsItsBaseType) {
  Table(kJsonb, {{"part", 70000}});
  settings_.partition = "part";
  EXPECT_TRUE(absl::IsFailedPrecondition(Bind()));
  EXPECT_TRUE(mapper_->NeedsCatalog(relation_));
  const std::optional<CatalogTable> catalog = CatalogTable{
      .name = {}, .is_partition = false, .ancestors = {}, .columns = {{"part", kInt4, false}}};
  ASSERT_TRUE(Bind(&catalog).ok());
  EXPECT_EQ((*Map("{}", {"2"}))->partition, 2);
}

TEST_F(RecordPartsTest, ATimestampIsTheCommitTimeUnlessAColumnSaysOtherwise) {
  constexpr std::int64_t kCommit = 946'684'801'500;
  EXPECT_EQ((*Map("{}", {}, 1'500'999))->timestamp_ms, kCommit);
  Table(kJsonb, {{"at", kTimestampTz}});
  settings_.timestamp = "at";
  mapper_.reset();
  EXPECT_EQ((*Map("{}", {"2024-02-29 12:34:56.789123+00"}))->timestamp_ms, 1'709'210'096'789);
  EXPECT_EQ((*Map("{}", {"1970-01-01 00:00:00+00"}))->timestamp_ms, 0);
  EXPECT_EQ((*Map("{}", {std::nullopt}, 1'500'999))->timestamp_ms, kCommit);
  ExpectPoison(Map("{}", {"1969-12-31 23:59:59.999+00"}), PoisonReason::kTimestamp, "1970");
  ExpectPoison(Map("{}", {"infinity"}), PoisonReason::kTimestamp, "id-1");
}

TEST_F(RecordPartsTest, ATimestampWithoutAZoneIsTakenAsUtc) {
  Table(kJsonb, {{"at", kTimestamp}});
  settings_.timestamp = "at";
  EXPECT_EQ((*Map("{}", {"2024-02-29 12:34:56.789"}))->timestamp_ms, 1'709'210'096'789);
}

TEST_F(RecordPartsTest, NowIsForTheProducerToSay) {
  settings_.timestamp = "now";
  EXPECT_EQ((*Map("{}"))->timestamp_ms, std::nullopt);
}

TEST_F(RecordPartsTest, TheRouterRewritesTheTopic) {
  settings_.topic = "${aggregatetype}";
  settings_.topic_regex = "(or)(.*)";
  settings_.topic_replacement = "x-$1-y-$2";
  EXPECT_EQ((*Map("{}"))->topic, "x-or-y-der");
  EXPECT_EQ((*MapRow({"id", "customer", "k", "T", "{}"}))->topic, "customer");
  settings_.topic_replacement = "no topic";
  mapper_.reset();
  ExpectPoison(Map("{}"), PoisonReason::kTopic, "character");
}

}  // namespace
}  // namespace walpost::outbox
