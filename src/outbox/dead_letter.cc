#include "outbox/dead_letter.h"

#include <cstddef>

#include "base/strings.h"
#include "core/poison.h"
#include "outbox/bytea.h"
#include "outbox/json_string.h"

namespace walpost::outbox {
namespace {

constexpr std::string_view kRowLeftOut = R"({"walpost":"row left out: too large"})";

void AppendValue(const pgoutput::ColumnValue& value, std::string& out) {
  switch (value.kind) {
    case pgoutput::ValueKind::kText:
      return AppendJsonString(value.bytes, out);
    case pgoutput::ValueKind::kBinary:
      out.push_back('"');
      AppendBase64(value.bytes, out);
      out.push_back('"');
      return;
    case pgoutput::ValueKind::kNull:
    case pgoutput::ValueKind::kUnchanged:
      out.append("null");
      return;
  }
}

}  // namespace

const OutboxEvent& DeadLetterWriter::Write(const pgoutput::Insert& row,
                                           const DeadLetterFacts& facts,
                                           std::optional<std::string_view> key) {
  WriteHeaders(facts);
  if (facts.with_row) WriteRow(row);
  event_ = {.topic = facts.topic,
            .key = key,
            .value = facts.with_row ? std::string_view(value_) : kRowLeftOut,
            .headers = headers_.all(),
            .partition = std::nullopt,
            .timestamp_ms = std::nullopt};
  return event_;
}

const OutboxEvent& DeadLetterWriter::Write(const pgoutput::LogicalMessage& message,
                                           const DeadLetterFacts& facts,
                                           std::optional<std::string_view> key) {
  WriteHeaders(facts);
  headers_.Add("walpost_prefix", message.prefix);
  event_ = {.topic = facts.topic,
            .key = key,
            .value = facts.with_row ? message.content : kRowLeftOut,
            .headers = headers_.all(),
            .partition = std::nullopt,
            .timestamp_ms = std::nullopt};
  return event_;
}

void DeadLetterWriter::WriteRow(const pgoutput::Insert& row) {
  value_ = "{";
  for (std::size_t i = 0; i < row.row.size(); ++i) {
    if (i > 0) value_.push_back(',');
    AppendJsonString(row.relation->columns[i].name, value_);
    value_.push_back(':');
    AppendValue(row.row[i], value_);
  }
  value_.push_back('}');
}

void DeadLetterWriter::WriteHeaders(const DeadLetterFacts& facts) {
  headers_.Clear();
  headers_.Add("id", facts.id);
  headers_.Add("walpost_table", headers_.Keep(facts.table));
  headers_.Add("walpost_lsn", headers_.Keep(facts.position.ToString()));
  headers_.Add("walpost_reason", PoisonReasonName(PoisonReasonOf(facts.reason)));
  headers_.Add("walpost_error", headers_.Keep(ToStd(facts.reason.message())));
  if (!facts.with_row) headers_.Add("walpost_row_left_out", "true");
}

}  // namespace walpost::outbox
