#include "kafka/handles.h"

#include <librdkafka/rdkafka.h>
#include <librdkafka/rdkafka_mock.h>

namespace walpost::kafka {

void HandleDeleter::operator()(rd_kafka_t* client) const { rd_kafka_destroy(client); }
void HandleDeleter::operator()(rd_kafka_topic_t* topic) const { rd_kafka_topic_destroy(topic); }
void HandleDeleter::operator()(rd_kafka_queue_t* queue) const { rd_kafka_queue_destroy(queue); }
void HandleDeleter::operator()(rd_kafka_event_t* event) const { rd_kafka_event_destroy(event); }
void HandleDeleter::operator()(rd_kafka_conf_t* conf) const { rd_kafka_conf_destroy(conf); }
void HandleDeleter::operator()(rd_kafka_mock_cluster_t* cluster) const {
  rd_kafka_mock_cluster_destroy(cluster);
}

}  // namespace walpost::kafka
