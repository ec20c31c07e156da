#include "outbox/bound_rule.h"

#include <absl/strings/str_cat.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "base/status_macros.h"
#include "base/strings.h"
#include "core/qualified_name.h"
#include "outbox/json_string.h"

namespace walpost::outbox {
namespace {

// Finds columns of one relation for one rule.
class Binder {
 public:
  Binder(const OutboxRule& rule, const pgoutput::Relation& relation, const CatalogTable* catalog)
      : rule_(rule), relation_(relation), catalog_(catalog) {}

  absl::StatusOr<BoundColumn> Column(const std::string& name, std::string_view setting) const {
    for (std::size_t i = 0; i < relation_.columns.size(); ++i) {
      const pgoutput::RelationColumn& column = relation_.columns[i];
      if (column.name != name) continue;
      BoundColumn bound;
      bound.index = i;
      const CatalogColumn* known = catalog_ != nullptr ? catalog_->Find(name) : nullptr;
      bound.not_null = known != nullptr && known->not_null;
      bound.type = column.type_oid;
      std::int32_t modifier = column.type_modifier;
      const bool is_explained = known != nullptr && column.type_oid >= kFirstUserOid;
      // Under a domain only the catalog can look. Of other types the stream's word counts: the
      // catalog says how the table is now, which may not be how the row was written.
      if (is_explained) {
        bound.type = known->type;
        modifier = known->modifier;
      }
      bound.format = ColumnFormat::Of(bound.type, modifier, rule_.debezium_text);
      if (is_explained && known->is_structured) bound.format.type = ColumnType::kOther;
      return bound;
    }
    return Refused(
        absl::StrCat("has no column '", name, "' in the stream, which ", ToAbsl(setting),
                     " names; hint: add it, or name another (of COLUMN:/pointer the part "
                     "before the colon); one that was renamed needs its old name back "
                     "until the rows from before are read; a generated column, or one "
                     "outside the publication's column list, is not streamed"));
  }

  // A column whose values are written out by us.
  absl::StatusOr<BoundColumn> Rendered(const std::string& name, std::string_view setting) const {
    WALPOST_ASSIGN_OR_RETURN(BoundColumn column, Column(name, setting));
    const std::string_view fault = column.format.fault();
    if (fault.empty()) return column;
    return Unfit(name, setting, fault);
  }

  absl::StatusOr<std::optional<std::size_t>> Typed(const std::string& name,
                                                   std::string_view setting,
                                                   std::span<const std::uint32_t> types,
                                                   std::string_view wanted) const {
    if (name.empty()) return std::optional<std::size_t>();
    WALPOST_ASSIGN_OR_RETURN(const BoundColumn column, Column(name, setting));
    if (std::find(types.begin(), types.end(), column.type) != types.end()) {
      return std::optional<std::size_t>(column.index);
    }
    return Unfit(name, setting, ToStd(absl::StrCat("not ", ToAbsl(wanted))));
  }

  absl::StatusOr<BoundSource> Source(const FieldSource& source, std::string_view setting) const {
    BoundSource bound;
    if (source.is_constant()) {
      bound.kind = BoundSource::Kind::kConstant;
      bound.text = source.constant;
    } else if (source.is_pointer()) {
      bound.kind = BoundSource::Kind::kPointer;
      bound.text = source.pointer;
      WALPOST_ASSIGN_OR_RETURN(bound.column, Column(source.column, setting));
      WALPOST_RETURN_IF_ERROR(MustHoldJson(bound.column, source.column, setting));
    } else {
      WALPOST_ASSIGN_OR_RETURN(bound.column, Rendered(source.column, setting));
      if (!bound.column.format.is_verbatim()) bound.kind = BoundSource::Kind::kRendered;
    }
    return bound;
  }

  // A column of JSON, as such or as text.
  absl::Status MustHoldJson(const BoundColumn& column, const std::string& name,
                            std::string_view setting) const {
    const ColumnType type = column.format.type;
    if (type == ColumnType::kJson || type == ColumnType::kString) return absl::OkStatus();
    return Unfit(name, setting, "neither jsonb nor json nor text");
  }

  absl::Status Unfit(const std::string& name, std::string_view setting,
                     std::string_view what) const {
    return Refused(absl::StrCat("has a column '", name, "', named by ", ToAbsl(setting),
                                ", that is ", ToAbsl(what)));
  }

 private:
  absl::Status Refused(const std::string& what) const {
    return absl::FailedPreconditionError(absl::StrCat(
        "table ", QualifiedName{relation_.schema, relation_.name}.ToString(), " ", what));
  }

