#ifndef WALPOST_OUTBOX_EVENT_H_
#define WALPOST_OUTBOX_EVENT_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace walpost {

// One header of a Kafka record. No value is a null header value, which differs from an empty one.
struct EventHeader {
  std::string_view name;
  std::optional<std::string_view> value;
};

// One outbox row as the Kafka record it becomes. A view: it owns nothing, and what it points to
// lives in the replication frame and in the mapper's scratch space, until the next row is mapped. A
// sink copies what it keeps.
//
// Bytes pass through verbatim; nothing here is parsed, escaped or terminated by NUL.
struct OutboxEvent {
  std::string_view topic;
  // No key leaves the partition to the partitioner; an empty key is hashed like any other.
  std::optional<std::string_view> key;
  // No value is a tombstone.
  std::optional<std::string_view> value;
  // In the order in which they are to appear; a name may occur more than once.
  std::span<const EventHeader> headers;
  // Overrides the partitioner.
  std::optional<std::int32_t> partition = std::nullopt;
  // Record timestamp, milliseconds since 1970-01-01 UTC; absent for the time of publishing.
  std::optional<std::int64_t> timestamp_ms = std::nullopt;
};

}  // namespace walpost

#endif  // WALPOST_OUTBOX_EVENT_H_
