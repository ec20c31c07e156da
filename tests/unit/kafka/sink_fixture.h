#ifndef WALPOST_TESTS_UNIT_KAFKA_SINK_FIXTURE_H_
#define WALPOST_TESTS_UNIT_KAFKA_SINK_FIXTURE_H_

#include <gtest/gtest.h>
#include <poll.h>

#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "core/topic_counters.h"
#include "kafka/kafka_sink.h"
#include "kafka/mock_cluster.h"
#include "kafka/topic_reader.h"
#include "unit/kafka/fakes.h"
#include "walpost/relay_metrics.h"

namespace walpost::kafka {

// A real producer against a real wire protocol: librdkafka's mock brokers on the loopback
// interface.
class SinkTest : public testing::Test {
 protected:
  // Longer than anything takes on a busy machine; no test waits for it unless it fails.
  static constexpr absl::Duration kPatience = absl::Seconds(30);

  void StartCluster(int brokers = 1) {
    auto started = MockCluster::Start(brokers);
    ASSERT_TRUE(started.ok()) << started.status();
    cluster = *std::move(started);
  }

  void OpenSink(std::map<std::string, std::string> properties = {}) {
    auto made =
        KafkaSink::Create({.brokers = cluster->bootstrap(), .properties = std::move(properties)},
                          counters, metrics, logger, clock);
    ASSERT_TRUE(made.ok()) << made.status();
    sink = *std::move(made);
  }

  // As the relay does: what waits for the first event of its partition is offered again after a
  // delivery report.
  absl::StatusOr<std::size_t> Publish(const OutboxEvent& event, EventTicket ticket) {
    const absl::Duration deadline = clock.Monotonic() + kPatience;
    auto answer = sink->Publish(event, ticket);
    while (absl::IsResourceExhausted(answer.status()) && clock.Monotonic() < deadline) {
      PollOnce().IgnoreError();  // the next answer tells
      answer = sink->Publish(event, ticket);
    }
    return answer;
  }
  absl::StatusOr<std::size_t> Publish(std::string_view topic, std::string_view key,
                                      std::string_view value, EventTicket ticket) {
    return Publish(EventOf(topic, key, value), ticket);
  }

  static OutboxEvent EventOf(std::string_view topic, std::string_view key, std::string_view value) {
    OutboxEvent event;
    event.topic = topic;
    event.key = key;
    event.value = value;
    return event;
  }

  // Makes the topic with one partition, and has it take an event, so that the next ones need not
  // wait for each other.
  void OpenTopic(std::string_view topic) {
    const absl::Status made = cluster->CreateTopic(topic, 1);
    ASSERT_TRUE(made.ok() || absl::IsAlreadyExists(made)) << made;
    listener = {};
    // The second learns that the topic is there.
    for (EventTicket ticket : {1, 2}) ASSERT_TRUE(Publish(topic, "first", "", ticket).ok());
    EXPECT_TRUE(PollUntil([&] { return listener.reports() == 2; }).ok());
    listener = {};
  }

  absl::Status PollOnce() {
    pollfd readable = {.fd = sink->event_fd(), .events = POLLIN, .revents = 0};
    ::poll(&readable, 1, 100);
    return sink->PollDeliveries(listener);
  }

  // Serves the sink as the relay does until `done` holds; what it answered last.
  template <typename Condition>
  absl::Status PollUntil(Condition done, absl::Duration patience = kPatience) {
    const absl::Duration deadline = clock.Monotonic() + patience;
    absl::Status answer;
    while (!done() && clock.Monotonic() < deadline) answer = PollOnce();
    EXPECT_TRUE(done()) << "not within " << absl::FormatDuration(patience);
    return answer;
  }

  // Every record of a topic, once `count` have come.
  std::vector<ReadRecord> ReadAll(const std::string& topic, std::size_t count) {
    std::vector<ReadRecord> records;
    auto reader =
        TopicReader::Open({.brokers = cluster->bootstrap(), .properties = {}, .topics = {topic}});
    EXPECT_TRUE(reader.ok()) << reader.status();
    const absl::Duration deadline = clock.Monotonic() + kPatience;
    while (reader.ok() && records.size() < count && clock.Monotonic() < deadline) {
      auto record = (*reader)->Next(absl::Milliseconds(100));
      EXPECT_TRUE(record.ok()) << record.status();
      if (record.ok() && record->has_value()) records.push_back(**std::move(record));
    }
    return records;
  }

  SystemClock clock;
  RecordingLogger logger;
  RelayMetrics metrics;
  TopicCounterTable counters;
  RecordingListener listener;
  std::unique_ptr<MockCluster> cluster;
  std::unique_ptr<KafkaSink> sink;
};

}  // namespace walpost::kafka

#endif  // WALPOST_TESTS_UNIT_KAFKA_SINK_FIXTURE_H_
