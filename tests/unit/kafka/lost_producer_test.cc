#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "unit/kafka/sink_fixture.h"

namespace walpost::kafka {
namespace {

using testing::HasSubstr;

class LostProducerTest : public SinkTest {
 protected:
  void SetUp() override { ASSERT_NO_FATAL_FAILURE(StartCluster()); }

  // Publishes `count` events of one key, tickets from 1.
  void PublishMany(EventTicket count, std::string_view value = "value") {
    for (EventTicket ticket = 1; ticket <= count; ++ticket) {
      const auto cost = Publish("t", "key", value, ticket);
      // Once the producer is lost it takes nothing more, which may be before the last.
      if (!cost.ok()) {
        ASSERT_EQ(cost.status().code(), absl::StatusCode::kUnavailable) << cost.status();
        return;
      }
      ++taken;
    }
  }

  // Publishes one event after the other, without a poll, until one is not taken for another reason
  // than a full queue; what the answer was.
  absl::Status PublishUntilRefused(std::string_view topic, EventTicket& ticket) {
    const absl::Duration deadline = clock.Monotonic() + kPatience;
    while (clock.Monotonic() < deadline) {
      const auto cost = sink->Publish(EventOf(topic, "key", "value"), ++ticket);
      if (!cost.ok() && !absl::IsResourceExhausted(cost.status())) return cost.status();
      pollfd none = {.fd = -1, .events = 0, .revents = 0};
      ::poll(&none, 1, 1);  // not faster than a client of few events
    }
    return absl::DeadlineExceededError("all were taken");
  }

  // The first answer of the sink that is an error.
  absl::Status PollUntilLost() {
    absl::Status answer;
    const absl::Duration deadline = clock.Monotonic() + kPatience;
    while (answer.ok() && clock.Monotonic() < deadline) answer = PollOnce();
    return answer;
  }

  bool HasFailure(absl::StatusCode code) const {
    for (const auto& failure : listener.failed) {
      if (failure.reason.code() == code) return true;
    }
    return false;
  }