  const OutboxRule& rule_;
  const pgoutput::Relation& relation_;
  const CatalogTable* catalog_;
};

absl::Status BindTopicAndKey(const Binder& binder, BoundRule& bound) {
  for (const ColumnTemplate::Part& part : bound.rule->topic.parts) {
    BoundTopicPart piece{part.text, std::nullopt};
    if (part.is_column) {
      WALPOST_ASSIGN_OR_RETURN(const BoundColumn column, binder.Column(part.text, "outbox.topic"));
      piece.column = column.index;
    }
    bound.topic.push_back(std::move(piece));
  }
  if (!bound.rule->key) return absl::OkStatus();
  WALPOST_ASSIGN_OR_RETURN(bound.key, binder.Source(*bound.rule->key, "outbox.key"));
  const BoundColumn& column = bound.key->column;
  bound.key_schema =
      absl::StrCat(R"({"schema":)", column.format.SchemaJson(!column.not_null), R"(,"payload":)");
  return absl::OkStatus();
}

// Whether a payload of this type can be written in the rule's format.
absl::Status CheckValueType(const Binder& binder, const BoundRule& bound) {
  const OutboxRule& rule = *bound.rule;
  const bool is_bytea = bound.value.format.type == ColumnType::kBytea;
  const bool as_text = rule.value_format == ValueFormat::kText ||
                       rule.value_format == ValueFormat::kJson ||
                       rule.value_format == ValueFormat::kStruct || rule.expand;
  if (is_bytea && as_text) {
    return binder.Unfit(rule.value_column, "outbox.payload",
                        "bytea, which outbox.value cannot be made of; hint: outbox.value = 'bytes' "
                        "publishes its bytes, or make it jsonb, json or text");
  }
  return absl::OkStatus();
}

// The schema of the payload alone, and what an envelope adds to it.
void SetSchemas(BoundRule& bound) {
  const bool optional = !bound.value.not_null;
  if (bound.envelope.empty()) {
    bound.payload_schema = bound.value.format.SchemaJson(optional);
    return;
  }
  bound.payload_schema = bound.value.format.SchemaJson(optional, "payload");
  for (std::size_t i = 0; i < bound.envelope.size(); ++i) {
    const BoundColumn& column = bound.envelope[i];
    absl::StrAppend(&bound.envelope_schema, ",",
                    column.format.SchemaJson(!column.not_null, bound.rule->envelope[i].name));
  }
}

absl::Status BindValue(const Binder& binder, BoundRule& bound) {
  const OutboxRule& rule = *bound.rule;
  WALPOST_ASSIGN_OR_RETURN(bound.value, binder.Rendered(rule.value_column, "outbox.payload"));
  WALPOST_RETURN_IF_ERROR(CheckValueType(binder, bound));
  bound.value_is_plain = rule.value_format == ValueFormat::kText && !rule.tombstone_when_empty &&
                         bound.value.format.is_verbatim();
  for (const NamedSource& member : rule.envelope) {
    WALPOST_ASSIGN_OR_RETURN(BoundColumn column,
                             binder.Rendered(member.source.column, "outbox.envelope"));
    bound.envelope.push_back(column);
  }
  SetSchemas(bound);
  return absl::OkStatus();
}

absl::Status BindHeaders(const Binder& binder, BoundRule& bound) {
  const OutboxRule& rule = *bound.rule;
  WALPOST_ASSIGN_OR_RETURN(bound.id, binder.Rendered(rule.id_column, "outbox.id"));
  for (const NamedSource& header : rule.headers) {
    WALPOST_ASSIGN_OR_RETURN(BoundSource source, binder.Source(header.source, "outbox.headers"));
    bound.headers.push_back(std::move(source));
  }
  if (!rule.headers_column.empty()) {
    constexpr std::string_view kSetting = "outbox.headers_from";
    WALPOST_ASSIGN_OR_RETURN(const BoundColumn column,
                             binder.Column(rule.headers_column, kSetting));
    WALPOST_RETURN_IF_ERROR(binder.MustHoldJson(column, rule.headers_column, kSetting));
    bound.headers_column = column.index;
  }
  if (!rule.tracing_column.empty()) {
    constexpr std::string_view kSetting = "outbox.tracing";
    WALPOST_ASSIGN_OR_RETURN(const BoundColumn column,
                             binder.Column(rule.tracing_column, kSetting));
    if (column.format.type != ColumnType::kString) {
      return binder.Unfit(rule.tracing_column, kSetting,
                          "not text; hint: trace context in JSON goes with outbox.headers_from");
    }
    bound.tracing = column.index;
  }
  for (const NamedSource& attribute : rule.cloudevents) {
    WALPOST_ASSIGN_OR_RETURN(BoundSource source,
                             binder.Source(attribute.source, "outbox.cloudevents"));
    bound.cloudevents.push_back(std::move(source));
  }
  bound.id_is_all = rule.headers.empty() && !bound.headers_column && !bound.tracing &&
                    !rule.json_headers && bound.id.format.is_verbatim();
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<BoundRule> BoundRule::Bind(const OutboxRule& rule,
                                          const pgoutput::Relation& relation,
                                          const CatalogTable* catalog) {
  const Binder binder(rule, relation, catalog);
  BoundRule bound;
  bound.rule = &rule;
  bound.table =
      rule.is_message ? rule.Name() : QualifiedName{relation.schema, relation.name}.ToString();
  WALPOST_RETURN_IF_ERROR(BindTopicAndKey(binder, bound));
  WALPOST_RETURN_IF_ERROR(BindValue(binder, bound));
  WALPOST_RETURN_IF_ERROR(BindHeaders(binder, bound));
  WALPOST_ASSIGN_OR_RETURN(bound.partition,
                           binder.Typed(rule.partition_column, "outbox.partition", kPartitionTypes,
                                        "smallint, integer or bigint"));
  WALPOST_ASSIGN_OR_RETURN(bound.timestamp,
                           binder.Typed(rule.timestamp_column, "outbox.timestamp", kTimestampTypes,
                                        "timestamp or timestamptz"));
  return bound;
}

}  // namespace walpost::outbox
