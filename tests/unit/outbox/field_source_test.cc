#include "outbox/field_source.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "core/topic_name.h"
#include "outbox/column_template.h"
#include "outbox/json_field.h"

namespace walpost::outbox {
namespace {

TEST(FieldSource, ReadsAColumnAndAPointer) {
  EXPECT_EQ(FieldSource::Parse("aggregateid", "s")->column, "aggregateid");
  const auto pointer = FieldSource::Parse("payload:/order/id", "s");
  ASSERT_TRUE(pointer.ok());
  EXPECT_EQ(pointer->column, "payload");
  EXPECT_EQ(pointer->pointer, "/order/id");
}

TEST(FieldSource, NamesTheSettingThatIsWrong) {
  for (const char* text : {"", ":/x", "payload:/a~2", "'open", "'"}) {
    const auto status = FieldSource::Parse(text, "outbox.key").status();
    EXPECT_TRUE(absl::IsInvalidArgument(status)) << text;
    EXPECT_THAT(std::string(status.message()), testing::HasSubstr("outbox.key"));
  }
}

TEST(ColumnTemplate, SplitsTextAndColumns) {
  const auto parsed = ColumnTemplate::Parse("a.${b}.c${d}", "s");
  ASSERT_TRUE(parsed.ok());
  ASSERT_EQ(parsed->parts.size(), 4u);
  EXPECT_EQ(parsed->parts[0].text, "a.");
  EXPECT_TRUE(parsed->parts[1].is_column);
  EXPECT_EQ(parsed->parts[3].text, "d");
}

TEST(ColumnTemplate, RefusesWhatIsUnclosedOrEmpty) {
  for (const char* text : {"", "a${", "a${}", "${b"}) {
    EXPECT_TRUE(absl::IsInvalidArgument(ColumnTemplate::Parse(text, "outbox.topic").status()))
        << text;
  }
}

TEST(TopicName, TellsLegalFromIllegal) {
  EXPECT_EQ(TopicNameFault("outbox.event.order-1_A"), "");
  EXPECT_EQ(TopicNameFault(std::string(249, 'a')), "");
  for (const std::string& name :
       {std::string(), std::string("."), std::string(".."), std::string("has space"),
        std::string("naïve"), std::string("a\nb"), std::string("a/b"), std::string(250, 'a'),
        std::string("a\0b", 3)}) {
    EXPECT_NE(TopicNameFault(name), "") << name;
  }
}

TEST(JsonScalarAt, GivesStringsWithoutQuotesAndNumbersWithEachDigit) {
  const std::string json =
      R"({"s":"x\"y","n":9007199254740993,"d":0.10,"b":true,"l":[1,{"z":"deep"}],"nil":null})";
  EXPECT_EQ(*JsonScalarAt(json, "/s"), "x\"y");
  EXPECT_EQ(*JsonScalarAt(json, "/n"), "9007199254740993");
  EXPECT_EQ(*JsonScalarAt(json, "/d"), "0.10");
  EXPECT_EQ(*JsonScalarAt(json, "/b"), "true");
  EXPECT_EQ(*JsonScalarAt(json, "/l/1/z"), "deep");
  EXPECT_EQ(*JsonScalarAt(json, "/l/0"), "1");
  EXPECT_EQ(*JsonScalarAt(R"({"a/b":{"m~n":[[],{},7]}})", "/a~1b/m~0n/2"), "7");
  EXPECT_EQ(*JsonScalarAt(R"({"n\u00e4me":"caf\u00e9"})", "/näme"), "café");
}

TEST(JsonScalarAt, TakesAllThatPostgresqlTakesAtOtherPlaces) {
  const std::string json = R"({"huge":1E400,"half":"\ud83d","\udc00":1,"id":"x","in":{"id":"y"}})";
  EXPECT_EQ(*JsonScalarAt(json, "/id"), "x");
  EXPECT_EQ(*JsonScalarAt(json, "/huge"), "1E400");
  EXPECT_TRUE(absl::IsInvalidArgument(JsonScalarAt(json, "/half").status()));
}

TEST(JsonScalarAt, GivesTheLastOfMembersOfOneNameAsPostgresqlDoes) {
  EXPECT_EQ(*JsonScalarAt(R"({"id":1,"id":{"a":2},"id":3})", "/id"), "3");
  EXPECT_EQ(*JsonScalarAt(R"({"id":{"a":2},"id":3})", "/id/a"), std::nullopt);
}

TEST(JsonScalarAt, GivesNothingForNullAndForWhatIsNotThere) {
  EXPECT_EQ(*JsonScalarAt(R"({"nil":null})", "/nil"), std::nullopt);
  EXPECT_EQ(*JsonScalarAt(R"({"nil":null})", "/other/place"), std::nullopt);
  EXPECT_EQ(*JsonScalarAt(R"({"s":"x","l":[1]})", "/s/0"), std::nullopt);
  EXPECT_EQ(*JsonScalarAt(R"({"s":"x","l":[1]})", "/l/1"), std::nullopt);
  EXPECT_EQ(*JsonScalarAt(R"({"s":"x","l":[1]})", "/l/s"), std::nullopt);
}

TEST(JsonScalarAt, RefusesObjectsArraysAndWhatIsNotJson) {
  EXPECT_TRUE(absl::IsInvalidArgument(JsonScalarAt(R"({"o":{}})", "/o").status()));
  EXPECT_TRUE(absl::IsInvalidArgument(JsonScalarAt(R"({"o":[]})", "/o").status()));
  for (const char* text : {"", "{", "nope", "{}x", R"({"o":1}])", R"({"o":1,"p"})"}) {
    EXPECT_TRUE(absl::IsInvalidArgument(JsonScalarAt(text, "/o").status())) << text;
  }
}

TEST(JsonScalarAt, ReadsNestingOfAnyDepth) {
  const std::string deep = std::string(200'000, '[') + std::string(200'000, ']');
  EXPECT_EQ(*JsonScalarAt(deep, "/no"), std::nullopt);
}

}  // namespace
}  // namespace walpost::outbox
