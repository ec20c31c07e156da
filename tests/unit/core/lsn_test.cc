#include "walpost/lsn.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

namespace walpost {
namespace {

using namespace std::string_view_literals;

TEST(Lsn, ReadsTheServersNotation) {
  EXPECT_EQ(Lsn::Parse("16/B374D848").value(), Lsn(0x16B374D848));
  EXPECT_EQ(Lsn::Parse("0/0").value(), Lsn());
  EXPECT_EQ(Lsn::Parse("FFFFFFFF/FFFFFFFF").value(),
            Lsn(std::numeric_limits<std::uint64_t>::max()));
}

TEST(Lsn, ReadsLowerCaseAndMixedCase) {
  EXPECT_EQ(Lsn::Parse("ab/cdEF").value(), Lsn(0xAB0000CDEF));
}

TEST(Lsn, ReadsAZeroPaddedLowHalf) {
  EXPECT_EQ(Lsn::Parse("1/00000002").value(), Lsn(0x100000002));
  EXPECT_EQ(Lsn::Parse("00000001/2").value(), Lsn(0x100000002));
}

TEST(Lsn, DoesNotTakeAShortLowHalfForAHighOne) {
  EXPECT_EQ(Lsn::Parse("1/2").value().value(), 0x100000002u);
}

TEST(Lsn, RejectsWhatIsNotTwoHexadecimalHalves) {
  for (std::string_view text :
       {""sv,      "/"sv,           "0"sv,           "1/"sv,          "/1"sv,
        "1/2/3"sv, "1//2"sv,        "g/0"sv,         "0/g"sv,         "0x1/2"sv,
        "1/0x2"sv, "-1/2"sv,        "1/-2"sv,        "+1/2"sv,        "1/+2"sv,
        " 1/2"sv,  "1/2 "sv,        "1 /2"sv,        "1/ 2"sv,        "1/2\n"sv,
        "1/2\0"sv, "123456789/0"sv, "0/123456789"sv, "0/000000001"sv, "1\\2"sv}) {
    auto result = Lsn::Parse(text);
    EXPECT_EQ(result.status().code(), absl::StatusCode::kInvalidArgument) << "'" << text << "'";
  }
}

TEST(Lsn, NamesTheTextThatItRejectsAndTellsTheForm) {
  std::string message(Lsn::Parse("nonsense").status().message());
  EXPECT_NE(message.find("'nonsense'"), std::string::npos) << message;
  EXPECT_NE(message.find("; hint: "), std::string::npos) << message;
}

TEST(Lsn, WritesTheServersNotationWithoutPadding) {
  EXPECT_EQ(Lsn(0x16B374D848).ToString(), "16/B374D848");
  EXPECT_EQ(Lsn(0x100000002).ToString(), "1/2");
  EXPECT_EQ(Lsn().ToString(), "0/0");
  EXPECT_EQ(Lsn(std::numeric_limits<std::uint64_t>::max()).ToString(), "FFFFFFFF/FFFFFFFF");
}

TEST(Lsn, ReadsBackWhatItWrites) {
  for (int bit = 0; bit < 64; ++bit) {
    Lsn lsn(std::uint64_t{1} << bit);
    EXPECT_EQ(Lsn::Parse(lsn.ToString()).value(), lsn) << "bit " << bit;
    Lsn below(lsn.value() - 1);
    EXPECT_EQ(Lsn::Parse(below.ToString()).value(), below) << "bit " << bit;
  }
}

TEST(Lsn, IsOrderedAcrossTheHalves) {
  EXPECT_LT(Lsn::Parse("0/FFFFFFFF").value(), Lsn::Parse("1/0").value());
  EXPECT_LT(Lsn::Parse("9/0").value(), Lsn::Parse("10/0").value()) << "as a number, not as text";
  EXPECT_GT(Lsn(std::numeric_limits<std::uint64_t>::max()), Lsn(1)) << "unsigned";
}

TEST(Lsn, HasAZeroThatIsNoPosition) {
  EXPECT_TRUE(Lsn().is_zero());
  EXPECT_FALSE(Lsn(1).is_zero());
}

}  // namespace
}  // namespace walpost
