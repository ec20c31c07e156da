#ifndef WALPOST_OUTBOX_ROW_MAPPER_H_
#define WALPOST_OUTBOX_ROW_MAPPER_H_

#include <absl/status/status.h>

#include <cstdint>
#include <string>

#include "outbox/bound_rule.h"
#include "outbox/cloud_event.h"
#include "outbox/header_list.h"
#include "outbox/value_writer.h"
#include "pgoutput/message.h"
#include "walpost/outbox_event.h"

namespace walpost::outbox {

// Makes one event after the other out of rows. Its memory is used again from row to row, so a
// steady stream allocates nothing. Not thread-safe.
class RowMapper {
 public:
  // Fills event() from the row. `commit_time_us` in microseconds since 2000-01-01 UTC. Error: a
  // poison error (core/poison.h) without the row's name; event() is of no use then.
  absl::Status Map(const BoundRule& rule, pgoutput::Tuple row, std::int64_t commit_time_us);

  // The key alone, into event().
  absl::Status MapKey(const BoundRule& rule, pgoutput::Tuple row);

  // Valid until the next call. What it points to is in the row, in the rule, or here.
  const OutboxEvent& event() const { return event_; }

 private:
  absl::Status MapTopic(const BoundRule& rule, pgoutput::Tuple row);
  absl::Status MapValue(const BoundRule& rule, pgoutput::Tuple row, std::int64_t commit_time_us);
  absl::Status MapHeaders(const BoundRule& rule, pgoutput::Tuple row);
  absl::Status MakeKey(const BoundRule& rule, pgoutput::Tuple row);
  absl::Status MakeHeaders(const BoundRule& rule, pgoutput::Tuple row);
  absl::Status MakeJsonHeaders(const BoundRule& rule, pgoutput::Tuple row);
  absl::Status MapPartition(const BoundRule& rule, pgoutput::Tuple row);
  absl::Status MapTimestamp(const BoundRule& rule, pgoutput::Tuple row,
                            std::int64_t commit_time_us);

  OutboxEvent event_;
  std::string topic_;
  std::string legal_topic_;  // the last that passed the check
  std::string key_;
  std::string unused_;  // room for texts that nobody makes
  HeaderList headers_;
  ValueWriter value_;
  CloudEventWriter cloud_event_;
};

// Milliseconds since 1970 of microseconds since 2000, rounded down, so that times before 2000 keep
// their order.
std::int64_t UnixMillis(std::int64_t micros_since_2000);

}  // namespace walpost::outbox

#endif  // WALPOST_OUTBOX_ROW_MAPPER_H_
