#ifndef WALPOST_KAFKA_HANDLES_H_
#define WALPOST_KAFKA_HANDLES_H_

#include <memory>

// librdkafka's opaque types, under the names of its own header, so that ours need not include it.
struct rd_kafka_s;
struct rd_kafka_topic_s;
struct rd_kafka_queue_s;
struct rd_kafka_op_s;
struct rd_kafka_message_s;
struct rd_kafka_conf_s;
struct rd_kafka_mock_cluster_s;

namespace walpost::kafka {

struct HandleDeleter {
  // Ends the client's threads; its topics, queues and events must be gone before.
  void operator()(rd_kafka_s* client) const;
  void operator()(rd_kafka_topic_s* topic) const;
  void operator()(rd_kafka_queue_s* queue) const;
  void operator()(rd_kafka_op_s* event) const;
  void operator()(rd_kafka_conf_s* conf) const;
  void operator()(rd_kafka_mock_cluster_s* cluster) const;
};

using ClientHandle = std::unique_ptr<rd_kafka_s, HandleDeleter>;
using TopicHandle = std::unique_ptr<rd_kafka_topic_s, HandleDeleter>;
using QueueHandle = std::unique_ptr<rd_kafka_queue_s, HandleDeleter>;
using EventHandle = std::unique_ptr<rd_kafka_op_s, HandleDeleter>;
using ConfHandle = std::unique_ptr<rd_kafka_conf_s, HandleDeleter>;
using MockClusterHandle = std::unique_ptr<rd_kafka_mock_cluster_s, HandleDeleter>;

}  // namespace walpost::kafka

#endif  // WALPOST_KAFKA_HANDLES_H_
