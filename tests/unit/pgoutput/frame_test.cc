#include "pgoutput/frame.h"

#include <gtest/gtest.h>

#include <string>
#include <variant>

#include "support/message_builder.h"

namespace walpost::pgoutput {
namespace {

TEST(ParseFrame, ReadsPositionsAndPayloadOfXLogData) {
  const std::string bytes =
      test::Bytes().Raw("w").Int(0x16B374D848u).Int(0x16B374D900u).Int(std::int64_t{5}).Raw("Bxyz");
  const auto frame = ParseFrame(bytes);
  ASSERT_TRUE(frame.ok()) << frame.status();
  const auto& data = std::get<XLogData>(*frame);
  EXPECT_EQ(data.start, Lsn(0x16B374D848u));
  EXPECT_EQ(data.wal_end, Lsn(0x16B374D900u));
  EXPECT_EQ(data.payload, "Bxyz");
}

TEST(ParseFrame, ReadsAKeepaliveWithAndWithoutReplyRequest) {
  for (bool reply : {false, true}) {
    const auto frame = ParseFrame(test::KeepaliveFrame(42, reply));
    ASSERT_TRUE(frame.ok());
    EXPECT_EQ(std::get<Keepalive>(*frame).wal_end, Lsn(42));
    EXPECT_EQ(std::get<Keepalive>(*frame).reply_requested, reply);
  }
}

TEST(ParseFrame, RefusesAKeepaliveCutAtAnyByte) {
  const std::string whole = test::KeepaliveFrame(42);
  for (std::size_t n = 0; n < whole.size(); ++n) {
    EXPECT_TRUE(absl::IsDataLoss(ParseFrame(whole.substr(0, n)).status())) << n;
  }
}

TEST(ParseFrame, RefusesAnXLogDataHeaderCutAtAnyByte) {
  const std::string whole = test::XLogDataFrame(42, "");
  for (std::size_t n = 0; n < whole.size(); ++n) {
    EXPECT_TRUE(absl::IsDataLoss(ParseFrame(whole.substr(0, n)).status())) << n;
  }
}

TEST(ParseFrame, RefusesAKeepaliveWithBytesLeftOver) {
  EXPECT_TRUE(absl::IsDataLoss(ParseFrame(test::KeepaliveFrame(42) + "x").status()));
}

TEST(ParseFrame, RefusesEveryUnknownKind) {
  for (int kind = 0; kind < 256; ++kind) {
    if (kind == 'w' || kind == 'k') continue;
    const std::string bytes = std::string(1, static_cast<char>(kind)) + std::string(24, '\0');
    EXPECT_TRUE(absl::IsDataLoss(ParseFrame(bytes).status())) << kind;
  }
}

TEST(TimeFromWire, CountsFromTheYear2000) {
  EXPECT_EQ(TimeFromWire(0), absl::FromUnixSeconds(946684800));
  EXPECT_EQ(TimeFromWire(-1), absl::FromUnixSeconds(946684800) - absl::Microseconds(1));
}

}  // namespace
}  // namespace walpost::pgoutput
