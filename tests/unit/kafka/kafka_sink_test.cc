#include "kafka/kafka_sink.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>

#include "kafka/library_version.h"
#include "unit/kafka/sink_fixture.h"

namespace walpost::kafka {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

class KafkaSinkTest : public SinkTest {
 protected:
  void SetUp() override {
    ASSERT_NO_FATAL_FAILURE(StartCluster());
    ASSERT_NO_FATAL_FAILURE(OpenSink());
  }
};

TEST_F(KafkaSinkTest, ReportsEachDeliveryOnceWithItsTicketAndCost) {
  std::map<EventTicket, std::size_t> published;
  for (EventTicket ticket = 1; ticket <= 2000; ++ticket) {
    const std::string value(ticket % 300, 'x');
    const auto cost =
        Publish(ticket % 2 == 0 ? "even" : "odd", std::to_string(ticket), value, ticket);
    ASSERT_TRUE(cost.ok()) << cost.status();
    published[ticket] = *cost;
  }

  EXPECT_TRUE(PollUntil([&] { return listener.reports() == published.size(); }).ok());

  EXPECT_TRUE(listener.failed.empty());
  std::map<EventTicket, std::size_t> reported;
  for (const auto& report : listener.delivered) {
    EXPECT_TRUE(reported.emplace(report.ticket, report.cost).second) << report.ticket;
  }
  EXPECT_EQ(reported, published);
  EXPECT_EQ(counters.ForTopic("even").events.Get(), 1000);
  EXPECT_EQ(counters.ForTopic("odd").events.Get(), 1000);
  EXPECT_TRUE(metrics.broker_up.load());
}

TEST_F(KafkaSinkTest, CountsTheBytesOfTheValuesOfATopic) {
  ASSERT_TRUE(Publish("t", "key", "12345", 1).ok());
  ASSERT_TRUE(Publish("t", "key", "", 2).ok());
  ASSERT_TRUE(Publish("t", "key", "1234567", 3).ok());

  EXPECT_TRUE(PollUntil([&] { return listener.reports() == 3; }).ok());

  EXPECT_EQ(counters.ForTopic("t").events.Get(), 3);
  EXPECT_EQ(counters.ForTopic("t").bytes.Get(), 12);
}

TEST_F(KafkaSinkTest, KeepsEveryBitOfATicket) {
  const std::vector<EventTicket> tickets = {0, 1, ~EventTicket{0}, EventTicket{1} << 63};
  for (const EventTicket ticket : tickets) ASSERT_TRUE(Publish("t", "k", "v", ticket).ok());

  EXPECT_TRUE(PollUntil([&] { return listener.reports() == tickets.size(); }).ok());

  std::multiset<EventTicket> reported;
  for (const auto& report : listener.delivered) reported.insert(report.ticket);
  EXPECT_EQ(reported, std::multiset<EventTicket>(tickets.begin(), tickets.end()));
}

TEST_F(KafkaSinkTest, TellsNullFromEmptyInKeyValueAndHeader) {
  const EventHeader headers[] = {{"none", std::nullopt},
                                 {"empty", ""},
                                 {"twice", "a"},
                                 {"twice", std::string_view("b\0c", 3)}};
  OutboxEvent event;
  event.topic = "t";
  event.partition = 0;
  event.timestamp_ms = 1'700'000'000'123;
  ASSERT_TRUE(Publish(event, 1).ok());  // neither key nor value nor headers
  event.key = "";
  event.value = std::string_view();
  event.headers = headers;
  ASSERT_TRUE(Publish(event, 2).ok());
  event.key = std::string_view("k\0y", 3);
  event.value = std::string_view("\0", 1);
  event.headers = {};
  ASSERT_TRUE(Publish(event, 3).ok());

  const std::vector<ReadRecord> records = ReadAll("t", 3);

  ASSERT_EQ(records.size(), 3u);
  EXPECT_EQ(records[0].key, std::nullopt);
  EXPECT_EQ(records[0].value, std::nullopt);
  EXPECT_TRUE(records[0].headers.empty());
  EXPECT_EQ(records[0].timestamp_ms, 1'700'000'000'123);
  EXPECT_EQ(records[1].key, "");
  EXPECT_EQ(records[1].value, "");
  EXPECT_THAT(records[1].headers,
              ElementsAre(Pair("none", std::nullopt), Pair("empty", ""), Pair("twice", "a"),
                          Pair("twice", std::string("b\0c", 3))));
  EXPECT_EQ(records[2].key, std::string("k\0y", 3));
  EXPECT_EQ(records[2].value, std::string("\0", 1));
  EXPECT_TRUE(PollUntil([&] { return listener.reports() == 3; }).ok());
}

TEST_F(KafkaSinkTest, ChargesHeaderValuesTheSameAtBothEnds) {
  const std::string large(10'000, 'h');
  const EventHeader headers[] = {{"large", large}, {"none", std::nullopt}, {"empty", ""}};
  OutboxEvent event;
  event.topic = "t";
  const auto bare = Publish(event, 1);
  event.headers = headers;
  const auto laden = Publish(event, 2);
  ASSERT_TRUE(bare.ok() && laden.ok());

  EXPECT_EQ(*laden - *bare, large.size());
  EXPECT_TRUE(PollUntil([&] { return listener.reports() == 2; }).ok());
  for (const auto& report : listener.delivered) {
    EXPECT_EQ(report.cost, report.ticket == 1 ? *bare : *laden);
  }
}

TEST_F(KafkaSinkTest, CopiesTheEventBeforePublishReturns) {
  std::string key = "key";
  std::string value(200, 'v');
  std::string name = "name";
  std::string header = "header";
  const EventHeader headers[] = {{name, header}};
  OutboxEvent event{.topic = "t", .key = key, .value = value, .headers = headers, .partition = 0};
  ASSERT_TRUE(sink->Publish(event, 1).ok());
  for (std::string* bytes : {&key, &value, &name, &header}) bytes->assign(bytes->size(), '#');

  const std::vector<ReadRecord> records = ReadAll("t", 1);

  ASSERT_EQ(records.size(), 1u);
  EXPECT_EQ(records[0].key, "key");
  EXPECT_EQ(records[0].value, std::string(200, 'v'));
  EXPECT_THAT(records[0].headers, ElementsAre(Pair("name", "header")));
}

TEST_F(KafkaSinkTest, KeepsTheOrderOfAKey) {
  constexpr int kKeys = 7;
  constexpr int kEvents = 700;
  for (int i = 0; i < kEvents; ++i) {
    ASSERT_TRUE(Publish("t", std::to_string(i % kKeys), std::to_string(i), 0).ok());
  }
  EXPECT_TRUE(PollUntil([&] { return listener.reports() == kEvents; }).ok());

  std::map<std::string, int> last;
  for (const ReadRecord& record : ReadAll("t", kEvents)) {
    const int number = std::stoi(*record.value);
    const auto [it, first] = last.emplace(*record.key, number);
    if (first) {
      EXPECT_EQ(number, std::stoi(*record.key));
    } else {
      EXPECT_EQ(number, it->second + kKeys);
      it->second = number;
    }
  }
  EXPECT_EQ(last.size(), kKeys);
}

TEST_F(KafkaSinkTest, MakesItsDescriptorReadableWhenAReportWaits) {
  ASSERT_TRUE(sink->PollDeliveries(listener).ok());
  ASSERT_TRUE(Publish("t", "k", "v", 1).ok());

  // Other events may wake it before the report does.
  const absl::Duration deadline = clock.Monotonic() + kPatience;
  while (listener.reports() == 0 && clock.Monotonic() < deadline) {
    pollfd readable = {.fd = sink->event_fd(), .events = POLLIN, .revents = 0};
    ASSERT_EQ(::poll(&readable, 1, static_cast<int>(absl::ToInt64Milliseconds(kPatience))), 1);
    ASSERT_TRUE(sink->PollDeliveries(listener).ok());
  }
  EXPECT_EQ(listener.delivered.size(), 1u);
}

TEST_F(KafkaSinkTest, DescriptorIsQuietWhenNothingWaits) {
  ASSERT_TRUE(Publish("t", "k", "v", 1).ok());
  EXPECT_TRUE(PollUntil([&] { return listener.reports() == 1; }).ok());
  ASSERT_TRUE(sink->PollDeliveries(listener).ok());

  pollfd readable = {.fd = sink->event_fd(), .events = POLLIN, .revents = 0};
  EXPECT_EQ(::poll(&readable, 1, 0), 0);
}

TEST_F(KafkaSinkTest, RefusesAnEventAboveTheProducersLimit) {
  const auto refused = Publish("t", "k", std::string(1'100'000, 'x'), 1);

  EXPECT_EQ(refused.status().code(), absl::StatusCode::kInvalidArgument);
  const std::string text(refused.status().message());
  EXPECT_THAT(text, HasSubstr("topic 't'"));
  EXPECT_THAT(text, HasSubstr("1100001"));
  EXPECT_THAT(text, HasSubstr("1000000"));
  EXPECT_THAT(text, HasSubstr("message.max.bytes"));
  ASSERT_TRUE(Publish("t", "k", "small", 2).ok());
  EXPECT_TRUE(PollUntil([&] { return listener.reports() == 1; }).ok());
  EXPECT_EQ(listener.delivered[0].ticket, 2u);
}

TEST_F(KafkaSinkTest, RefusesAPartitionThatTheTopicLacks) {
  ASSERT_TRUE(cluster->CreateTopic("t", 2).ok());
  ASSERT_TRUE(Publish("t", "k", "v", 1).ok());
  EXPECT_TRUE(PollUntil([&] { return listener.reports() == 1; }).ok());
  OutboxEvent event;
  event.topic = "t";

  event.partition = 2;
  EXPECT_EQ(sink->Publish(event, 2).status().code(), absl::StatusCode::kInvalidArgument);
  event.partition = -1;
  EXPECT_EQ(sink->Publish(event, 3).status().code(), absl::StatusCode::kInvalidArgument);
  event.partition = 1;
  EXPECT_TRUE(sink->Publish(event, 4).ok());
}

TEST_F(KafkaSinkTest, RefusesATopicNameThatTheClientCannotHold) {
  const auto refused = Publish(std::string(600, 't'), "k", "v", 1);

  EXPECT_EQ(refused.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_TRUE(Publish("t", "k", "v", 2).ok());
}

TEST_F(KafkaSinkTest, SaysThatThereIsNoRoomAndTakesTheEventLater) {
  ASSERT_NO_FATAL_FAILURE(OpenSink({{"queue.buffering.max.messages", "2"}}));
  ASSERT_NO_FATAL_FAILURE(OpenTopic("t"));
  ASSERT_TRUE(cluster->SetRoundTrip(absl::Milliseconds(300)).ok());
  ASSERT_TRUE(Publish("t", "k", "v", 1).ok());
  ASSERT_TRUE(Publish("t", "k", "v", 2).ok());
  EXPECT_EQ(sink->Publish(EventOf("t", "k", "v"), 3).status().code(),
            absl::StatusCode::kResourceExhausted);
  ASSERT_TRUE(cluster->SetRoundTrip(absl::ZeroDuration()).ok());

  EXPECT_TRUE(PollUntil([&] { return listener.reports() == 2; }).ok());
  EXPECT_TRUE(Publish("t", "k", "v", 3).ok());
}

TEST_F(KafkaSinkTest, AnEventWaitsForTheFirstOfItsPartitionThatTheProducerSends) {
  ASSERT_TRUE(cluster->CreateTopic("t", 2).ok());
  OutboxEvent one = EventOf("t", "k", "v");
  one.partition = 0;
  OutboxEvent other = one;
  other.partition = 1;
  ASSERT_TRUE(cluster->SetRoundTrip(absl::Milliseconds(100)).ok());

  ASSERT_TRUE(sink->Publish(one, 1).ok());
  EXPECT_TRUE(absl::IsResourceExhausted(sink->Publish(one, 2).status()));
  EXPECT_TRUE(sink->Publish(other, 3).ok()) << "which is another partition";
  EXPECT_TRUE(absl::IsResourceExhausted(sink->Publish(one, 2).status()));

  ASSERT_TRUE(cluster->SetRoundTrip(absl::ZeroDuration()).ok());
  EXPECT_TRUE(PollUntil([&] { return listener.delivered.size() == 2; }).ok());
  for (EventTicket ticket : {4, 5, 6}) EXPECT_TRUE(sink->Publish(one, ticket).ok());
}

TEST_F(KafkaSinkTest, AnEventThatNamesItsPartitionWaitsForTheFirstOfATopicToo) {
  ASSERT_TRUE(cluster->CreateTopic("t", 3).ok());
  OutboxEvent named = EventOf("t", "k", "v");
  named.partition = 2;
  ASSERT_TRUE(cluster->SetRoundTrip(absl::Milliseconds(100)).ok());

  ASSERT_TRUE(Publish("t", "k", "v", 1).ok());
  EXPECT_TRUE(absl::IsResourceExhausted(sink->Publish(named, 2).status()));

  ASSERT_TRUE(cluster->SetRoundTrip(absl::ZeroDuration()).ok());
  EXPECT_TRUE(PollUntil([&] { return listener.delivered.size() == 1; }).ok());
  EXPECT_TRUE(sink->Publish(named, 2).ok());
}

TEST_F(KafkaSinkTest, NothingFollowsAFirstEventThatIsRefused) {
  cluster->FailNextProduces(1, ProduceFailure::kMessageTooLarge);
  absl::Status answer;
  for (EventTicket ticket = 1; ticket <= 10 && answer.ok(); ++ticket) {
    answer = Publish("t", "k", "v", ticket).status();
  }

  EXPECT_TRUE(absl::IsUnavailable(answer)) << answer;
  EXPECT_TRUE(listener.delivered.empty());
  ASSERT_EQ(listener.failed.size(), 1u);
  EXPECT_EQ(listener.failed[0].ticket, 1u);
  EXPECT_TRUE(absl::IsDataLoss(listener.failed[0].reason));
}

TEST_F(KafkaSinkTest, RefusesAnEventThatWillNeverHaveRoom) {
  ASSERT_NO_FATAL_FAILURE(OpenSink({{"queue.buffering.max.kbytes", "1"}}));

  const auto refused = Publish("t", "k", std::string(5000, 'x'), 1);

  EXPECT_EQ(refused.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_THAT(std::string(refused.status().message()), HasSubstr("queue.buffering.max.kbytes"));
}

TEST(LibraryVersion, BeginsWithTheMajorVersion) { EXPECT_THAT(LibraryVersion(), HasSubstr("2.")); }

}  // namespace
}  // namespace walpost::kafka
