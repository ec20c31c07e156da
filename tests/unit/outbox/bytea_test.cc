#include "outbox/bytea.h"

#include <absl/status/status.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace walpost::outbox {
namespace {

TEST(Bytea, DecodesTheHexFormOfEitherCase) {
  std::string out = "x";
  EXPECT_TRUE(DecodeBytea(R"(\x00ff0aB9Cd)", out).ok());
  EXPECT_EQ(out, std::string("x\x00\xff\x0a\xb9\xcd", 6));
}

TEST(Bytea, IsEmptyWithoutDigits) {
  std::string out;
  EXPECT_TRUE(DecodeBytea(R"(\x)", out).ok());
  EXPECT_EQ(out, "");
}

TEST(Bytea, RefusesAnyOtherTextAndRepeatsNoneOfIt) {
  for (const char* text : {"", "\\", "x00", R"(\X00)", R"(\x0)", R"(\x000)", R"(\x0g)", R"(\xg0)",
                           R"(secret\000)", R"(\x 00)"}) {
    std::string out = "kept";
    const absl::Status status = DecodeBytea(text, out);
    EXPECT_TRUE(absl::IsInvalidArgument(status)) << text;
    EXPECT_THAT(std::string(status.message()), testing::Not(testing::HasSubstr("secret")));
    EXPECT_EQ(out, "kept");
  }
}

TEST(Base64, PadsAndBreaksNoLines) {
  const auto base64 = [](std::string_view bytes) {
    std::string out;
    AppendBase64(bytes, out);
    return out;
  };
  EXPECT_EQ(base64(""), "");
  EXPECT_EQ(base64(std::string_view("\x01\x02", 2)), "AQI=");
  EXPECT_EQ(base64(std::string_view("\x01\x02\xff", 3)), "AQL/");
  EXPECT_EQ(base64("h"), "aA==");
  EXPECT_EQ(base64(std::string(60, 'x')).size(), 80u);
}

TEST(Base64, AppendsBehindWhatIsThere) {
  std::string out = "\"";
  AppendBase64("hello", out);
  EXPECT_EQ(out, "\"aGVsbG8=");
}

}  // namespace
}  // namespace walpost::outbox
