#ifndef WALPOST_TESTS_SUPPORT_RDKAFKA_PTR_H_
#define WALPOST_TESTS_SUPPORT_RDKAFKA_PTR_H_

#include <librdkafka/rdkafka.h>

#include <memory>

namespace walpost::support {

template <auto destroy>
struct RdkafkaDelete {
  template <typename T>
  void operator()(T* handle) const {
    destroy(handle);
  }
};

// Handles of librdkafka with their destructors.
using ClientPtr = std::unique_ptr<rd_kafka_t, RdkafkaDelete<rd_kafka_destroy>>;
using QueuePtr = std::unique_ptr<rd_kafka_queue_t, RdkafkaDelete<rd_kafka_queue_destroy>>;
using EventPtr = std::unique_ptr<rd_kafka_event_t, RdkafkaDelete<rd_kafka_event_destroy>>;
using NewTopicPtr = std::unique_ptr<rd_kafka_NewTopic_t, RdkafkaDelete<rd_kafka_NewTopic_destroy>>;
using ConfigPtr =
    std::unique_ptr<rd_kafka_ConfigResource_t, RdkafkaDelete<rd_kafka_ConfigResource_destroy>>;
using MessagePtr = std::unique_ptr<rd_kafka_message_t, RdkafkaDelete<rd_kafka_message_destroy>>;
using MetadataPtr =
    std::unique_ptr<const rd_kafka_metadata_t, RdkafkaDelete<rd_kafka_metadata_destroy>>;
using PartitionsPtr = std::unique_ptr<rd_kafka_topic_partition_list_t,
                                      RdkafkaDelete<rd_kafka_topic_partition_list_destroy>>;

}  // namespace walpost::support

#endif  // WALPOST_TESTS_SUPPORT_RDKAFKA_PTR_H_
