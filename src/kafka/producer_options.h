#ifndef WALPOST_KAFKA_PRODUCER_OPTIONS_H_
#define WALPOST_KAFKA_PRODUCER_OPTIONS_H_

#include <map>
#include <string>

namespace walpost::kafka {

// What the producer can be told. What the relay's promise rests on (every replica's ack, order,
// no local expiry, Java's partitioner) is not among it; see producer_config.h.
struct ProducerOptions {
  // `host:port`, separated by commas; empty only when `properties` has bootstrap.servers.
  std::string brokers;
  // librdkafka's own names. Source:
  // https://github.com/confluentinc/librdkafka/blob/v2.0.2/CONFIGURATION.md
  std::map<std::string, std::string> properties;
  // Whether an event may have the timestamp 0, the first millisecond of 1970; costs a look at each
  // event.
  bool allow_epoch = false;
};

}  // namespace walpost::kafka

#endif  // WALPOST_KAFKA_PRODUCER_OPTIONS_H_
