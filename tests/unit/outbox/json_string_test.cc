#include "outbox/json_string.h"

#include <gtest/gtest.h>

#include <string>

#include "outbox/utf8.h"

namespace walpost::outbox {
namespace {

std::string JsonStringOf(std::string_view text) {
  std::string out;
  AppendJsonString(text, out);
  return out;
}

TEST(JsonString, AppendsBehindWhatIsThere) {
  std::string out = "[";
  AppendJsonString("a", out);
  AppendJsonString("", out);
  EXPECT_EQ(out, R"(["a""")");
}

TEST(JsonString, EscapesTheTwoThatJsonMust) { EXPECT_EQ(JsonStringOf(R"("\)"), R"("\"\\")"); }

TEST(JsonString, EscapesControlsAsJacksonDoes) {
  EXPECT_EQ(JsonStringOf("\b\t\n\f\r"), R"("\b\t\n\f\r")");
  EXPECT_EQ(JsonStringOf(std::string_view("<\0>", 3)), R"("<\u0000>")");
  EXPECT_EQ(JsonStringOf("\x01\x0b\x0e\x1a\x1f"), R"("\u0001\u000B\u000E\u001A\u001F")");
}

TEST(JsonString, LeavesAllElseUpToUffffAsItIs) {
  for (const char* text : {"/<>&'=", "\x7f", "\u0080\u0085\u009f", "naïve ☕ 日本", "\u2028\u2029",
                           "\ufeff\ufffe\uffff\ue000", "\xed\x9f\xbf"}) {
    EXPECT_EQ(JsonStringOf(text), "\"" + std::string(text) + "\"");
  }
}

TEST(JsonString, EscapesWhatIsAboveUffffAsTwoSurrogates) {
  EXPECT_EQ(JsonStringOf("<😀>"), R"("<\uD83D\uDE00>")");
  EXPECT_EQ(JsonStringOf("\U00010000\U0010ffff"), R"("\uD800\uDC00\uDBFF\uDFFF")");
}

TEST(JsonString, EscapesASurrogateInThreeBytes) {
  EXPECT_EQ(JsonStringOf("\xed\xa0\xbd!"), R"("\uD83D!")");
  EXPECT_EQ(JsonStringOf("\xed\xbf\xbf"), R"("\uDFFF")");
}

TEST(JsonString, CopiesBytesThatAreNoUtf8) {
  for (const char* text : {"\xf0\x9f\x98", "\xff", "\xed\xa0", "\xf5\x80\x80\x80", "\xed"}) {
    EXPECT_EQ(JsonStringOf(text), "\"" + std::string(text) + "\"");
  }
}

TEST(Utf8, TakesTheEndsOfEachLength) {
  for (const char* text : {"", "\x7f", "\u0080", "\u07ff", "\u0800", "\xed\x9f\xbf", "\ue000",
                           "\uffff", "\U00010000", "\U0010ffff"}) {
    EXPECT_TRUE(IsUtf8(text)) << text;
    EXPECT_EQ(Utf8LengthAt(text), std::string_view(text).size());
  }
}

TEST(Utf8, RefusesOverlongFormsSurrogatesAndCutSequences) {
  for (const char* text :
       {"\x80", "\xc0\xaf", "\xc1\xbf", "\xe0\x9f\xbf", "\xf0\x8f\xbf\xbf", "\xed\xa0\x80",
        "\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "\xc3", "\xe2\x82", "\xf0\x9f\x98", "\xe2\x28\xa1",
        "\xf0\x9f\x28\x80", "a\xff"}) {
    EXPECT_FALSE(IsUtf8(text)) << text;
  }
}

}  // namespace
}  // namespace walpost::outbox
