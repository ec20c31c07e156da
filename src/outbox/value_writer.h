#ifndef WALPOST_OUTBOX_VALUE_WRITER_H_
#define WALPOST_OUTBOX_VALUE_WRITER_H_

#include <absl/status/statusor.h>

#include <string>
#include <string_view>

#include "outbox/bound_rule.h"
#include "outbox/row_reader.h"
#include "pgoutput/message.h"

namespace walpost::outbox {

// Makes the value of an event out of a row, in each format but CloudEvents. Its memory is used
// again from row to row. Not thread-safe.
class ValueWriter {
 public:
  // The value, in the row or in the writer, until the next call; absent for a tombstone. Error:
  // kInvalidArgument for a payload that is not what the format needs.
  absl::StatusOr<OptionalText> Write(const BoundRule& rule, pgoutput::Tuple row);

 private:
  absl::Status AppendBody(const BoundRule& rule, pgoutput::Tuple row, OptionalText payload);
  absl::Status AppendPayload(const BoundRule& rule, OptionalText payload);
  absl::Status AppendMembers(const BoundRule& rule, pgoutput::Tuple row);
  absl::Status AppendWithSchema(const BoundRule& rule, pgoutput::Tuple row, OptionalText payload);

  std::string out_;
  std::string schema_;
  std::string json_;
};

// Whether the payload counts as empty for `empty_payload = "tombstone"`: NULL, or a text of nothing
// but blanks, as Java's trim() knows them. An empty bytea is not.
bool IsEmptyPayload(const BoundRule& rule, OptionalText payload);

// Appends the payload as JSON, embedded and not as a string. Error: kInvalidArgument when it is
// none.
absl::Status AppendEmbedded(const BoundRule& rule, std::string_view payload, std::string& out);

}  // namespace walpost::outbox

#endif  // WALPOST_OUTBOX_VALUE_WRITER_H_
