#include "postgres/standby_status.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "base/byte_reader.h"

namespace walpost::postgres {
namespace {

using namespace std::string_view_literals;

std::string Encode(const StandbyStatus& status, absl::Time now) {
  auto bytes = EncodeStandbyStatus(status, now);
  return std::string(bytes.data(), bytes.size());
}

TEST(StandbyStatus, PutsEveryFieldInBigEndian) {
  StandbyStatus status{Lsn(0x0102030405060708), Lsn(0x1112131415161718), true};
  absl::Time now = absl::FromUnixSeconds(946'684'800) + absl::Microseconds(0x0A0B0C0D);
  EXPECT_EQ(Encode(status, now),
            "r\x01\x02\x03\x04\x05\x06\x07\x08"
            "\x11\x12\x13\x14\x15\x16\x17\x18"
            "\x11\x12\x13\x14\x15\x16\x17\x18"
            "\x00\x00\x00\x00\x0A\x0B\x0C\x0D\x01"sv);
}

TEST(StandbyStatus, KeepsTheHighBitOfAnLsn) {
  ByteReader reader("");
  std::string bytes = Encode({Lsn(0xFFFFFFFFFFFFFFFE), Lsn(0x8000000000000001), false},
                             absl::FromUnixSeconds(946'684'800));
  reader = ByteReader(bytes);
  EXPECT_EQ(reader.Read<char>(), 'r');
  EXPECT_EQ(reader.Read<std::uint64_t>(), 0xFFFFFFFFFFFFFFFEu);
  EXPECT_EQ(reader.Read<std::uint64_t>(), 0x8000000000000001u);
  EXPECT_EQ(reader.Read<std::uint64_t>(), 0x8000000000000001u);
}

TEST(StandbyStatus, NotTellingSendsZeroForFlushAndApply) {
  std::string bytes = Encode({Lsn(77), Lsn(), false}, absl::FromUnixSeconds(946'684'800));
  EXPECT_EQ(bytes.substr(9, 16), std::string(16, '\0'));
  EXPECT_EQ(bytes.back(), '\0');
  EXPECT_EQ(bytes.size(), 34u);
}

TEST(StandbyStatus, ATimeBefore2000IsNegative) {
  std::string bytes = Encode({}, absl::FromUnixSeconds(946'684'799));
  ByteReader reader(std::string_view(bytes).substr(25));
  EXPECT_EQ(reader.Read<std::int64_t>(), -1'000'000);
}

}  // namespace
}  // namespace walpost::postgres
