#ifndef WALPOST_KAFKA_PRODUCER_CONFIG_H_
#define WALPOST_KAFKA_PRODUCER_CONFIG_H_

#include <absl/status/statusor.h>

#include <cstddef>
#include <string>

#include "kafka/handles.h"
#include "kafka/producer_options.h"

namespace walpost::kafka {

// How long the producer waits for more events before it sends a batch, in milliseconds. While
// requests are outstanding batches form by themselves. Measured with bench/run.sh on two cores: a
// wait of 0.1 ms already costs a lone event a millisecond (the client's timers are that coarse,
// median 1.4 ms instead of 0.24 at 500 events/s), while a drain at 0 is as fast as the floor's; 0.3
// ms would halve the CPU of a drain. Whoever drains more than they wait can set linger.ms.
inline constexpr char kDefaultLingerMs[] = "0";

// The brokers that the producer will ask: of `brokers`, or of the property that stands for it.
std::string BrokerList(const ProducerOptions& options);

// The configuration of a producer that keeps the relay's promise: idempotent, acks of all in-sync
// replicas, nothing expires locally, a batch that fails stops everything behind it, Java's
// partitioner, reports as events. On top of it the user's properties.
//
// `max_batch_bytes` lowers the size of a batch; 0 leaves it.
//
// kInvalidArgument: no brokers, or a property that is unknown, malformed or would break the
// promise.
// Source: https://github.com/confluentinc/librdkafka/blob/v2.0.2/CONFIGURATION.md
absl::StatusOr<ConfHandle> MakeProducerConf(const ProducerOptions& options,
                                            std::size_t max_batch_bytes);

// The producer itself, made of its configuration; it looks for the brokers by itself from then on.
// Error: kInvalidArgument with the client's reason.
absl::StatusOr<ClientHandle> MakeProducer(ConfHandle conf);

// Whether both would be made, without a word to a broker. Error: kInvalidArgument.
absl::Status CheckProducer(const ProducerOptions& options);

// Value of one property, whether of the client or of its topics; empty when there is none such.
std::string PropertyValue(const rd_kafka_conf_s* conf, const char* name);

}  // namespace walpost::kafka

#endif  // WALPOST_KAFKA_PRODUCER_CONFIG_H_
