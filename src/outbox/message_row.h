#ifndef WALPOST_OUTBOX_MESSAGE_ROW_H_
#define WALPOST_OUTBOX_MESSAGE_ROW_H_

#include <absl/status/status.h>

#include <cstddef>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "outbox/json_members.h"
#include "outbox/outbox_rule.h"
#include "pgoutput/message.h"

namespace walpost::outbox {

// Reads the content of a logical decoding message, a JSON object, as if it were a row: its members
// are the columns, those that it lacks are NULL, and those that the rule does not name are left
// alone. Not thread-safe.
// Source: https://www.postgresql.org/docs/current/functions-admin.html (pg_logical_emit_message)
class MessageRow {
 public:
  // A table with the columns that the rule reads, for BoundRule::Bind().
  static pgoutput::Relation RelationFor(const OutboxRule& rule);

  // The row of one message, valid until the next call, with the columns of RelationFor(). Without a
  // member for the rule's id the id is the message's LSN, which is the same when it comes again.
  // Error: kInvalidArgument when the content is no JSON object.
  absl::Status Read(const OutboxRule& rule, const pgoutput::LogicalMessage& message);
  pgoutput::Tuple row() const { return values_; }

 private:
  absl::Status Set(const OutboxRule& rule, std::size_t column, const JsonMember& member);

  void FillId(const OutboxRule& rule);

  std::string lsn_;
  std::vector<std::string> names_;
  std::vector<pgoutput::ColumnValue> values_;
  std::deque<std::string> texts_;
};

}  // namespace walpost::outbox

#endif  // WALPOST_OUTBOX_MESSAGE_ROW_H_
