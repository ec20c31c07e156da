#include "outbox/value_writer.h"

#include <absl/status/status.h>

#include <algorithm>
#include <cstddef>

#include "base/status_macros.h"
#include "outbox/bytea.h"
#include "outbox/json_compact.h"
#include "outbox/json_expand.h"
#include "outbox/json_string.h"

namespace walpost::outbox {
namespace {

// Types whose text is taken for JSON when the payload is embedded; all others are scalars.
bool HoldsJson(ColumnType type) {
  return type == ColumnType::kString || type == ColumnType::kJson || type == ColumnType::kXml ||
         type == ColumnType::kUuid;
}

}  // namespace

bool IsEmptyPayload(const BoundRule& rule, OptionalText payload) {
  if (!payload) return true;
  if (rule.value.format.type == ColumnType::kBytea) return false;
  return std::all_of(payload->begin(), payload->end(),
                     [](char c) { return static_cast<unsigned char>(c) <= ' '; });
}

absl::Status AppendEmbedded(const BoundRule& rule, std::string_view payload, std::string& out) {
  const ColumnFormat& format = rule.value.format;
  if (!HoldsJson(format.type)) return format.AppendJson(payload, out);
  if (rule.rule->expand) return AppendExpandedJson(payload, rule.rule->expand_options, out);
  // Never JSON, so it is one string; Debezium tries.
  if (format.type == ColumnType::kUuid || format.type == ColumnType::kXml) {
    return format.AppendJson(payload, out);
  }
  return AppendCompactJson(payload, out);
}

absl::StatusOr<OptionalText> ValueWriter::Write(const BoundRule& rule, pgoutput::Tuple row) {
  WALPOST_ASSIGN_OR_RETURN(const OptionalText payload, TextOf(row[rule.value.index]));
  const OutboxRule& how = *rule.rule;
  if (how.tombstone_when_empty && IsEmptyPayload(rule, payload)) return std::nullopt;
  const ColumnFormat& format = rule.value.format;
  out_.clear();
  switch (how.value_format) {
    case ValueFormat::kText:
      if (!payload || format.is_verbatim()) return payload;
      WALPOST_RETURN_IF_ERROR(format.AppendText(*payload, out_));
      return OptionalText(out_);
    case ValueFormat::kBytes:
    case ValueFormat::kCloudEvents:
      if (!payload || format.type != ColumnType::kBytea) return payload;
      WALPOST_RETURN_IF_ERROR(DecodeBytea(*payload, out_));
      return OptionalText(out_);
    case ValueFormat::kStruct:
      if (!payload) return payload;
      WALPOST_RETURN_IF_ERROR(AppendExpandedStruct(*payload, how.expand_options, out_));
      return OptionalText(out_);
    case ValueFormat::kJson:
    case ValueFormat::kJsonEscaped:
    case ValueFormat::kEnvelope:
      WALPOST_RETURN_IF_ERROR(AppendBody(rule, row, payload));
      return OptionalText(out_);
    case ValueFormat::kJsonSchema:
      WALPOST_RETURN_IF_ERROR(AppendWithSchema(rule, row, payload));
      return OptionalText(out_);
  }
  return absl::InternalError("a value format that no rule has");
}

// The payload, alone or as the first member of an object.
absl::Status ValueWriter::AppendBody(const BoundRule& rule, pgoutput::Tuple row,
                                     OptionalText payload) {
  if (rule.envelope.empty() && rule.rule->value_format != ValueFormat::kEnvelope) {
    return AppendPayload(rule, payload);
  }
  out_.append(R"({"payload":)");
  WALPOST_RETURN_IF_ERROR(AppendPayload(rule, payload));
  WALPOST_RETURN_IF_ERROR(AppendMembers(rule, row));
  out_.push_back('}');
  return absl::OkStatus();
}

absl::Status ValueWriter::AppendMembers(const BoundRule& rule, pgoutput::Tuple row) {
  for (std::size_t i = 0; i < rule.envelope.size(); ++i) {
    out_.push_back(',');
    AppendJsonString(rule.rule->envelope[i].name, out_);
    out_.push_back(':');
    WALPOST_RETURN_IF_ERROR(AppendJsonOf(rule.envelope[i], row, out_));
  }
  return absl::OkStatus();
}

// {"schema": ..., "payload": ...}; expanded, both depend on what the payload holds.
absl::Status ValueWriter::AppendWithSchema(const BoundRule& rule, pgoutput::Tuple row,
                                           OptionalText payload) {
  schema_.clear();
  json_.clear();
  const bool enveloped = !rule.envelope.empty();
  if (payload && rule.rule->expand && HoldsJson(rule.value.format.type)) {
    const ExpandColumn column{.name = rule.rule->value_column,
                              .schema = rule.payload_schema,
                              .field = enveloped ? "payload" : ""};
    WALPOST_RETURN_IF_ERROR(
        AppendExpandedParts(*payload, rule.rule->expand_options, column, schema_, json_));
  } else {
    schema_ = rule.payload_schema;
    json_ = "null";
    if (payload) {
      json_.clear();
      WALPOST_RETURN_IF_ERROR(rule.value.format.AppendJson(*payload, json_));
    }
  }
  out_.append(R"({"schema":)");
  if (enveloped) out_.append(R"({"type":"struct","fields":[)");
  out_.append(schema_);
  if (enveloped) out_.append(rule.envelope_schema).append(R"(],"optional":false})");
  out_.append(R"(,"payload":)");
  if (enveloped) out_.append(R"({"payload":)");
  out_.append(json_);
  if (enveloped) {
    WALPOST_RETURN_IF_ERROR(AppendMembers(rule, row));
    out_.push_back('}');
  }
  out_.push_back('}');
  return absl::OkStatus();
}

absl::Status ValueWriter::AppendPayload(const BoundRule& rule, OptionalText payload) {
  if (!payload) {
    out_.append("null");
    return absl::OkStatus();
  }
  if (rule.rule->value_format == ValueFormat::kJson) return AppendEmbedded(rule, *payload, out_);
  return rule.value.format.AppendJson(*payload, out_);
}

}  // namespace walpost::outbox
