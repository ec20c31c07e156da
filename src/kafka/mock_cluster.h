#ifndef WALPOST_KAFKA_MOCK_CLUSTER_H_
#define WALPOST_KAFKA_MOCK_CLUSTER_H_

#include <absl/status/status.h>
#include <absl/status/statusor.h>
#include <absl/time/time.h>

#include <memory>
#include <string>
#include <string_view>

#include "kafka/handles.h"

namespace walpost::kafka {

// How a produce request can be made to fail.
enum class ProduceFailure {
  kNotEnoughReplicas,  // temporary
  kDisconnect,         // temporary: the connection is cut instead of an answer
  kMessageTooLarge,
  kInvalidRecord,
  kTopicNotAuthorized,
};

// Kafka brokers inside this process: librdkafka's own mock, which speaks the wire protocol on ports
// of the loopback interface, and keeps its records in memory. For the demo and for tests; it
// creates a topic on first use, with four partitions, and drops old records of a partition above
// 5 MB.
//
// Thread-safe. Clients should be gone before it is.
class MockCluster {
 public:
  // Listens when it returns. kInvalidArgument: `brokers` is not positive. kInternal: no thread or
  // no port.
  static absl::StatusOr<std::unique_ptr<MockCluster>> Start(int brokers);

  ~MockCluster();
  MockCluster(const MockCluster&) = delete;
  MockCluster& operator=(const MockCluster&) = delete;

  // `127.0.0.1:port`, separated by commas.
  std::string bootstrap() const;

  // kAlreadyExists: the topic is there, perhaps by first use.
  absl::Status CreateTopic(std::string_view name, int partitions);
  // Metadata requests answer from now on that the topic does not exist.
  void HideTopic(std::string_view name);

  // The next `count` produce requests, to whichever broker, fail.
  void FailNextProduces(int count, ProduceFailure failure);
  // Cuts connections and refuses new ones, with the records kept. Brokers count from 1.
  absl::Status StopBroker(int broker);
  absl::Status StartBroker(int broker);
  // Delays each answer of every broker; millisecond resolution.
  absl::Status SetRoundTrip(absl::Duration round_trip);

 private:
  MockCluster(ClientHandle client, MockClusterHandle cluster);

  ClientHandle client_;
  MockClusterHandle cluster_;
};

}  // namespace walpost::kafka

#endif  // WALPOST_KAFKA_MOCK_CLUSTER_H_
