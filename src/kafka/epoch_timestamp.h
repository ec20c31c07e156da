#ifndef WALPOST_KAFKA_EPOCH_TIMESTAMP_H_
#define WALPOST_KAFKA_EPOCH_TIMESTAMP_H_

#include <librdkafka/rdkafka.h>

#include <cstddef>
#include <cstdint>
#include <optional>

namespace walpost::kafka {

// Lets a record have the timestamp 0, 1970-01-01 00:00:00 UTC. librdkafka takes a 0 for "now", so
// such a record is produced with kStandIn, and an interceptor, which sees it before it is queued,
// puts the 0 in its place: where the client keeps the timestamp is found out once, with a client of
// its own that talks to nobody, and confirmed through rd_kafka_message_timestamp(). With a library
// in which it is not found there are no such records.
class EpochTimestamp {
 public:
  // A moment that no row has: the year 292278994.
  static constexpr std::int64_t kStandIn = INT64_MAX - 815;

  // Finds out where the timestamp is; takes some milliseconds the first time. Thread-safe.
  static std::optional<std::size_t> Offset();

  // Adds the interceptor; no client made from `conf` may be given kStandIn when this fails.
  static bool Install(rd_kafka_conf_t* conf);
};

}  // namespace walpost::kafka

#endif  // WALPOST_KAFKA_EPOCH_TIMESTAMP_H_
