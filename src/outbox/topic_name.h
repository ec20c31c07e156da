#ifndef WALPOST_OUTBOX_TOPIC_NAME_H_
#define WALPOST_OUTBOX_TOPIC_NAME_H_

#include <string_view>

namespace walpost::outbox {

// Why `name` cannot be a Kafka topic, or empty when it can: 1 to 249 of [a-zA-Z0-9._-], neither `.`
// nor `..`. Pure. Source: org.apache.kafka.common.internals.Topic
std::string_view TopicNameFault(std::string_view name);

}  // namespace walpost::outbox

#endif  // WALPOST_OUTBOX_TOPIC_NAME_H_
