#include "outbox/decimal_text.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <string_view>

namespace walpost::outbox {
namespace {

std::string Text(std::string_view server, std::int32_t precision, std::int32_t scale) {
  const absl::StatusOr<Decimal> decimal = Decimal::Of(server, precision, scale);
  EXPECT_TRUE(decimal.ok()) << server << ": " << decimal.status();
  std::string out;
  if (decimal.ok()) decimal->AppendText(out);
  return out;
}

std::string Bytes(std::string_view integer) {
  const absl::StatusOr<Decimal> decimal = Decimal::Of(integer, 1000, 0);
  EXPECT_TRUE(decimal.ok()) << integer << ": " << decimal.status();
  return decimal.ok() ? decimal->Bytes() : "";
}

TEST(DecimalText, IsPlainDownToAMillionth) {
  EXPECT_EQ(Text("12.30", 10, 2), "12.30");
  EXPECT_EQ(Text("-0.01", 10, 2), "-0.01");
  EXPECT_EQ(Text("0.00", 10, 2), "0.00");
  EXPECT_EQ(Text("-5", 10, 0), "-5");
  EXPECT_EQ(Text("0.000001", 10, 6), "0.000001");
  EXPECT_EQ(Text("0.000000", 10, 6), "0.000000");
  EXPECT_EQ(Text("0.0000010", 10, 7), "0.0000010");
  EXPECT_EQ(Text("100.0000000000", 38, 10), "100.0000000000");
  EXPECT_EQ(Text("1234567890123456789012345678.0123456789", 38, 10),
            "1234567890123456789012345678.0123456789");
}

TEST(DecimalText, HasAnExponentBelowAMillionth) {
  EXPECT_EQ(Text("0.0000001", 10, 7), "1E-7");
  EXPECT_EQ(Text("0.0000000001", 38, 10), "1E-10");
  EXPECT_EQ(Text("0.0000000000", 38, 10), "0E-10");
  EXPECT_EQ(Text("-0.0000000123", 38, 10), "-1.23E-8");
  EXPECT_EQ(Text("0.00000010", 38, 8), "1.0E-7");
}

TEST(DecimalText, HasItsDigitsInTheFewestBytes) {
  EXPECT_EQ(Bytes("0"), std::string("\0", 1));
  EXPECT_EQ(Bytes("127"), "\x7F");
  EXPECT_EQ(Bytes("128"), std::string("\0\x80", 2));
  EXPECT_EQ(Bytes("255"), std::string("\0\xFF", 2));
  EXPECT_EQ(Bytes("256"), std::string("\1\0", 2));
  EXPECT_EQ(Bytes("-1"), "\xFF");
  EXPECT_EQ(Bytes("-128"), "\x80");
  EXPECT_EQ(Bytes("-129"), "\xFF\x7F");
  EXPECT_EQ(Bytes("-255"), std::string("\xFF\x01", 2));
  EXPECT_EQ(Bytes("-256"), std::string("\xFF\0", 2));
  EXPECT_EQ(Bytes("32767"), "\x7F\xFF");
  EXPECT_EQ(Bytes("-32768"), std::string("\x80\0", 2));
  EXPECT_EQ(Bytes("18446744073709551616"), std::string("\1\0\0\0\0\0\0\0\0", 9));
  EXPECT_EQ(Bytes("-18446744073709551616"), std::string("\xFF\0\0\0\0\0\0\0\0", 9));
}

TEST(DecimalText, GivesTheBytesOfAnyInteger) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 20'000; ++i) {
    const std::int64_t number = static_cast<std::int64_t>(random()) >> (i % 64);
    const std::string bytes = Bytes(std::to_string(number));
    ASSERT_LE(bytes.size(), 8U) << number;
    const bool negative = (static_cast<unsigned char>(bytes[0]) & 0x80U) != 0;
    std::uint64_t back = negative ? ~std::uint64_t{0} : 0;
    for (const char byte : bytes) back = (back << 8) | static_cast<unsigned char>(byte);
    ASSERT_EQ(static_cast<std::int64_t>(back), number);
    const std::int64_t without_top = static_cast<std::int64_t>(back);
    if (bytes.size() > 1) {
      const std::int64_t half = std::int64_t{1} << (8 * (bytes.size() - 1) - 1);
      ASSERT_TRUE(without_top >= half || without_top < -half) << number << " fits in less";
    }
  }
}

TEST(DecimalText, TakesTheMostDigitsThatAColumnCanHave) {
  const std::string bytes = Bytes(std::string(1000, '9'));
  EXPECT_EQ(bytes.size(), 416U);  // 1000 digits are 3322 bits
}

TEST(DecimalText, RefusesWhatTheServerDoesNotWrite) {
  for (const char* const text :
       {"",     "-",     ".",     "-.",       "1",         "1.",          "1.2",    "1.234",
        ".12",  "+1.23", "1.23 ", " 1.23",    "1,23",      "1.2.3",       "--1.23", "1e2",
        "1.2e", "a.bc",  "0x.12", "Infinity", "-Infinity", "123456789.00"}) {
    EXPECT_EQ(Decimal::Of(text, 10, 2).status().code(), absl::StatusCode::kInvalidArgument) << text;
  }
  EXPECT_EQ(Decimal::Of("NaN", 10, 2).status().message(), "NaN, which is no decimal number");
  EXPECT_FALSE(Decimal::Of("1.0", 10, 0).ok());
}

TEST(DecimalText, CountsNoLeadingZeroAgainstThePrecision) {
  EXPECT_EQ(Text("0.00123", 3, 5), "0.00123");
  EXPECT_FALSE(Decimal::Of("0.01234", 3, 5).ok());
}

}  // namespace
}  // namespace walpost::outbox
