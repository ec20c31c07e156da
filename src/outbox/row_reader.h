#ifndef WALPOST_OUTBOX_ROW_READER_H_
#define WALPOST_OUTBOX_ROW_READER_H_

#include <absl/status/statusor.h>

#include <optional>
#include <string>
#include <string_view>

#include "outbox/bound_rule.h"
#include "pgoutput/message.h"

// How values are read from a row. Errors are kInvalidArgument, without the row's name.
namespace walpost::outbox {

using OptionalText = std::optional<std::string_view>;

// Reads a value that is there or NULL, as every value of an INSERT is; false for any other, about
// which TextOf() has the error. For the path that each row takes.
inline bool ReadPlain(const pgoutput::ColumnValue& value, OptionalText& out) {
  if (value.kind == pgoutput::ValueKind::kText) {
    out = value.bytes;
    return true;
  }
  out.reset();
  return value.kind == pgoutput::ValueKind::kNull;
}

// A value as the server's text, absent for NULL.
absl::StatusOr<OptionalText> TextOf(const pgoutput::ColumnValue& value);

// What a source gives for the row, absent for NULL and for nothing at a pointer. The result is in
// the row, in the rule, or in `scratch`.
absl::StatusOr<OptionalText> ReadSource(const BoundSource& source, pgoutput::Tuple row,
                                        std::string& scratch);

// Appends a column's value as JSON; null for NULL.
absl::Status AppendJsonOf(const BoundColumn& column, pgoutput::Tuple row, std::string& out);

}  // namespace walpost::outbox

#endif  // WALPOST_OUTBOX_ROW_READER_H_
