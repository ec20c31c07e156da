#include "outbox/row_mapper.h"

#include <absl/strings/numbers.h>
#include <absl/strings/str_cat.h>

#include <cstddef>
#include <limits>

#include "base/status_macros.h"
#include "base/strings.h"
#include "core/poison.h"
#include "core/topic_name.h"
#include "outbox/bytea.h"
#include "outbox/header_columns.h"
#include "outbox/json_string.h"
#include "outbox/row_reader.h"
#include "outbox/timestamp_text.h"

namespace walpost::outbox {
namespace {

// 2000-01-01, where the server's time begins, as milliseconds since 1970.
constexpr std::int64_t kPostgresEpochMs = 946'684'800'000;

std::int64_t FloorMillis(std::int64_t micros) {
  std::int64_t millis = micros / 1000;
  if (micros % 1000 < 0) --millis;
  return millis;
}

absl::Status NoTopic(const BoundRule& rule, const BoundTopicPart& part,
                     const pgoutput::ColumnValue& value) {
  const absl::Status unread = TextOf(value).status();
  if (!unread.ok()) return AsPoison(PoisonReason::kTopic, unread);
  return PoisonError(PoisonReason::kTopic,
                     rule.rule->is_message
                         ? absl::StrCat("member ", part.text, ", part of the topic, is missing")
                         : absl::StrCat("column ", part.text, ", part of the topic, is NULL"));
}

}  // namespace

std::int64_t UnixMillis(std::int64_t micros_since_2000) {
  return FloorMillis(micros_since_2000) + kPostgresEpochMs;
}

absl::Status RowMapper::Map(const BoundRule& rule, pgoutput::Tuple row,
                            std::int64_t commit_time_us) {
  headers_.Clear();
  WALPOST_RETURN_IF_ERROR(MapTopic(rule, row));
  WALPOST_RETURN_IF_ERROR(MapKey(rule, row));
  WALPOST_RETURN_IF_ERROR(MapHeaders(rule, row));
  WALPOST_RETURN_IF_ERROR(MapValue(rule, row, commit_time_us));
  event_.headers = headers_.all();
  event_.partition = std::nullopt;
  if (rule.partition) WALPOST_RETURN_IF_ERROR(MapPartition(rule, row));
  return MapTimestamp(rule, row, commit_time_us);
}

absl::Status RowMapper::MapTopic(const BoundRule& rule, pgoutput::Tuple row) {
  topic_.clear();
  for (const BoundTopicPart& part : rule.topic) {
    if (!part.column) {
      topic_.append(part.text);
      continue;
    }
    const pgoutput::ColumnValue& value = row[*part.column];
    if (value.kind != pgoutput::ValueKind::kText) return NoTopic(rule, part, value);
    topic_.append(value.bytes);
  }
  event_.topic = topic_;
  if (rule.rule->router != nullptr) {
    const absl::Status routed = rule.rule->router->Route(topic_);
    if (!routed.ok()) return AsPoison(PoisonReason::kTopic, routed);
    event_.topic = topic_;
  }
  // Empty as long as none was legal.
  if (!topic_.empty() && topic_ == legal_topic_) return absl::OkStatus();
  if (std::string_view fault = TopicNameFault(topic_); !fault.empty()) {
    return PoisonError(PoisonReason::kTopic, fault);
  }
  legal_topic_ = topic_;
  return absl::OkStatus();
}

absl::Status RowMapper::MapKey(const BoundRule& rule, pgoutput::Tuple row) {
  event_.key = std::nullopt;
  if (!rule.key) return absl::OkStatus();
  const bool plain =
      rule.rule->key_format == KeyFormat::kText && rule.key->kind == BoundSource::Kind::kVerbatim;
  if (plain && ReadPlain(row[rule.key->column.index], event_.key)) return absl::OkStatus();
  return MakeKey(rule, row);
}

absl::Status RowMapper::MakeKey(const BoundRule& rule, pgoutput::Tuple row) {
  const BoundColumn& column = rule.key->column;
  absl::StatusOr<OptionalText> key = OptionalText();
  switch (rule.rule->key_format) {
    case KeyFormat::kText:
      key = ReadSource(*rule.key, row, key_);
      break;
    case KeyFormat::kBytes:
      key = TextOf(row[column.index]);
      if (!key.ok() || !*key || column.format.type != ColumnType::kBytea) break;
      key_.clear();
      if (const absl::Status decoded = DecodeBytea(**key, key_); !decoded.ok()) {
        key = decoded;
      } else {
        key = OptionalText(key_);
      }
      break;
    case KeyFormat::kJson:
    case KeyFormat::kJsonSchema: {
      const bool schema = rule.rule->key_format == KeyFormat::kJsonSchema;
      key_.assign(schema ? rule.key_schema : std::string());
      if (const absl::Status written = AppendJsonOf(column, row, key_); !written.ok()) {
        key = written;
        break;
      }
      if (schema) key_.push_back('}');
      key = OptionalText(key_);
      break;
    }
  }
  if (!key.ok()) return AsPoison(PoisonReason::kKey, key.status());
  event_.key = *key;
  return absl::OkStatus();
}

absl::Status RowMapper::MapValue(const BoundRule& rule, pgoutput::Tuple row,
                                 std::int64_t commit_time_us) {
  if (rule.value_is_plain && ReadPlain(row[rule.value.index], event_.value)) {
    return absl::OkStatus();
  }
  absl::StatusOr<OptionalText> value = value_.Write(rule, row);
  if (value.ok() && rule.rule->value_format == ValueFormat::kCloudEvents) {
    value = cloud_event_.Write(rule, row, *value, commit_time_us, headers_);
  }
  if (!value.ok()) return AsPoison(PoisonReason::kValue, value.status());
  event_.value = *value;
  return absl::OkStatus();
}

absl::Status RowMapper::MapHeaders(const BoundRule& rule, pgoutput::Tuple row) {
  OptionalText id;
  if (rule.id_is_all && ReadPlain(row[rule.id.index], id)) {
    headers_.Add("id", id);
    return absl::OkStatus();
  }
  return AsPoison(PoisonReason::kHeader, MakeHeaders(rule, row));
}

absl::Status RowMapper::MakeHeaders(const BoundRule& rule, pgoutput::Tuple row) {
  if (rule.tracing) WALPOST_RETURN_IF_ERROR(AddTracingHeaders(row[*rule.tracing], headers_));
  if (rule.rule->json_headers) {
    WALPOST_RETURN_IF_ERROR(MakeJsonHeaders(rule, row));
  } else {
    WALPOST_ASSIGN_OR_RETURN(OptionalText id, TextOf(row[rule.id.index]));
    if (id && !rule.id.format.is_verbatim()) {
      std::string& text = headers_.NewText();
      WALPOST_RETURN_IF_ERROR(rule.id.format.AppendText(*id, text));
      id = text;
    }
    headers_.Add("id", id);
    for (std::size_t i = 0; i < rule.headers.size(); ++i) {
      const BoundSource& source = rule.headers[i];
      const bool makes_text =
          source.kind == BoundSource::Kind::kRendered || source.kind == BoundSource::Kind::kPointer;
      std::string& room = makes_text ? headers_.NewText() : unused_;
      WALPOST_ASSIGN_OR_RETURN(const OptionalText text, ReadSource(source, row, room));
      headers_.Add(rule.rule->headers[i].name, text);
    }
  }
  if (!rule.headers_column) return absl::OkStatus();
  return AddObjectHeaders(row[*rule.headers_column], headers_);
}

// As a JsonConverter for headers writes them.
absl::Status RowMapper::MakeJsonHeaders(const BoundRule& rule, pgoutput::Tuple row) {
  std::string& id = headers_.NewText();
  WALPOST_RETURN_IF_ERROR(AppendJsonOf(rule.id, row, id));
  headers_.Add("id", id);
  std::string scratch;
  for (std::size_t i = 0; i < rule.headers.size(); ++i) {
    const BoundSource& source = rule.headers[i];
    std::string& text = headers_.NewText();
    if (source.kind == BoundSource::Kind::kVerbatim ||
        source.kind == BoundSource::Kind::kRendered) {
      WALPOST_RETURN_IF_ERROR(AppendJsonOf(source.column, row, text));
    } else {
      WALPOST_ASSIGN_OR_RETURN(const OptionalText value, ReadSource(source, row, scratch));
      if (value) {
        AppendJsonString(*value, text);
      } else {
        text.append("null");
      }
    }
    headers_.Add(rule.rule->headers[i].name, text);
  }
  return absl::OkStatus();
}

absl::Status RowMapper::MapPartition(const BoundRule& rule, pgoutput::Tuple row) {
  const auto text = TextOf(row[*rule.partition]);
  if (!text.ok()) return AsPoison(PoisonReason::kPartition, text.status());
  if (!*text) return absl::OkStatus();
  std::int32_t partition = 0;
  if (!absl::SimpleAtoi(ToAbsl(**text), &partition) || partition < 0) {
    return PoisonError(PoisonReason::kPartition,
                       ToStd(absl::StrCat("column ", rule.rule->partition_column,
                                          " is not the number of a partition: ", ToAbsl(**text))));
  }
  event_.partition = partition;
  return absl::OkStatus();
}

absl::Status RowMapper::MapTimestamp(const BoundRule& rule, pgoutput::Tuple row,
                                     std::int64_t commit_time_us) {
  if (rule.rule->timestamp == TimestampSource::kNow) {
    event_.timestamp_ms = std::nullopt;
    return absl::OkStatus();
  }
  event_.timestamp_ms = UnixMillis(commit_time_us);
  if (!rule.timestamp) return absl::OkStatus();
  const auto text = TextOf(row[*rule.timestamp]);
  if (!text.ok()) return AsPoison(PoisonReason::kTimestamp, text.status());
  if (!*text) return absl::OkStatus();
  const auto micros = MicrosOfTimestamp(**text);
  if (!micros.ok()) return AsPoison(PoisonReason::kTimestamp, micros.status());
  if (*micros < 0) {
    return PoisonError(PoisonReason::kTimestamp,
                       absl::StrCat("column ", rule.rule->timestamp_column,
                                    " is before 1970, which Kafka does not take"));
  }
  event_.timestamp_ms = FloorMillis(*micros);
  return absl::OkStatus();
}

}  // namespace walpost::outbox
