#include "observability/log_line.h"

#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <string>
#include <string_view>
#include <utility>

namespace walpost::observability {
namespace {

using namespace std::string_view_literals;

const absl::Time kTime = absl::FromUnixMillis(1'796'084'007'123);  // 2026-12-01T00:13:27.123Z

std::string Logfmt(std::string_view message, std::initializer_list<LogField> fields = {}) {
  return LogfmtLine(kTime, LogLevel::kInfo, message, {fields.begin(), fields.size()}, false);
}

// The line's value of `key=`, when it is the only field.
std::string LogfmtValue(const LogField& field) {
  std::string line = LogfmtLine(kTime, LogLevel::kInfo, "m", {&field, 1}, false);
  return line.substr(line.find(" k=") + 3);
}

std::string LogfmtText(std::string_view text) { return LogfmtValue({"k", text}); }

std::string Json(std::string_view message, std::initializer_list<LogField> fields = {}) {
  return JsonLine(kTime, LogLevel::kInfo, message, {fields.begin(), fields.size()});
}

bool IsValidJson(const std::string& text) {
  rapidjson::Document document;
  document.Parse<rapidjson::kParseValidateEncodingFlag>(text.data(), text.size());
  return !document.HasParseError() && document.IsObject();
}

TEST(LogfmtLine, HasTimeLevelMessageAndFields) {
  EXPECT_EQ(Logfmt("slot confirmed", {{"lsn", "16/B374D848"}, {"events", 12}, {"last", true}}),
            "ts=2026-12-01T00:13:27.123Z level=info msg=\"slot confirmed\" "
            "lsn=16/B374D848 events=12 last=true");
}

TEST(LogfmtLine, NamesEachLevel) {
  for (auto [level, name] :
       {std::pair(LogLevel::kDebug, " level=debug "), std::pair(LogLevel::kInfo, " level=info "),
        std::pair(LogLevel::kWarn, " level=warn "), std::pair(LogLevel::kError, " level=error ")}) {
    EXPECT_NE(LogfmtLine(kTime, level, "m", {}, false).find(name), std::string::npos) << name;
  }
}

TEST(LogfmtLine, ColoursTheLevelAlone) {
  EXPECT_EQ(LogfmtLine(kTime, LogLevel::kError, "m", {}, true),
            "ts=2026-12-01T00:13:27.123Z level=\x1b[31merror\x1b[0m msg=\"m\"");
}

TEST(LogfmtLine, QuotesAValueOnlyWhenItMust) {
  EXPECT_EQ(LogfmtText("plain"), "plain");
  EXPECT_EQ(LogfmtText("public.outbox"), "public.outbox");
  EXPECT_EQ(LogfmtText("127.0.0.1:9092,x"), "127.0.0.1:9092,x");
  EXPECT_EQ(LogfmtText(""), "\"\"");
  EXPECT_EQ(LogfmtText("two words"), "\"two words\"");
  EXPECT_EQ(LogfmtText("a=b"), "\"a=b\"");
}

TEST(LogfmtLine, EscapesQuotesAndBackslashes) {
  EXPECT_EQ(LogfmtText("say \"hi\""), R"("say \"hi\"")");
  EXPECT_EQ(LogfmtText("a\\b"), R"("a\\b")");
}

TEST(LogfmtLine, StaysOneLineWhateverAValueHolds) {
  EXPECT_EQ(LogfmtText("a\nts=forged"), R"("a\nts=forged")");
  EXPECT_EQ(LogfmtText("a\r\n\tb"), R"("a\r\n\tb")");
  EXPECT_EQ(Logfmt("a\nb").find('\n'), std::string::npos) << "the message too";
}

TEST(LogfmtLine, LetsNoControlByteReachATerminal) {
  EXPECT_EQ(LogfmtText("\x1b[31m"), R"("\u001b[31m")");
  EXPECT_EQ(LogfmtText("a\0b"sv), R"("a\u0000b")");
  EXPECT_EQ(LogfmtText("\x7f"), R"("\u007f")");
  EXPECT_EQ(LogfmtText("\xC2\x9B"
                       "31m"),
            R"("\u009b31m")")
      << "C1, which some terminals act on";
}

TEST(LogfmtLine, KeepsTextBeyondAscii) {
  EXPECT_EQ(LogfmtText("b\xC3\xBC"
                       "cher"),
            "b\xC3\xBC"
            "cher");
  EXPECT_EQ(LogfmtText("\xE2\x82\xAC"), "\xE2\x82\xAC");
  EXPECT_EQ(LogfmtText("\xF0\x9F\x90\x98"), "\xF0\x9F\x90\x98");
}

TEST(LogfmtLine, ReplacesEachByteThatIsNotUtf8) {
  constexpr std::string_view kBad = "\xEF\xBF\xBD";
  auto times = [&](int n) {
    std::string out;
    for (int i = 0; i < n; ++i) out.append(kBad);
    return out;
  };
  EXPECT_EQ(LogfmtText("\xff"), times(1));
  EXPECT_EQ(LogfmtText("\x80"), times(1)) << "a continuation byte alone";
  EXPECT_EQ(LogfmtText("\xC3"), times(1)) << "truncated";
  EXPECT_EQ(LogfmtText("\xE2\x82"), times(2)) << "truncated";
  EXPECT_EQ(LogfmtText("\xC0\xAF"), times(2)) << "overlong";
  EXPECT_EQ(LogfmtText("\xE0\x80\xAF"), times(3)) << "overlong";
  EXPECT_EQ(LogfmtText("\xED\xA0\x80"), times(3)) << "a surrogate";
  EXPECT_EQ(LogfmtText("\xF4\x90\x80\x80"), times(4)) << "above U+10FFFF";
  EXPECT_EQ(LogfmtText("\xE2\x28\xA1"), times(1) + "(" + times(1)) << "recovers at once";
}

TEST(LogfmtLine, WritesNumbersAndBooleans) {
  EXPECT_EQ(LogfmtValue({"k", std::numeric_limits<std::int64_t>::min()}), "-9223372036854775808");
  EXPECT_EQ(LogfmtValue({"k", 0.1}), "0.1");
  EXPECT_EQ(LogfmtValue({"k", 1234567.891}), "1234567.891") << "no digit is lost";
  EXPECT_EQ(LogfmtValue({"k", std::nan("")}), "nan");
  EXPECT_EQ(LogfmtValue({"k", false}), "false");
}

TEST(LogfmtLine, LetsNoKeyEndEarly) {
  EXPECT_NE(Logfmt("m", {{"a b=\n", 1}}).find(" a_b__=1"), std::string::npos);
}

TEST(JsonLine, HasTheSameKeysWithTypedValues) {
  EXPECT_EQ(
      Json("slot confirmed", {{"lsn", "16/B374D848"}, {"events", 12}, {"s", 0.5}, {"last", true}}),
      R"({"ts":"2026-12-01T00:13:27.123Z","level":"info","msg":"slot confirmed",)"
      R"("lsn":"16/B374D848","events":12,"s":0.5,"last":true})");
}

TEST(JsonLine, IsOneLineOfValidJsonWhateverAValueHolds) {
  for (std::string_view text : {"a\nb"sv, "\"\\"sv, "\0"sv, "\xff"sv, "\xED\xA0\x80"sv, "\xC3"sv}) {
    std::string line = Json(text, {{"k", text}});
    EXPECT_EQ(line.find('\n'), std::string::npos);
    EXPECT_TRUE(IsValidJson(line)) << line;
  }
}

TEST(JsonLine, WritesANumberThatJsonCannotHoldAsAString) {
  std::string line = Json("m", {{"a", std::nan("")}, {"b", HUGE_VAL}});
  EXPECT_TRUE(IsValidJson(line)) << line;
  EXPECT_NE(line.find(R"("a":"nan","b":"inf")"), std::string::npos) << line;
}

TEST(JsonLine, KeepsEveryDigitOfAnInteger) {
  EXPECT_NE(Json("m", {{"lsn", std::numeric_limits<std::int64_t>::max()}})
                .find("\"lsn\":9223372036854775807"),
            std::string::npos);
}

}  // namespace
}  // namespace walpost::observability
