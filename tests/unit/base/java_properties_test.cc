#include "base/java_properties.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace walpost {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;

std::vector<std::pair<std::string, std::string>> Parsed(std::string_view text) {
  auto properties = ParseJavaProperties(text);
  EXPECT_TRUE(properties.ok()) << properties.status();
  return properties.value_or(std::vector<std::pair<std::string, std::string>>{});
}

TEST(JavaProperties, TakesEachSeparatorWithBlanksAround) {
  EXPECT_THAT(Parsed("a=1\nb:2\nc 3\n d \t= 4\ne\nf=\n"),
              ElementsAre(Pair("a", "1"), Pair("b", "2"), Pair("c", "3"), Pair("d", "4"),
                          Pair("e", ""), Pair("f", "")));
}

TEST(JavaProperties, KeepsWhatBelongsToTheValue) {
  EXPECT_THAT(Parsed("a = b = c \nd==x"), ElementsAre(Pair("a", "b = c "), Pair("d", "=x")));
}

TEST(JavaProperties, LeavesOutCommentsAndEmptyLines) {
  EXPECT_THAT(Parsed("# a=1\r\n ! b=2\n\n  \t\nc=3 # no comment\r"),
              ElementsAre(Pair("c", "3 # no comment")));
  EXPECT_THAT(Parsed(""), IsEmpty());
}

TEST(JavaProperties, JoinsLinesThatEndWithABackslash) {
  EXPECT_THAT(Parsed("a = b,\\\n    c,\\\r\n\td\ne=f\\\\\ng=h"),
              ElementsAre(Pair("a", "b,c,d"), Pair("e", "f\\"), Pair("g", "h")));
  EXPECT_THAT(Parsed("a\\\n  b = 1"), ElementsAre(Pair("ab", "1")));
}

TEST(JavaProperties, KnowsTheEscapes) {
  EXPECT_THAT(Parsed(R"(a\=b\:c\ d = \t\n\r\f\\\q)"), ElementsAre(Pair("a=b:c d", "\t\n\r\f\\q")));
  EXPECT_THAT(Parsed(R"(u=\u0041\u00e9\u20AC\uD83D\uDE00)"), ElementsAre(Pair("u", "Aé€😀")));
  EXPECT_THAT(Parsed("u=é€😀"), ElementsAre(Pair("u", "é€😀")));
}

TEST(JavaProperties, KeepsDuplicatesInTheirOrder) {
  EXPECT_THAT(Parsed("a=1\na=2"), ElementsAre(Pair("a", "1"), Pair("a", "2")));
}

TEST(JavaProperties, SaysInWhichLineAnEscapeIsBroken) {
  for (const char* text :
       {"a=1\nb=\\u12", "a=1\nb=\\u12x4", "a\nb=\\ud83d", "a\nb=\\ud83d\\u0041", "a\nb=\\ude00"}) {
    const auto properties = ParseJavaProperties(text);
    EXPECT_TRUE(absl::IsInvalidArgument(properties.status())) << text;
    EXPECT_THAT(std::string(properties.status().message()), HasSubstr("line 2"));
  }
}

TEST(JavaProperties, ABackslashAtTheVeryEndIsNothing) {
  EXPECT_THAT(Parsed("a=b\\"), ElementsAre(Pair("a", "b")));
}

}  // namespace
}  // namespace walpost