  std::size_t taken = 0;
};

TEST_F(LostProducerTest, TriesATemporaryFailureAgainByItself) {
  ASSERT_NO_FATAL_FAILURE(OpenSink());
  cluster->FailNextProduces(2, ProduceFailure::kNotEnoughReplicas);
  cluster->FailNextProduces(1, ProduceFailure::kDisconnect);
  PublishMany(50);

  EXPECT_TRUE(PollUntil([&] { return listener.reports() == 50; }).ok());

  EXPECT_EQ(listener.delivered.size(), 50u);
  EXPECT_EQ(ReadAll("t", 50).size(), 50u);
}

TEST_F(LostProducerTest, CallsAnEventThatIsRefusedAloneLostData) {
  ASSERT_NO_FATAL_FAILURE(OpenSink());
  cluster->FailNextProduces(1, ProduceFailure::kMessageTooLarge);
  PublishMany(1);

  absl::Status answer = PollUntil([&] { return listener.reports() == 1; });

  ASSERT_EQ(listener.failed.size(), 1u);
  EXPECT_EQ(listener.failed[0].ticket, 1u);
  EXPECT_EQ(listener.failed[0].reason.code(), absl::StatusCode::kDataLoss);
  const std::string text(listener.failed[0].reason.message());
  EXPECT_THAT(text, HasSubstr("topic 't'"));
  EXPECT_THAT(text, HasSubstr("8 bytes"));
  EXPECT_THAT(text, HasSubstr("max.message.bytes"));
  EXPECT_EQ(answer.code(), absl::StatusCode::kUnavailable);
}

// The relay must hear why before, or together with, that the producer is lost; otherwise it would
// publish the same event again for ever.
TEST_F(LostProducerTest, NamesTheRefusedEventNoLaterThanTheLoss) {
  for (int round = 0; round < 20; ++round) {
    ASSERT_NO_FATAL_FAILURE(OpenSink());
    listener = {};
    cluster->FailNextProduces(1, ProduceFailure::kInvalidRecord);
    ASSERT_TRUE(Publish("t", "key", "value", 1).ok());
    const absl::Status answer = PollUntilLost();
    EXPECT_TRUE(HasFailure(absl::StatusCode::kDataLoss)) << "round " << round << ": " << answer;
  }
}

// One request at a time: a real broker refuses the batches that were sent behind a failed one, for
// the hole in their sequence; the mock does not look.
TEST_F(LostProducerTest, LetsNothingOvertakeAnEventThatFailed) {
  ASSERT_NO_FATAL_FAILURE(OpenSink({{"batch.num.messages", "10"}, {"max.in.flight", "1"}}));
  ASSERT_TRUE(cluster->CreateTopic("t", 1).ok());
  ASSERT_TRUE(cluster->SetRoundTrip(absl::Milliseconds(50)).ok());
  ASSERT_TRUE(Publish("t", "key", "first", 0).ok());
  EXPECT_TRUE(PollUntil([&] { return listener.reports() == 1; }).ok());
  cluster->FailNextProduces(1, ProduceFailure::kTopicNotAuthorized);
  PublishMany(200);

  const absl::Status answer = PollUntil([&] { return listener.reports() == taken + 1; });

  EXPECT_EQ(answer.code(), absl::StatusCode::kUnavailable);
  EXPECT_EQ(listener.delivered.size(), 1u);
  for (const auto& failure : listener.failed) {
    EXPECT_EQ(failure.reason.code(), absl::StatusCode::kUnavailable) << failure.reason;
  }
  EXPECT_THAT(std::string(listener.failed[0].reason.message()), HasSubstr("WRITE"));
}

TEST_F(LostProducerTest, TakesARefusedBatchForTooLargeNotItsEvents) {
  ASSERT_NO_FATAL_FAILURE(OpenSink({{"linger.ms", "500"}}));
  ASSERT_NO_FATAL_FAILURE(OpenTopic("t"));
  cluster->FailNextProduces(1, ProduceFailure::kMessageTooLarge);
  PublishMany(100, std::string(1000, 'x'));
  absl::Status answer = PollUntil([&] { return listener.reports() == taken; });
  EXPECT_EQ(answer.code(), absl::StatusCode::kUnavailable);
  ASSERT_EQ(listener.failed.size(), 100u);
  EXPECT_FALSE(HasFailure(absl::StatusCode::kDataLoss));
  EXPECT_EQ(logger.CountContaining("a batch was refused"), 1u);

  ASSERT_TRUE(sink->Restart().ok());
  listener = {};
  PublishMany(100, std::string(1000, 'x'));

  EXPECT_TRUE(PollUntil([&] { return listener.delivered.size() == 100; }).ok());
}

TEST_F(LostProducerTest, FindsTheInvalidRecordOfABatchInTheSecondRound) {
  ASSERT_NO_FATAL_FAILURE(OpenSink({{"linger.ms", "500"}}));
  ASSERT_NO_FATAL_FAILURE(OpenTopic("t"));
  cluster->FailNextProduces(2, ProduceFailure::kInvalidRecord);
  PublishMany(20);
  EXPECT_FALSE(PollUntilLost().ok());
  EXPECT_FALSE(HasFailure(absl::StatusCode::kDataLoss));
  ASSERT_TRUE(sink->Restart().ok());
  listener = {};
  taken = 0;

  PublishMany(20);
  EXPECT_FALSE(PollUntilLost().ok());

  ASSERT_FALSE(listener.failed.empty());
  EXPECT_EQ(listener.failed[0].ticket, 1u);
  EXPECT_EQ(listener.failed[0].reason.code(), absl::StatusCode::kDataLoss);
}

TEST_F(LostProducerTest, ReportsAMissingTopicByName) {
  cluster->HideTopic("nope");
  ASSERT_NO_FATAL_FAILURE(OpenSink({{"topic.metadata.propagation.max.ms", "100"}}));
  ASSERT_TRUE(Publish("nope", "k", "v", 7).ok());

  EXPECT_FALSE(PollUntil([&] { return listener.reports() == 1; }).ok());

  ASSERT_EQ(listener.failed.size(), 1u);
  EXPECT_EQ(listener.failed[0].ticket, 7u);
  EXPECT_EQ(listener.failed[0].reason.code(), absl::StatusCode::kUnavailable);
  EXPECT_THAT(std::string(listener.failed[0].reason.message()), HasSubstr("topic 'nope'"));
}

TEST_F(LostProducerTest, ATopicThatVanishesIsNotTheEventsFault) {
  ASSERT_NO_FATAL_FAILURE(OpenSink({{"topic.metadata.refresh.interval.ms", "1000"}}));
  ASSERT_TRUE(Publish("t", "k", "v", 1).ok());
  EXPECT_TRUE(PollUntil([&] { return listener.reports() == 1; }).ok());
  cluster->HideTopic("t");

  EventTicket ticket = 1;
  const absl::Status refusal = PublishUntilRefused("t", ticket);

  EXPECT_EQ(refusal.code(), absl::StatusCode::kUnavailable) << refusal;
  EXPECT_THAT(std::string(refusal.message()), HasSubstr("topic 't'"));
  EXPECT_EQ(Publish("other", "k", "v", 0).status().code(), absl::StatusCode::kUnavailable)
      << "nothing overtakes it";
  EXPECT_EQ(sink->PollDeliveries(listener).code(), absl::StatusCode::kUnavailable);
  EXPECT_FALSE(HasFailure(absl::StatusCode::kDataLoss));
  ASSERT_TRUE(sink->Restart().ok());
  EXPECT_TRUE(Publish("other", "k", "v", 0).ok());
}

// Publish() may be the first to hear that the producer is lost; the reason is then one poll away.
TEST_F(LostProducerTest, OnePollTellsTheRefusalWhenPublishHearsOfTheLossFirst) {
  for (int round = 0; round < 5; ++round) {
    ASSERT_NO_FATAL_FAILURE(OpenSink());
    ASSERT_NO_FATAL_FAILURE(OpenTopic("t"));
    cluster->FailNextProduces(1, ProduceFailure::kInvalidRecord);
    EventTicket ticket = 0;
    const absl::Status refusal = PublishUntilRefused("t", ticket);
    ASSERT_EQ(refusal.code(), absl::StatusCode::kUnavailable) << refusal;

    EXPECT_EQ(sink->PollDeliveries(listener).code(), absl::StatusCode::kUnavailable);

    EXPECT_FALSE(listener.failed.empty()) << "round " << round;
  }
}

TEST_F(LostProducerTest, ARestartThatFailsCanBeTriedAgain) {
  // Whatever a property names can be away for a while; the client takes a directory as it is.
  const std::string certificates = testing::TempDir() + "walpost_certificates";
  ASSERT_TRUE(std::filesystem::create_directories(certificates));
  ASSERT_NO_FATAL_FAILURE(
      OpenSink({{"security.protocol", "ssl"}, {"ssl.ca.location", certificates}}));
  std::filesystem::remove(certificates);

  EXPECT_EQ(sink->Restart().code(), absl::StatusCode::kUnavailable);

  EXPECT_EQ(Publish("t", "k", "v", 1).status().code(), absl::StatusCode::kUnavailable)
      << "and not a reason to pass the event over";
  EXPECT_EQ(sink->PollDeliveries(listener).code(), absl::StatusCode::kUnavailable);
  ASSERT_TRUE(std::filesystem::create_directories(certificates));
  EXPECT_TRUE(sink->Restart().ok());
  EXPECT_TRUE(Publish("t", "k", "v", 1).ok());
  std::filesystem::remove(certificates);
}

TEST_F(LostProducerTest, SaysThatItIsLostAndWorksAfterARestart) {
  ASSERT_NO_FATAL_FAILURE(OpenSink());
  PublishMany(10);
  EXPECT_TRUE(PollUntil([&] { return listener.reports() == 10; }).ok());
  const int fd = sink->event_fd();
  ASSERT_TRUE(sink->InjectFatalErrorForTest().ok());
  EXPECT_EQ(Publish("t", "k", "v", 11).status().code(), absl::StatusCode::kUnavailable);
  const absl::Status answer = PollUntilLost();
  EXPECT_EQ(answer.code(), absl::StatusCode::kUnavailable);
  EXPECT_THAT(std::string(answer.message()), HasSubstr("injected by a test"));

  ASSERT_TRUE(sink->Restart().ok());

  EXPECT_EQ(sink->event_fd(), fd);
  EXPECT_EQ(metrics.reconnects_kafka.Get(), 1);
  listener = {};
  taken = 0;
  PublishMany(10);
  EXPECT_TRUE(PollUntil([&] { return listener.delivered.size() == 10; }).ok());
  EXPECT_TRUE(listener.failed.empty());
}

TEST_F(LostProducerTest, ReportsNothingOfTheOldProducerAfterARestart) {
  ASSERT_NO_FATAL_FAILURE(OpenSink());
  ASSERT_NO_FATAL_FAILURE(OpenTopic("t"));
  ASSERT_TRUE(cluster->SetRoundTrip(absl::Milliseconds(200)).ok());
  PublishMany(100);

  ASSERT_TRUE(sink->Restart().ok());

  ASSERT_TRUE(cluster->SetRoundTrip(absl::ZeroDuration()).ok());
  ASSERT_TRUE(Publish("t", "k", "v", 1000).ok());
  EXPECT_TRUE(PollUntil([&] { return listener.reports() > 0; }).ok());
  EXPECT_TRUE(sink->PollDeliveries(listener).ok());
  ASSERT_EQ(listener.delivered.size(), 1u);
  EXPECT_EQ(listener.delivered[0].ticket, 1000u);
  EXPECT_TRUE(listener.failed.empty());
}

}  // namespace
}  // namespace walpost::kafka
