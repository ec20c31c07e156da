#include "outbox/event_mapper.h"

#include <absl/strings/str_cat.h>

#include <string_view>
#include <utility>

#include "base/status_macros.h"
#include "base/strings.h"
#include "outbox/json_field.h"
#include "outbox/topic_name.h"

namespace walpost::outbox {
namespace {

constexpr std::uint32_t kByteaOid = 17;
// 2000-01-01, where the server's time begins, as milliseconds since 1970.
constexpr std::int64_t kPostgresEpochMs = 946'684'800'000;

// Rounds down, so that times before 2000 keep their order.
std::int64_t UnixMillis(std::int64_t micros_since_2000) {
  std::int64_t millis = micros_since_2000 / 1000;
  if (micros_since_2000 % 1000 < 0) --millis;
  return millis + kPostgresEpochMs;
}

absl::StatusOr<std::size_t> FindColumn(const pgoutput::Relation& relation,
                                       const std::string& name) {
  for (std::size_t i = 0; i < relation.columns.size(); ++i) {
    if (relation.columns[i].name == name) return i;
  }
  return absl::FailedPreconditionError(absl::StrCat(
      "table ", QualifiedName{relation.schema, relation.name}.ToString(), " has no column '", name,
      "' in the stream; hint: add it, or name another in [[outbox]] topic, key or headers; a "
      "generated "
      "column, or one outside the publication's column list, is not streamed"));
}

// A value as the server's text, absent for NULL.
absl::StatusOr<std::optional<std::string_view>> TextOf(const pgoutput::ColumnValue& value) {
  switch (value.kind) {
    case pgoutput::ValueKind::kText:
      return std::optional(value.bytes);
    case pgoutput::ValueKind::kNull:
      return std::nullopt;
    case pgoutput::ValueKind::kUnchanged:
      return absl::InvalidArgumentError("a column came without its value");
    case pgoutput::ValueKind::kBinary:
      return absl::InvalidArgumentError("a column came in binary");
  }
  return absl::InternalError("a kind of value that the decoder does not make");
}

// Names the row for whoever has to look at it: its table and its id, never another of its values.
absl::Status Poison(const std::string& table, const pgoutput::ColumnValue& id,
                    const absl::Status& reason) {
  const bool has_id = id.kind == pgoutput::ValueKind::kText;
  return absl::InvalidArgumentError(absl::StrCat(
      "row of ", table, " with id ", has_id ? ToAbsl(id.bytes) : absl::string_view("NULL"),
      " cannot be an event: ", reason.message()));
}

}  // namespace

absl::StatusOr<EventMapper> EventMapper::Create(const std::vector<OutboxSettings>& settings) {
  std::vector<OutboxRule> rules;
  for (const OutboxSettings& block : settings) {
    WALPOST_ASSIGN_OR_RETURN(OutboxRule rule, OutboxRule::Compile(block));
    for (const OutboxRule& other : rules) {
      if (other.table == rule.table) {
        return absl::InvalidArgumentError(absl::StrCat(
            "outbox.table: ", rule.table.ToString(), " has two [[outbox]] blocks; hint: keep one"));
      }
    }
    rules.push_back(std::move(rule));
  }
  if (rules.empty())
    return absl::InvalidArgumentError("no outbox table; hint: add an [[outbox]] block");
  return EventMapper(std::move(rules));
}

std::vector<OutboxTable> EventMapper::Tables() const {
  std::vector<OutboxTable> tables;
  for (const OutboxRule& rule : rules_) tables.push_back({rule.table, rule.Columns()});
  return tables;
}

absl::Status EventMapper::OnRelation(const pgoutput::Relation& relation) {
  last_rule_ = nullptr;
  last_relation_ = 0;
  bound_.erase(relation.id);
  for (const OutboxRule& rule : rules_) {
    if (rule.table.schema != relation.schema || rule.table.name != relation.name) continue;
    WALPOST_ASSIGN_OR_RETURN(BoundRule bound, Bind(rule, relation));
    bound_.emplace(relation.id, std::move(bound));
  }
  return absl::OkStatus();
}

absl::StatusOr<EventMapper::BoundRule> EventMapper::Bind(const OutboxRule& rule,
                                                         const pgoutput::Relation& relation) const {
  BoundRule bound;
  bound.table = rule.table.ToString();
  WALPOST_ASSIGN_OR_RETURN(bound.id, FindColumn(relation, rule.id_column));
  WALPOST_ASSIGN_OR_RETURN(bound.value, FindColumn(relation, rule.value_column));
  if (relation.columns[bound.value].type_oid == kByteaOid) {
    return absl::FailedPreconditionError(absl::StrCat(
        "column ", rule.value_column, " of table ", bound.table,
        " is bytea, which outbox.value = 'text' would publish as hexadecimal digits; hint: make it "
        "jsonb, json or text"));
  }
  for (const ColumnTemplate::Part& part : rule.topic.parts) {
    BoundPart piece{part.text, std::nullopt};
    if (part.is_column) {
      WALPOST_ASSIGN_OR_RETURN(piece.column, FindColumn(relation, part.text));
    }
    bound.topic.push_back(std::move(piece));
  }
  if (rule.key) {
    WALPOST_ASSIGN_OR_RETURN(const std::size_t column, FindColumn(relation, rule.key->column));
    bound.key = BoundField{column, rule.key->pointer};
  }
  for (const HeaderRule& header : rule.headers) {
    WALPOST_ASSIGN_OR_RETURN(const std::size_t column, FindColumn(relation, header.source.column));
    bound.headers.push_back({column, header.source.pointer});
    bound.header_names.push_back(header.name);
  }
  return bound;
}

const EventMapper::BoundRule* EventMapper::FindRule(std::uint32_t relation_id) {
  if (last_rule_ != nullptr && last_relation_ == relation_id) return last_rule_;
  auto it = bound_.find(relation_id);
  if (it == bound_.end()) return nullptr;
  last_relation_ = relation_id;
  last_rule_ = &it->second;
  return last_rule_;
}

absl::StatusOr<const OutboxEvent*> EventMapper::Map(const pgoutput::Insert& insert,
                                                    std::int64_t commit_time_us) {
  const BoundRule* rule = FindRule(insert.relation->id);
  if (rule == nullptr) return nullptr;
  if (absl::Status status = Fill(*rule, insert.row); !status.ok()) return Reject(insert, status);
  event_.timestamp_ms = UnixMillis(commit_time_us);
  return &event_;
}

absl::Status EventMapper::Fill(const BoundRule& rule, pgoutput::Tuple row) {
  WALPOST_RETURN_IF_ERROR(RenderTopic(rule, row));
  event_.topic = topic_;
  event_.key = std::nullopt;
  if (rule.key) {
    WALPOST_ASSIGN_OR_RETURN(event_.key, ReadField(*rule.key, row, key_scratch_));
  }
  WALPOST_ASSIGN_OR_RETURN(event_.value, TextOf(row[rule.value]));
  headers_.resize(rule.headers.size() + 1);
  header_scratch_.resize(rule.headers.size());
  headers_[0].name = "id";
  WALPOST_ASSIGN_OR_RETURN(headers_[0].value, TextOf(row[rule.id]));
  for (std::size_t i = 0; i < rule.headers.size(); ++i) {
    headers_[i + 1].name = rule.header_names[i];
    WALPOST_ASSIGN_OR_RETURN(headers_[i + 1].value,
                             ReadField(rule.headers[i], row, header_scratch_[i]));
  }
  event_.headers = headers_;
  return absl::OkStatus();
}

absl::Status EventMapper::RenderTopic(const BoundRule& rule, pgoutput::Tuple row) {
  topic_.clear();
  for (const BoundPart& part : rule.topic) {
    if (!part.column) {
      topic_.append(part.text);
      continue;
    }
    WALPOST_ASSIGN_OR_RETURN(const std::optional<std::string_view> text, TextOf(row[*part.column]));
    if (!text)
      return absl::InvalidArgumentError(
          absl::StrCat("column ", part.text, ", part of the topic, is NULL"));
    topic_.append(*text);
  }
  if (topic_ == legal_topic_) return absl::OkStatus();
  if (std::string_view fault = TopicNameFault(topic_); !fault.empty()) {
    return absl::InvalidArgumentError(ToAbsl(fault));
  }
  legal_topic_ = topic_;
  return absl::OkStatus();
}

absl::StatusOr<std::optional<std::string_view>> EventMapper::ReadField(const BoundField& field,
                                                                       pgoutput::Tuple row,
                                                                       std::string& scratch) const {
  WALPOST_ASSIGN_OR_RETURN(const std::optional<std::string_view> text, TextOf(row[field.column]));
  if (field.pointer.empty() || !text) return text;
  WALPOST_ASSIGN_OR_RETURN(std::optional<std::string> scalar, JsonScalarAt(*text, field.pointer));
  if (!scalar) return std::nullopt;
  scratch = *std::move(scalar);
  return std::optional<std::string_view>(scratch);
}

absl::Status EventMapper::Reject(const pgoutput::Insert& insert, const absl::Status& reason) {
  const BoundRule* rule = FindRule(insert.relation->id);
  if (rule == nullptr) return absl::InternalError("a row was refused that is no outbox row");
  return Poison(rule->table, insert.row[rule->id], reason);
}

void EventMapper::Reset() {
  bound_.clear();
  last_rule_ = nullptr;
  last_relation_ = 0;
}

}  // namespace walpost::outbox
