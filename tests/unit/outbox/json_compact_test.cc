#include "outbox/json_compact.h"

#include <absl/status/status.h>
#include <gtest/gtest.h>

#include <string>

#include "outbox/json_scanner.h"

namespace walpost::outbox {
namespace {

std::string Compact(std::string_view json) {
  std::string out;
  const absl::Status status = AppendCompactJson(json, out);
  EXPECT_TRUE(status.ok()) << status;
  return out;
}

// The message of the error; empty when there is none.
std::string ErrorOf(std::string_view json) {
  std::string out = "kept";
  const absl::Status status = AppendCompactJson(json, out);
  EXPECT_EQ(out == "kept", !status.ok());
  EXPECT_TRUE(status.ok() || absl::IsInvalidArgument(status));
  return std::string(status.message());
}

TEST(CompactJson, DropsNothingButWhiteSpaceBetweenTokens) {
  EXPECT_EQ(Compact(R"({"a": {"y": null, "z": [1, 2, 3]}, "b": 1, "t": "naïve ☕ 日本"})"),
            R"({"a":{"y":null,"z":[1,2,3]},"b":1,"t":"naïve ☕ 日本"})");
  EXPECT_EQ(Compact(" \t\r\n{ \"a b\" : [ ] , \"c\" : { } }\n"), R"({"a b":[],"c":{}})");
  EXPECT_EQ(Compact("[[],[ [ 1 ] ],{}]"), "[[],[[1]],{}]");
}

TEST(CompactJson, KeepsNumbersDigitForDigit) {
  EXPECT_EQ(Compact("[-0, 0.1000000000000000055511151231257827, 1E+400, 1.50e-07]"),
            "[-0,0.1000000000000000055511151231257827,1E+400,1.50e-07]");
  EXPECT_EQ(Compact("123456789012345678901234567890"), "123456789012345678901234567890");
}

TEST(CompactJson, KeepsEscapesAsTheyWere) {
  const std::string text = R"({"\u0061\/":"\ud83d\ude00\uD83D 😀\n\u000a\"\\"})";
  EXPECT_EQ(Compact(text), text);
}

TEST(CompactJson, KeepsDuplicatesAndTheirOrder) {
  EXPECT_EQ(Compact(R"({"b":1, "a":2, "b":3, "":4})"), R"({"b":1,"a":2,"b":3,"":4})");
}

TEST(CompactJson, TakesAnyValueAtTheTop) {
  for (const char* text :
       {"null", "true", "false", "0", "-1.5", R"("plain")", R"("")", "[]", "{}"}) {
    EXPECT_EQ(Compact(text), text);
    EXPECT_EQ(Compact(" " + std::string(text) + " "), text);
  }
}

TEST(CompactJson, SaysWhereTheTextStopsBeingJson) {
  EXPECT_EQ(ErrorOf(""), "not JSON, at byte 0");
  EXPECT_EQ(ErrorOf("  "), "not JSON, at byte 2");
  EXPECT_EQ(ErrorOf(R"({"a":1} x)"), "not JSON, at byte 8");
  EXPECT_EQ(ErrorOf(R"({"a" 1})"), "not JSON, at byte 5");
  EXPECT_EQ(ErrorOf("[1,]"), "not JSON, at byte 3");
}

TEST(CompactJson, RefusesWhatOnlyLooksLikeJson) {
  for (const char* text : {"{",
                           "[",
                           "]",
                           "}",
                           "{]",
                           "[}",
                           "[1 2]",
                           "{\"a\":1,}",
                           "{a:1}",
                           "{'a':1}",
                           "{1:2}",
                           "{,}",
                           "[,]",
                           "NaN",
                           "[Infinity]",
                           "+1",
                           "01",
                           "-",
                           "-a",
                           ".5",
                           "1.",
                           "1.e5",
                           "1e",
                           "1e+",
                           "0x1",
                           "tru",
                           "nulL",
                           "truee",
                           "1/*c*/",
                           "\"a",
                           "\"\\",
                           "\"\\x\"",
                           "\"\\u12\"",
                           "\"\\u12g4\"",
                           "\"\t\"",
                           "\"\n\"",
                           "\xef\xbb\xbf{}",
                           "{\"a\"}",
                           "{\"a\":}",
                           "{} {}",
                           "1 1"}) {
    EXPECT_NE(ErrorOf(text), "") << text;
  }
}

TEST(CompactJson, RefusesBytesThatAreNoUtf8) {
  for (const char* text :
       {"\"\xff\"", "\"\xc3\"", "\"\xed\xa0\x80\"", "\"\xf0\x9f\x98\"", "\xa0 1"}) {
    EXPECT_NE(ErrorOf(text), "") << text;
  }
}

TEST(CompactJson, RefusesADocumentCutAnywhere) {
  const std::string text = R"({"a":[1.5e3,"\u00e9é",true,null,{}],"b":"x"})";
  for (std::size_t size = 0; size < text.size(); ++size) {
    EXPECT_NE(ErrorOf(std::string_view(text).substr(0, size)), "") << size;
  }
  EXPECT_EQ(ErrorOf(text), "");
}

TEST(CompactJson, ReadsNestingOfAnyDepth) {
  constexpr std::size_t kDepth = 2'000'000;
  const std::string text = std::string(kDepth, '[') + std::string(kDepth, ']');
  EXPECT_EQ(Compact(text), text);
  EXPECT_NE(ErrorOf(std::string_view(text).substr(1)), "");
}

TEST(JsonScanner, GivesTokensAsSlicesOfTheSource) {
  JsonScanner scanner(R"( {"\u0061" : [-1.0, tru)");
  EXPECT_EQ(scanner.Next(), JsonToken::kObjectBegin);
  EXPECT_EQ(scanner.Next(), JsonToken::kName);
  EXPECT_EQ(scanner.slice(), R"("\u0061")");
  EXPECT_EQ(scanner.Next(), JsonToken::kArrayBegin);
  EXPECT_EQ(scanner.depth(), 2u);
  EXPECT_EQ(scanner.Next(), JsonToken::kNumber);
  EXPECT_EQ(scanner.slice(), "-1.0");
  EXPECT_EQ(scanner.Next(), JsonToken::kError);
}

TEST(JsonScanner, StaysAtAnErrorAndAtTheEnd) {
  JsonScanner bad("x");
  EXPECT_EQ(bad.Next(), JsonToken::kError);
  EXPECT_EQ(bad.Next(), JsonToken::kError);
  JsonScanner good("1 ");
  EXPECT_EQ(good.Next(), JsonToken::kNumber);
  EXPECT_EQ(good.Next(), JsonToken::kEnd);
  EXPECT_EQ(good.Next(), JsonToken::kEnd);
}

}  // namespace
}  // namespace walpost::outbox
