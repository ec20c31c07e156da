#ifndef WALPOST_KAFKA_TOPIC_READER_H_
#define WALPOST_KAFKA_TOPIC_READER_H_

#include <absl/status/status.h>
#include <absl/status/statusor.h>
#include <absl/time/time.h>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "kafka/handles.h"

namespace walpost::kafka {

struct TopicReaderOptions {
  std::string brokers;
  // librdkafka's own names; those of a producer are ignored by it.
  std::map<std::string, std::string> properties;
  std::vector<std::string> topics;
  // Otherwise from the end, as it is when Open is called.
  bool from_beginning = true;
  // Lets the broker create a missing topic, where it is configured to.
  bool create_missing_topics = false;
  // How long Open waits for a broker and for every topic to exist.
  absl::Duration open_timeout = absl::Seconds(15);
  // How long a broker without news holds a fetch. A real broker answers early when a record comes;
  // MockCluster never does, so there this is the delay that a reader sees: keep it low.
  absl::Duration fetch_wait = absl::Milliseconds(5);
};

// One record of a topic, as it was read; owns what it holds.
struct ReadRecord {
  std::string topic;
  std::int32_t partition = 0;
  std::int64_t offset = 0;
  std::optional<std::string> key;
  std::optional<std::string> value;
  std::vector<std::pair<std::string, std::optional<std::string>>> headers;
  std::int64_t timestamp_ms = 0;  // since 1970-01-01 UTC; -1 when there is none
};

// Reads every partition of some topics, without a consumer group: nothing is committed, and any
// number of readers see everything. In order within a partition.
//
// For one thread at a time.
class TopicReader {
 public:
  // Returns once the position in each partition is fixed: with from_beginning off, what is
  // published after the call is read. Partitions that are added later are not.
  //
  // kInvalidArgument: no brokers, no topics, or a property that librdkafka refuses. kUnavailable:
  // no broker answered in time. kNotFound: a topic does not exist. kUnauthenticated.
  static absl::StatusOr<std::unique_ptr<TopicReader>> Open(TopicReaderOptions options);

  ~TopicReader();
  TopicReader(const TopicReader&) = delete;
  TopicReader& operator=(const TopicReader&) = delete;

  // The next record; none when `wait` passed without one. A lost connection is no error: it is
  // restored in the background. kUnavailable: a partition cannot be read; the message says why.
  absl::StatusOr<std::optional<ReadRecord>> Next(absl::Duration wait);

 private:
  explicit TopicReader(TopicReaderOptions options);

  absl::Status Connect();
  absl::Status StartTopic(const std::string& name, absl::Time deadline);
  absl::StatusOr<int> WaitForTopic(const std::string& name, rd_kafka_topic_s* topic,
                                   absl::Time deadline);
  absl::StatusOr<std::int64_t> FirstOffset(const std::string& name, std::int32_t partition,
                                           absl::Time deadline);
  absl::Status Unreachable(const std::string& what);

  struct Assigned {
    TopicHandle topic;
    int partitions = 0;
  };

  const TopicReaderOptions options_;
  ClientHandle client_;
  QueueHandle queue_;
  std::vector<Assigned> assigned_;
};

}  // namespace walpost::kafka

#endif  // WALPOST_KAFKA_TOPIC_READER_H_
