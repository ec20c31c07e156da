#include "kafka/topic_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/kafka/sink_fixture.h"

namespace walpost::kafka {
namespace {

using testing::HasSubstr;

class TopicReaderTest : public SinkTest {
 protected:
  void SetUp() override {
    ASSERT_NO_FATAL_FAILURE(StartCluster());
    ASSERT_NO_FATAL_FAILURE(OpenSink());
  }

  void PublishAndWait(const std::string& topic, const std::string& value) {
    const std::size_t before = listener.reports();
    ASSERT_TRUE(Publish(topic, value, value, 0).ok());
    EXPECT_TRUE(PollUntil([&] { return listener.reports() == before + 1; }).ok());
  }

  TopicReaderOptions Options(std::vector<std::string> topics) {
    TopicReaderOptions options;
    options.brokers = cluster->bootstrap();
    options.topics = std::move(topics);
    options.open_timeout = kPatience;
    return options;
  }

  std::optional<ReadRecord> NextOf(TopicReader& reader) {
    auto record = reader.Next(kPatience);
    EXPECT_TRUE(record.ok()) << record.status();
    return record.ok() ? *std::move(record) : std::nullopt;
  }
};

TEST_F(TopicReaderTest, ReadsSeveralTopicsFromTheBeginning) {
  PublishAndWait("a", "1");
  PublishAndWait("b", "2");
  auto reader = TopicReader::Open(Options({"a", "b"}));
  ASSERT_TRUE(reader.ok()) << reader.status();

  std::set<std::pair<std::string, std::string>> seen;
  for (int i = 0; i < 2; ++i) {
    const auto record = NextOf(**reader);
    ASSERT_TRUE(record.has_value());
    EXPECT_EQ(record->offset, 0);
    seen.emplace(record->topic, record->value.value_or(""));
  }
  EXPECT_EQ(seen, (std::set<std::pair<std::string, std::string>>{{"a", "1"}, {"b", "2"}}));
}

TEST_F(TopicReaderTest, FromTheEndReadsExactlyWhatFollows) {
  for (int i = 0; i < 20; ++i) PublishAndWait("t", "old " + std::to_string(i));
  TopicReaderOptions options = Options({"t"});
  options.from_beginning = false;
  auto reader = TopicReader::Open(options);
  ASSERT_TRUE(reader.ok()) << reader.status();

  PublishAndWait("t", "new");

  const auto record = NextOf(**reader);
  ASSERT_TRUE(record.has_value());
  EXPECT_EQ(record->value, "new");
}

TEST_F(TopicReaderTest, CreatesATopicWhenAsked) {
  TopicReaderOptions options = Options({"fresh"});
  options.create_missing_topics = true;
  auto reader = TopicReader::Open(options);
  ASSERT_TRUE(reader.ok()) << reader.status();

  PublishAndWait("fresh", "v");

  const auto record = NextOf(**reader);
  ASSERT_TRUE(record.has_value());
  EXPECT_EQ(record->topic, "fresh");
}

TEST_F(TopicReaderTest, AnswersNothingWhenNothingComes) {
  ASSERT_TRUE(cluster->CreateTopic("t", 1).ok());
  auto reader = TopicReader::Open(Options({"t"}));
  ASSERT_TRUE(reader.ok()) << reader.status();

  const auto record = (*reader)->Next(absl::Milliseconds(50));

  ASSERT_TRUE(record.ok()) << record.status();
  EXPECT_FALSE(record->has_value());
}

TEST_F(TopicReaderTest, NamesATopicThatDoesNotExist) {
  cluster->HideTopic("nope");
  TopicReaderOptions options = Options({"nope"});
  options.open_timeout = absl::Milliseconds(300);

  const auto reader = TopicReader::Open(options);

  EXPECT_EQ(reader.status().code(), absl::StatusCode::kNotFound) << reader.status();
  EXPECT_THAT(std::string(reader.status().message()), HasSubstr("'nope'"));
}

TEST_F(TopicReaderTest, SaysThatNoBrokerAnswered) {
  ASSERT_TRUE(cluster->StopBroker(1).ok());
  TopicReaderOptions options = Options({"t"});
  options.open_timeout = absl::Milliseconds(700);

  const auto reader = TopicReader::Open(options);

  EXPECT_EQ(reader.status().code(), absl::StatusCode::kUnavailable) << reader.status();
  EXPECT_THAT(std::string(reader.status().message()), HasSubstr(cluster->bootstrap()));
}

TEST_F(TopicReaderTest, GoesOnAfterALostConnection) {
  ASSERT_TRUE(cluster->CreateTopic("t", 1).ok());
  auto reader = TopicReader::Open(Options({"t"}));
  ASSERT_TRUE(reader.ok()) << reader.status();
  ASSERT_TRUE(cluster->StopBroker(1).ok());
  const auto meanwhile = (*reader)->Next(absl::Milliseconds(200));
  EXPECT_TRUE(meanwhile.ok()) << meanwhile.status();
  ASSERT_TRUE(cluster->StartBroker(1).ok());

  PublishAndWait("t", "v");

  const auto record = NextOf(**reader);
  ASSERT_TRUE(record.has_value());
  EXPECT_EQ(record->value, "v");
}

TEST_F(TopicReaderTest, RefusesAnUnknownProperty) {
  TopicReaderOptions options = Options({"t"});
  options.properties = {{"no.such.property", "1"}};

  EXPECT_EQ(TopicReader::Open(options).status().code(), absl::StatusCode::kInvalidArgument);
}

TEST(MockCluster, NeedsABroker) {
  EXPECT_EQ(MockCluster::Start(0).status().code(), absl::StatusCode::kInvalidArgument);
}

TEST(MockCluster, ListensOnTheLoopbackInterfaceAlone) {
  const auto cluster = MockCluster::Start(2);
  ASSERT_TRUE(cluster.ok()) << cluster.status();
  EXPECT_THAT((*cluster)->bootstrap(), testing::MatchesRegex("127.0.0.1:[0-9]+,127.0.0.1:[0-9]+"));
}

TEST(MockCluster, RefusesToCreateATopicTwice) {
  const auto cluster = MockCluster::Start(1);
  ASSERT_TRUE(cluster.ok()) << cluster.status();
  EXPECT_TRUE((*cluster)->CreateTopic("t", 3).ok());
  EXPECT_EQ((*cluster)->CreateTopic("t", 3).code(), absl::StatusCode::kAlreadyExists);
}

}  // namespace
}  // namespace walpost::kafka
