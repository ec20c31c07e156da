#include "config/value_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace walpost::config {
namespace {

using testing::ElementsAre;
using testing::Pair;

TEST(ParseSize, ReadsThousandsAndPowersOfTwo) {
  EXPECT_EQ(*ParseSize("1000"), 1000u);
  EXPECT_EQ(*ParseSize("7B"), 7u);
  EXPECT_EQ(*ParseSize("500KB"), 500'000u);
  EXPECT_EQ(*ParseSize("16MiB"), 16u << 20);
  EXPECT_EQ(*ParseSize(" 2 gib "), 2ull << 30);
  EXPECT_EQ(*ParseSize("3GB"), 3'000'000'000u);
}

TEST(ParseSize, RefusesWhatIsNoSize) {
  for (const char* text : {"", "MiB", "16M", "1.5MiB", "-1", "0", "0KB", "16 MiBs", "1 2",
                           "99999999999999999999", "9223372036854775807KB"}) {
    EXPECT_FALSE(ParseSize(text).ok()) << text;
  }
}

TEST(ParseCount, RefusesAllButPositiveWholeNumbers) {
  EXPECT_EQ(*ParseCount("100000"), 100'000u);
  for (const char* text : {"", "0", "-1", "1.5", "1k", "99999999999999999999"}) {
    EXPECT_FALSE(ParseCount(text).ok()) << text;
  }
}

TEST(ParseDuration, ReadsNumbersWithUnits) {
  EXPECT_EQ(*ParseDuration("100ms"), absl::Milliseconds(100));
  EXPECT_EQ(*ParseDuration("10s"), absl::Seconds(10));
  EXPECT_EQ(*ParseDuration("2m"), absl::Minutes(2));
  EXPECT_EQ(*ParseDuration("1m30s"), absl::Seconds(90));
}

TEST(ParseDuration, RefusesWhatIsNoPositiveFiniteDuration) {
  for (const char* text : {"", "10", "0", "0s", "-1s", "inf", "-inf", "10 seconds", "forever"}) {
    EXPECT_FALSE(ParseDuration(text).ok()) << text;
  }
}

TEST(ParseNamedTexts, SplitsAtCommasThatAreNotEscaped) {
  EXPECT_THAT(*ParseNamedTexts(R"(a=1, b = x=y,c=1\,2\\,)"),
              ElementsAre(Pair("a", "1"), Pair("b", " x=y"), Pair("c", R"(1,2\)")));
  EXPECT_THAT(*ParseNamedTexts(""), ElementsAre());
  EXPECT_FALSE(ParseNamedTexts("a=1,b").ok());
  EXPECT_FALSE(ParseNamedTexts("=1").ok());
}

TEST(ParseNamedTexts, DoesNotRepeatAValueInItsError) {
  EXPECT_EQ(ParseNamedTexts("hunter2").status().message().find("hunter2"), std::string::npos);
}

TEST(TomlTable, QuotesWhatTomlWants) {
  EXPECT_EQ(TomlTable({}), "{}");
  EXPECT_EQ(TomlTable({{"a_b-c", "x"}, {"a.b", "say \"hi\"\\\n"}}),
            R"({ a_b-c = "x", "a.b" = "say \"hi\"\\\u000a" })");
}

TEST(Quoted, CutsLongTextsAndEscapesControlCharacters) {
  EXPECT_EQ(Quoted("a\nb"), R"('a\nb')");
  EXPECT_LT(Quoted(std::string(10'000, 'x')).size(), 100u);
}

}  // namespace
}  // namespace walpost::config
