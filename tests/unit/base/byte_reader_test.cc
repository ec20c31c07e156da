#include "base/byte_reader.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

namespace walpost {
namespace {

using namespace std::string_view_literals;

// Reads a T out of every proper prefix of `bytes`; each must fail and leave the offset alone.
template <typename T>
void ExpectEveryTruncationFails(std::string_view bytes) {
  ASSERT_EQ(bytes.size(), sizeof(T));
  for (std::size_t n = 0; n < bytes.size(); ++n) {
    ByteReader reader(bytes.substr(0, n));
    EXPECT_EQ(reader.Read<T>(), 0) << "of " << n << " bytes";
    EXPECT_FALSE(reader.ok()) << "of " << n << " bytes";
    EXPECT_EQ(reader.offset(), 0u) << "of " << n << " bytes";
  }
}

TEST(ByteReader, ReadsIntegersWithTheMostSignificantByteFirst) {
  ByteReader reader("\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a\x0b\x0c\x0d\x0e\x0f"sv);
  EXPECT_EQ(reader.Read<std::uint8_t>(), 0x01);
  EXPECT_EQ(reader.Read<std::uint16_t>(), 0x0203);
  EXPECT_EQ(reader.Read<std::uint32_t>(), 0x04050607u);
  EXPECT_EQ(reader.Read<std::uint64_t>(), 0x08090a0b0c0d0e0fu);
  EXPECT_TRUE(reader.AtEnd());
}

TEST(ByteReader, ReadsNegativeIntegers) {
  ByteReader reader("\xff\xff\xfe\xff\xff\xff\xfd\xff\xff\xff\xff\xff\xff\xff\xfc"sv);
  EXPECT_EQ(reader.Read<std::int8_t>(), -1);
  EXPECT_EQ(reader.Read<std::int16_t>(), -2);
  EXPECT_EQ(reader.Read<std::int32_t>(), -3);
  EXPECT_EQ(reader.Read<std::int64_t>(), -4);
  EXPECT_TRUE(reader.AtEnd());
}

TEST(ByteReader, ReadsTheExtremesOfSixtyFourBits) {
  ByteReader reader("\x7f\xff\xff\xff\xff\xff\xff\xff\x80\0\0\0\0\0\0\0"sv);
  EXPECT_EQ(reader.Read<std::int64_t>(), std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(reader.Read<std::int64_t>(), std::numeric_limits<std::int64_t>::min());
  EXPECT_TRUE(reader.AtEnd());
}

TEST(ByteReader, FailsOnAnIntegerThatIsTruncatedAnywhere) {
  ExpectEveryTruncationFails<std::uint8_t>("\x01"sv);
  ExpectEveryTruncationFails<std::int16_t>("\x01\x02"sv);
  ExpectEveryTruncationFails<std::uint32_t>("\x01\x02\x03\x04"sv);
  ExpectEveryTruncationFails<std::int64_t>("\x01\x02\x03\x04\x05\x06\x07\x08"sv);
}

TEST(ByteReader, FailsOnBytesThatAreTruncatedAnywhere) {
  constexpr std::string_view kBytes = "abcdef";
  for (std::size_t n = 0; n < kBytes.size(); ++n) {
    ByteReader reader(kBytes.substr(0, n));
    EXPECT_EQ(reader.ReadBytes(kBytes.size()), "") << "of " << n << " bytes";
    EXPECT_FALSE(reader.ok()) << "of " << n << " bytes";
    EXPECT_EQ(reader.remaining(), n);
  }
}

TEST(ByteReader, GivesBytesWithoutCopyingThem) {
  std::string_view bytes = "a\0b"sv;
  ByteReader reader(bytes);
  std::string_view read = reader.ReadBytes(3);
  EXPECT_EQ(read, bytes);
  EXPECT_EQ(read.data(), bytes.data());
}

TEST(ByteReader, ReadsNoBytesAtTheEndWithoutFailing) {
  ByteReader reader("x");
  reader.ReadBytes(1);
  EXPECT_EQ(reader.ReadBytes(0), "");
  EXPECT_TRUE(reader.AtEnd());
}

TEST(ByteReader, RefusesALengthThatWouldWrapAround) {
  ByteReader reader("abc");
  reader.ReadBytes(1);
  EXPECT_EQ(reader.ReadBytes(std::numeric_limits<std::size_t>::max()), "");
  EXPECT_FALSE(reader.ok());
  EXPECT_EQ(reader.offset(), 1u);
}

TEST(ByteReader, ReadsAStringUpToItsNulAndConsumesTheNul) {
  ByteReader reader("public\0outbox\0"sv);
  EXPECT_EQ(reader.ReadCString(), "public");
  EXPECT_EQ(reader.offset(), 7u);
  EXPECT_EQ(reader.ReadCString(), "outbox");
  EXPECT_TRUE(reader.AtEnd());
}

TEST(ByteReader, ReadsAnEmptyString) {
  ByteReader reader("\0x"sv);
  EXPECT_EQ(reader.ReadCString(), "");
  EXPECT_TRUE(reader.ok());
  EXPECT_EQ(reader.offset(), 1u);
}

TEST(ByteReader, FailsOnAStringWithoutNul) {
  constexpr std::string_view kText = "public";
  for (std::size_t n = 0; n <= kText.size(); ++n) {
    ByteReader reader(kText.substr(0, n));
    EXPECT_EQ(reader.ReadCString(), "") << "of " << n << " bytes";
    EXPECT_FALSE(reader.ok()) << "of " << n << " bytes";
    EXPECT_EQ(reader.offset(), 0u);
  }
}

TEST(ByteReader, DoesNotTakeANulBeforeTheOffsetForTheEnd) {
  ByteReader reader("\0abc"sv);
  reader.ReadBytes(1);
  EXPECT_EQ(reader.ReadCString(), "");
  EXPECT_FALSE(reader.ok());
}

TEST(ByteReader, StaysFailedThoughLaterReadsWouldFit) {
  ByteReader reader("\x01\x02\0\x04"sv);
  reader.Read<std::uint8_t>();
  reader.Read<std::uint64_t>();
  ASSERT_FALSE(reader.ok());
  EXPECT_EQ(reader.Read<std::uint8_t>(), 0);
  EXPECT_EQ(reader.ReadBytes(1), "");
  EXPECT_EQ(reader.ReadBytes(0), "");
  EXPECT_EQ(reader.ReadCString(), "");
  EXPECT_FALSE(reader.ok());
  EXPECT_FALSE(reader.AtEnd());
  EXPECT_EQ(reader.offset(), 1u) << "tells where the failed read began";
}

TEST(ByteReader, IsNotAtTheEndAfterAFailureThereEither) {
  ByteReader reader("");
  EXPECT_TRUE(reader.AtEnd());
  reader.Read<std::uint8_t>();
  EXPECT_FALSE(reader.AtEnd());
}

TEST(ByteReader, CountsOffsetAndRemaining) {
  ByteReader reader("abcdefgh");
  EXPECT_EQ(reader.remaining(), 8u);
  reader.Read<std::uint32_t>();
  EXPECT_EQ(reader.offset(), 4u);
  EXPECT_EQ(reader.remaining(), 4u);
  EXPECT_FALSE(reader.AtEnd());
}

TEST(ByteReader, TakesAViewOfNothing) {
  ByteReader reader{std::string_view()};
  EXPECT_TRUE(reader.AtEnd());
  EXPECT_EQ(reader.ReadBytes(0), "");
  EXPECT_TRUE(reader.ok());
}

}  // namespace
}  // namespace walpost
