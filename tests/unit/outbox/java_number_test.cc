#include "outbox/java_number.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>

namespace walpost::outbox {
namespace {

std::string DoubleText(double value) {
  std::string out;
  AppendJavaDouble(value, out);
  return out;
}

std::string FloatText(float value) {
  std::string out;
  AppendJavaFloat(value, out);
  return out;
}

TEST(JavaNumber, WritesADigitOnEachSideOfThePoint) {
  EXPECT_EQ(DoubleText(0.0), "0.0");
  EXPECT_EQ(DoubleText(-0.0), "-0.0");
  EXPECT_EQ(DoubleText(1), "1.0");
  EXPECT_EQ(DoubleText(4.90), "4.9");
  EXPECT_EQ(DoubleText(-123456.789), "-123456.789");
  EXPECT_EQ(DoubleText(100), "100.0");
}

TEST(JavaNumber, TakesAnExponentBelowOneThousandthAndFromTenMillion) {
  EXPECT_EQ(DoubleText(0.001), "0.001");
  EXPECT_EQ(DoubleText(9.999e-4), "9.999E-4");
  EXPECT_EQ(DoubleText(1e-4), "1.0E-4");
  EXPECT_EQ(DoubleText(1e-7), "1.0E-7");
  EXPECT_EQ(DoubleText(9999999), "9999999.0");
  EXPECT_EQ(DoubleText(9999999.5), "9999999.5");
  EXPECT_EQ(DoubleText(1e7), "1.0E7");
  EXPECT_EQ(DoubleText(12345678), "1.2345678E7");
  EXPECT_EQ(DoubleText(1e21), "1.0E21");
}

TEST(JavaNumber, WritesTheFewestDigitsThatGiveTheValueBack) {
  EXPECT_EQ(DoubleText(0.1000000000000000055511151231257827), "0.1");
  EXPECT_EQ(DoubleText(0.1 + 0.2), "0.30000000000000004");
  EXPECT_EQ(DoubleText(9007199254740993.0), "9.007199254740992E15");
  EXPECT_EQ(DoubleText(2e23), "2.0E23");
  EXPECT_EQ(DoubleText(1e23), "1.0E23");
  EXPECT_EQ(DoubleText(std::numeric_limits<double>::max()), "1.7976931348623157E308");
  EXPECT_EQ(DoubleText(std::numeric_limits<double>::min()), "2.2250738585072014E-308");
}

// Where one digit would do, the second is the nearest one and not always 0.
TEST(JavaNumber, TakesTheNearestOfTwoDigits) {
  EXPECT_EQ(DoubleText(std::numeric_limits<double>::denorm_min()), "4.9E-324");
  EXPECT_EQ(DoubleText(2 * std::numeric_limits<double>::denorm_min()), "9.9E-324");
  EXPECT_EQ(FloatText(std::numeric_limits<float>::denorm_min()), "1.4E-45");
}

TEST(JavaNumber, WritesFloatsByTheirOwnDigits) {
  EXPECT_EQ(FloatText(1.5f), "1.5");
  EXPECT_EQ(FloatText(0.1f), "0.1");
  EXPECT_EQ(FloatText(3.4e38f), "3.4E38");
  EXPECT_EQ(FloatText(16777216.0f), "1.6777216E7");
  EXPECT_EQ(FloatText(123456.79f), "123456.79");
  EXPECT_EQ(FloatText(8.5e9f), "8.5E9");
  EXPECT_EQ(FloatText(std::numeric_limits<float>::min()), "1.1754944E-38");
}

TEST(JavaNumber, NamesWhatIsNotFinite) {
  EXPECT_EQ(DoubleText(std::numeric_limits<double>::quiet_NaN()), "NaN");
  EXPECT_EQ(DoubleText(-std::numeric_limits<double>::quiet_NaN()), "NaN");
  EXPECT_EQ(DoubleText(std::numeric_limits<double>::infinity()), "Infinity");
  EXPECT_EQ(FloatText(-std::numeric_limits<float>::infinity()), "-Infinity");
}

TEST(JavaNumber, AppendsBehindWhatIsThere) {
  std::string out = "x=";
  AppendJavaDouble(2.5, out);
  AppendJavaFloat(-1.0f, out);
  EXPECT_EQ(out, "x=2.5-1.0");
}

}  // namespace
}  // namespace walpost::outbox
