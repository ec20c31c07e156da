#include <gtest/gtest.h>

#include <bit>
#include <cstring>

#include "unit/kafka/sink_fixture.h"

namespace walpost::kafka {
namespace {

// The Java client's hash, written from its definition (org.apache.kafka.common.utils.Utils).
std::uint32_t JavaMurmur2(std::string_view key) {
  constexpr std::uint32_t kM = 0x5bd1e995;
  std::uint32_t h = 0x9747b28cu ^ static_cast<std::uint32_t>(key.size());
  const auto byte = [&](std::size_t i) {
    return static_cast<std::uint32_t>(static_cast<unsigned char>(key[i]));
  };
  std::size_t i = 0;
  for (; i + 4 <= key.size(); i += 4) {
    std::uint32_t k = byte(i) | byte(i + 1) << 8 | byte(i + 2) << 16 | byte(i + 3) << 24;
    k *= kM;
    k ^= k >> 24;
    k *= kM;
    h = h * kM ^ k;
  }
  const std::size_t rest = key.size() - i;
  if (rest >= 3) h ^= byte(i + 2) << 16;
  if (rest >= 2) h ^= byte(i + 1) << 8;
  if (rest >= 1) h = (h ^ byte(i)) * kM;
  h ^= h >> 13;
  h *= kM;
  return h ^ h >> 15;
}

std::int32_t JavaPartition(std::string_view key, std::int32_t partitions) {
  return static_cast<std::int32_t>(JavaMurmur2(key) & 0x7fffffff) % partitions;
}

// The values of the Java client's own test (UtilsTest.testMurmur2).
TEST(JavaMurmur2, HasThePublishedValues) {
  const auto signed_hash = [](std::string_view key) {
    return std::bit_cast<std::int32_t>(JavaMurmur2(key));
  };
  EXPECT_EQ(signed_hash("21"), -973932308);
  EXPECT_EQ(signed_hash("foobar"), -790332482);
  EXPECT_EQ(signed_hash("a-little-bit-long-string"), -985981536);
  EXPECT_EQ(signed_hash("a-little-bit-longer-string"), -1486304829);
  EXPECT_EQ(signed_hash("lkjh234lh9fiuh90y23oiuhsafujhadof229phr9h19h89h8"), -58897971);
  EXPECT_EQ(signed_hash("abc"), 479470107);
}

std::vector<std::string> Keys() {
  std::vector<std::string> keys = {"",
                                   "a",
                                   "ab",
                                   "abc",
                                   "abcd",
                                   "21",
                                   "foobar",
                                   "\xc3\xa9",
                                   "\xe6\x97\xa5\xe6\x9c\xac",
                                   "\xf0\x9f\x98\x80",
                                   std::string("\0", 1),
                                   "\xff\xfe\x80"};
  keys.push_back(std::string(300, 'k'));
  for (int i = 0; i < 1000; ++i) keys.push_back("order-" + std::to_string(i * 7919));
  return keys;
}

class PartitionerTest : public SinkTest, public testing::WithParamInterface<std::string> {};

TEST_P(PartitionerTest, SendsAKeyWhereTheJavaClientDoes) {
  constexpr int kPartitions = 15;
  ASSERT_NO_FATAL_FAILURE(StartCluster());
  ASSERT_TRUE(cluster->CreateTopic("t", kPartitions).ok());
  ASSERT_NO_FATAL_FAILURE(OpenSink({{"partitioner", GetParam()}}));
  const std::vector<std::string> keys = Keys();
  for (const std::string& key : keys) ASSERT_TRUE(Publish("t", key, "v", 0).ok());
  EXPECT_TRUE(PollUntil([&] { return listener.reports() == keys.size(); }).ok());

  const std::vector<ReadRecord> records = ReadAll("t", keys.size());

  ASSERT_EQ(records.size(), keys.size());
  for (const ReadRecord& record : records) {
    ASSERT_TRUE(record.key.has_value());
    EXPECT_EQ(record.partition, JavaPartition(*record.key, kPartitions)) << *record.key;
  }
}

INSTANTIATE_TEST_SUITE_P(Allowed, PartitionerTest, testing::Values("murmur2_random", "murmur2"));

TEST_F(SinkTest, SendsAnEventWhereItsRowSays) {
  ASSERT_NO_FATAL_FAILURE(StartCluster());
  ASSERT_TRUE(cluster->CreateTopic("t", 5).ok());
  ASSERT_NO_FATAL_FAILURE(OpenSink());
  for (std::int32_t partition = 0; partition < 5; ++partition) {
    OutboxEvent event;
    event.topic = "t";
    event.key = "same key";
    event.partition = partition;
    ASSERT_TRUE(sink->Publish(event, 0).ok());
  }

  std::set<std::int32_t> seen;
  for (const ReadRecord& record : ReadAll("t", 5)) seen.insert(record.partition);
  EXPECT_EQ(seen, (std::set<std::int32_t>{0, 1, 2, 3, 4}));
}

}  // namespace
}  // namespace walpost::kafka
