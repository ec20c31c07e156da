#ifndef WALPOST_CORE_TOPIC_NAME_H_
#define WALPOST_CORE_TOPIC_NAME_H_

#include <string_view>

namespace walpost {

// Why `name` cannot be a Kafka topic, or empty when it can: 1 to 249 of [a-zA-Z0-9._-], neither `.`
// nor `..`. Pure. Source: org.apache.kafka.common.internals.Topic
std::string_view TopicNameFault(std::string_view name);

// The same for a part of a name, which may be empty. Pure.
std::string_view TopicPartFault(std::string_view part);

}  // namespace walpost

#endif  // WALPOST_CORE_TOPIC_NAME_H_
