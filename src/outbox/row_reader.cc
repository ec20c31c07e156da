#include "outbox/row_reader.h"

#include <absl/status/status.h>

#include <utility>

#include "base/status_macros.h"
#include "outbox/json_field.h"

namespace walpost::outbox {

absl::StatusOr<OptionalText> TextOf(const pgoutput::ColumnValue& value) {
  switch (value.kind) {
    case pgoutput::ValueKind::kText:
      return std::optional(value.bytes);
    case pgoutput::ValueKind::kNull:
      return std::nullopt;
    case pgoutput::ValueKind::kUnchanged:
      return absl::DataLossError("an INSERT has a column without its value");
    case pgoutput::ValueKind::kBinary:
      return absl::DataLossError("a column came in binary, which was not asked for");
  }
  return absl::InternalError("a kind of value that the decoder does not make");
}

absl::StatusOr<OptionalText> ReadSource(const BoundSource& source, pgoutput::Tuple row,
                                        std::string& scratch) {
  if (source.kind == BoundSource::Kind::kConstant) return OptionalText(source.text);
  WALPOST_ASSIGN_OR_RETURN(const OptionalText text, TextOf(row[source.column.index]));
  if (source.kind == BoundSource::Kind::kVerbatim || !text) return text;
  if (source.kind == BoundSource::Kind::kRendered) {
    scratch.clear();
    WALPOST_RETURN_IF_ERROR(source.column.format.AppendText(*text, scratch));
    return OptionalText(scratch);
  }
  WALPOST_ASSIGN_OR_RETURN(std::optional<std::string> scalar, JsonScalarAt(*text, source.text));
  if (!scalar) return std::nullopt;
  scratch = *std::move(scalar);
  return OptionalText(scratch);
}

absl::Status AppendJsonOf(const BoundColumn& column, pgoutput::Tuple row, std::string& out) {
  WALPOST_ASSIGN_OR_RETURN(const OptionalText text, TextOf(row[column.index]));
  if (text) return column.format.AppendJson(*text, out);
  out.append("null");
  return absl::OkStatus();
}

}  // namespace walpost::outbox
