#include "outbox/event_mapper.h"

#include <absl/strings/str_cat.h>

#include <algorithm>
#include <utility>

#include "base/status_macros.h"
#include "base/strings.h"
#include "core/poison.h"

namespace walpost::outbox {
namespace {

// Of a dead letter that leaves the row out because it is too large.
constexpr std::size_t kLargestKeyWithoutRow = 4096;

// Null when there is none.
const pgoutput::RelationColumn* ColumnNamed(const pgoutput::Relation& relation,
                                            std::string_view name) {
  for (const pgoutput::RelationColumn& column : relation.columns) {
    if (column.name == name) return &column;
  }
  return nullptr;
}

// Whether the relation has most of the columns that the rule reads, as a partition has; not all,
// since what the stream brings may be older than the last of them.
bool LooksLike(const pgoutput::Relation& relation, const OutboxRule& rule) {
  const std::vector<OutboxColumn> wanted = rule.Columns();
  const auto has = [&relation](const OutboxColumn& column) {
    return ColumnNamed(relation, column.name) != nullptr;
  };
  const auto count = static_cast<std::size_t>(std::count_if(wanted.begin(), wanted.end(), has));
  return count * 2 > wanted.size();
}

// The columns that the rule reads and whose type a user has made.
std::vector<std::string_view> ColumnsOfUserTypes(const pgoutput::Relation& relation,
                                                 const OutboxRule& rule) {
  std::vector<std::string_view> found;
  for (const OutboxColumn& read : rule.Columns()) {
    const pgoutput::RelationColumn* column = ColumnNamed(relation, read.name);
    if (column != nullptr && column->type_oid >= kFirstUserOid) found.push_back(column->name);
  }
  return found;
}

// Whether what is written of a column depends on whether it may be NULL.
bool NeedsNullability(const OutboxRule& rule) {
  return rule.value_format == ValueFormat::kJsonSchema || rule.key_format == KeyFormat::kJsonSchema;
}

std::string NameOf(const pgoutput::Relation& relation) {
  return QualifiedName{relation.schema, relation.name}.ToString();
}

}  // namespace

EventMapper::EventMapper(std::vector<OutboxRule> rules, const std::vector<QualifiedName>& ignored)
    : rules_(std::move(rules)), ignored_(ignored) {}

absl::StatusOr<EventMapper> EventMapper::Create(const std::vector<OutboxSettings>& settings,
                                                const std::vector<QualifiedName>& ignored) {
  std::vector<OutboxRule> rules;
  for (const OutboxSettings& block : settings) {
    WALPOST_ASSIGN_OR_RETURN(OutboxRule rule, OutboxRule::Compile(block));
    for (const OutboxRule& other : rules) {
      if (other.is_message != rule.is_message || other.table != rule.table) continue;
      return absl::InvalidArgumentError(absl::StrCat("outbox.table: ", rule.Name(),
                                                     " has two [[outbox]] blocks; hint: keep one"));
    }
    rules.push_back(std::move(rule));
  }
  if (rules.empty())
    return absl::InvalidArgumentError("no outbox table; hint: add an [[outbox]] block");
  EventMapper mapper(std::move(rules), ignored);
  WALPOST_RETURN_IF_ERROR(mapper.BindMessageRule());
  return mapper;
}

absl::Status EventMapper::BindMessageRule() {
  for (const OutboxRule& rule : rules_) {
    if (!rule.is_message) continue;
    WALPOST_ASSIGN_OR_RETURN(BoundRule bound,
                             BoundRule::Bind(rule, MessageRow::RelationFor(rule), nullptr));
    message_rule_ = std::make_unique<BoundRule>(std::move(bound));
  }
  return absl::OkStatus();
}

std::vector<OutboxTable> EventMapper::Tables() const {
  std::vector<OutboxTable> tables;
  for (const OutboxRule& rule : rules_) {
    if (!rule.is_message) tables.push_back({rule.table, rule.Columns()});
  }
  return tables;
}

absl::Status EventMapper::CheckTable(const QualifiedName& name, const CatalogTable& table) const {
  pgoutput::Relation relation;
  relation.schema = name.schema;
  relation.name = name.name;
  for (const CatalogColumn& column : table.columns) {
    relation.columns.push_back({.name = column.name,
                                .is_key = false,
                                .type_oid = column.type,
                                .type_modifier = column.modifier});
  }
  const OutboxRule* rule = RuleNamed(relation);
  if (rule == nullptr) return absl::OkStatus();
  return BoundRule::Bind(*rule, relation, &table).status();
}

const OutboxRule* EventMapper::RuleOf(const QualifiedName& table) const {
  for (const OutboxRule& rule : rules_) {
    if (!rule.is_message && rule.table == table) return &rule;
  }
  return nullptr;
}

// Of an outbox, whatever it was called then, or of what is part of one: the nearest.
const OutboxRule* EventMapper::RuleNow(const CatalogTable& table) const {
  if (const OutboxRule* own = RuleOf(table.name); own != nullptr) return own;
  for (const QualifiedName& ancestor : table.ancestors) {
    if (const OutboxRule* rule = RuleOf(ancestor); rule != nullptr) return rule;
  }
  return nullptr;
}

const OutboxRule* EventMapper::RuleNamed(const pgoutput::Relation& relation) const {
  return RuleOf({relation.schema, relation.name});
}

bool EventMapper::NeedsCatalog(const pgoutput::Relation& relation) const {
  if (const OutboxRule* rule = RuleNamed(relation); rule != nullptr) {
    return NeedsNullability(*rule) || !ColumnsOfUserTypes(relation, *rule).empty();
  }
  // Any other may be a partition, whatever its columns are by now.
  return std::any_of(rules_.begin(), rules_.end(),
                     [](const OutboxRule& rule) { return !rule.is_message; });
}

// What the catalog alone can tell of the types of the columns that the rule reads, and does not.
absl::Status EventMapper::CheckTypesKnown(const pgoutput::Relation& relation,
                                          const OutboxRule& rule,
                                          const std::optional<CatalogTable>* catalog) const {
  for (std::string_view column : ColumnsOfUserTypes(relation, rule)) {
    if (catalog == nullptr || (*catalog && (*catalog)->Find(column) != nullptr)) continue;
    return absl::DataLossError(
        absl::StrCat("the stream brings rows of table ", NameOf(relation), " with a column '",
                     ToAbsl(column), "' of a type made by users, and the table ",
                     *catalog ? "has no such column" : "does not exist", " any more",
                     ": what type it was cannot be told; hint: restore the table or the column's "
                     "name until its rows are read, or move the slot past them knowingly"));
  }
  return absl::OkStatus();
}

bool EventMapper::IsListed(const QualifiedName& name,
                           const std::optional<CatalogTable>& catalog) const {
  const auto listed = [this](const QualifiedName& one) {
    return std::find(ignored_.begin(), ignored_.end(), one) != ignored_.end();
  };
  return listed(name) ||
         (catalog && std::any_of(catalog->ancestors.begin(), catalog->ancestors.end(), listed));
}

absl::Status EventMapper::CheckIgnored(const QualifiedName& name,
                                       const std::optional<CatalogTable>& catalog) const {
  if (!catalog) return absl::OkStatus();
  // One that merely inherits has rows of its own.
  const OutboxRule* rule = catalog->is_partition ? RuleNow(*catalog) : RuleOf(catalog->name);
  if (rule == nullptr) return absl::OkStatus();
  return absl::DataLossError(absl::StrCat(
      "the stream brings rows of table ", name.ToString(),
      ", which relay.ignored_tables names, and which is outbox table ", rule->table.ToString(),
      " now, or a partition of it; hint: take it out of relay.ignored_tables, and its "
      "unread rows are published"));
}

// The rule of a relation that has no rule by its name; null when its rows are no events. Whatever
// the catalog says, it says of now: only what leaves no doubt about then counts.
absl::StatusOr<const OutboxRule*> EventMapper::RuleByCatalog(
    const pgoutput::Relation& relation, const std::optional<CatalogTable>& catalog) {
  const QualifiedName name{relation.schema, relation.name};
  if (IsListed(name, catalog)) {
    WALPOST_RETURN_IF_ERROR(CheckIgnored(name, catalog));
    passed_over_.insert(relation.id);
    return nullptr;
  }
  const OutboxRule* rule = catalog ? RuleNow(*catalog) : nullptr;
  if (rule != nullptr) return rule;
  if (!HasColumnsOfAnOutbox(relation) && !have_been_outboxes_.contains(relation.id)) return nullptr;
  return absl::DataLossError(absl::StrCat(
      "the stream brings rows of table ", name.ToString(),
      ", which was an outbox table or has the columns of one, and ",
      catalog ? "is none by its name, nor a partition of one"
              : "does not exist any more, or not for others yet",
      ": whether they are events cannot be told; hint: if they are, ",
      catalog ? absl::StrCat("name ", catalog->name.ToString(),
                             " in an [[outbox]] block, or attach it again")
              : "make an empty table of that name and these columns, publish it, and name it in an "
                "[[outbox]] block until they are read",
      "; if they are not, name ", name.ToString(), " in relay.ignored_tables"));
}

bool EventMapper::HasColumnsOfAnOutbox(const pgoutput::Relation& relation) const {
  return std::any_of(rules_.begin(), rules_.end(), [&relation](const OutboxRule& rule) {
    return !rule.is_message && LooksLike(relation, rule);
  });
}

absl::Status EventMapper::OnRelation(const pgoutput::Relation& relation,
                                     const std::optional<CatalogTable>* catalog) {
  last_rule_ = nullptr;
  last_relation_ = 0;
  bound_.erase(relation.id);
  doubtful_.erase(relation.id);
  passed_over_.erase(relation.id);
  const OutboxRule* rule = RuleNamed(relation);
  if (rule == nullptr && catalog != nullptr) {
    const auto found = RuleByCatalog(relation, *catalog);
    if (!found.ok()) doubtful_.emplace(relation.id, found.status());
    rule = found.ok() ? *found : nullptr;
  }
  if (rule == nullptr) return absl::OkStatus();
  if (const absl::Status types = CheckTypesKnown(relation, *rule, catalog); !types.ok()) {
    doubtful_.emplace(relation.id, types);
    return absl::OkStatus();
  }
  const bool known = catalog != nullptr && catalog->has_value();
  WALPOST_ASSIGN_OR_RETURN(BoundRule bound,
                           BoundRule::Bind(*rule, relation, known ? &**catalog : nullptr));
  bound_.emplace(relation.id, std::move(bound));
  have_been_outboxes_.insert(relation.id);
  return absl::OkStatus();
}

const BoundRule* EventMapper::FindRule(std::uint32_t relation_id) {
  if (last_rule_ != nullptr && last_relation_ == relation_id) return last_rule_;
  auto it = bound_.find(relation_id);
  if (it == bound_.end()) return nullptr;
  last_relation_ = relation_id;
  last_rule_ = &it->second;
  return last_rule_;
}

absl::StatusOr<const OutboxEvent*> EventMapper::Map(const pgoutput::Insert& insert,
                                                    std::int64_t commit_time_us) {
  rule_ = FindRule(insert.relation->id);
  if (rule_ == nullptr) {
    // When in doubt, stop.
    const auto doubt = doubtful_.find(insert.relation->id);
    if (doubt != doubtful_.end()) return doubt->second;
    return nullptr;
  }
  message_.reset();
  row_ = insert;
  const absl::Status mapped = row_mapper_.Map(*rule_, insert.row, commit_time_us);
  // Only what is about the row is a reason to pass it over.
  if (!mapped.ok()) return absl::IsInvalidArgument(mapped) ? Reject(mapped) : mapped;
  return &row_mapper_.event();
}

absl::StatusOr<const OutboxEvent*> EventMapper::Map(const pgoutput::LogicalMessage& message,
                                                    std::int64_t commit_time_us) {
  if (message_rule_ == nullptr || message.prefix != message_rule_->rule->prefix) return nullptr;
  if (!message.transactional && !message_rule_->rule->all_messages) return nullptr;
  rule_ = message_rule_.get();
  message_ = message;
  const absl::Status read = message_row_.Read(*rule_->rule, message);
  if (!read.ok()) return Reject(AsPoison(PoisonReason::kMessage, read));
  const absl::Status mapped = row_mapper_.Map(*rule_, message_row_.row(), commit_time_us);
  // Only what is about the row is a reason to pass it over.
  if (!mapped.ok()) return absl::IsInvalidArgument(mapped) ? Reject(mapped) : mapped;
  return &row_mapper_.event();
}

std::optional<std::string_view> EventMapper::LastId() const {
  const pgoutput::Tuple row = message_ ? message_row_.row() : row_.row;
  const std::size_t index = rule_->id.index;
  if (index >= row.size() || row[index].kind != pgoutput::ValueKind::kText) return std::nullopt;
  return row[index].bytes;
}

absl::Status EventMapper::Reject(const absl::Status& reason) const {
  if (rule_ == nullptr) return absl::InternalError("an event was refused that is none");
  // Names the row for whoever has to look at it: its table and its id, never another of its values.
  const std::string what = message_ ? "message" : absl::StrCat("row of ", rule_->table);
  return PoisonError(PoisonReasonOf(reason),
                     ToStd(absl::StrCat(what, " with id ", ToAbsl(LastId().value_or("NULL")),
                                        " cannot be an event: ", reason.message())));
}

const OutboxEvent& EventMapper::DeadLetter(std::string_view topic, const absl::Status& reason,
                                           Lsn position, bool with_row) {
  const DeadLetterFacts facts{.topic = topic,
                              .id = LastId(),
                              .table = rule_->table,
                              .position = position,
                              .reason = reason,
                              .with_row = with_row};
  // A message that could not be read has no row.
  std::optional<std::string_view> key;
  const bool has_row = !message_ || PoisonReasonOf(reason) != PoisonReason::kMessage;
  const pgoutput::Tuple row = message_ ? message_row_.row() : row_.row;
  if (has_row && row_mapper_.MapKey(*rule_, row).ok()) key = row_mapper_.event().key;
  // It may be what is too large.
  if (!with_row && key && key->size() > kLargestKeyWithoutRow) key = std::nullopt;
  if (message_) return dead_letter_.Write(*message_, facts, key);
  return dead_letter_.Write(row_, facts, key);
}

void EventMapper::Reset() {
  bound_.clear();
  doubtful_.clear();
  passed_over_.clear();
  last_rule_ = nullptr;
  last_relation_ = 0;
  // The message's rule belongs to no relation of the stream.
  rule_ = nullptr;
  message_.reset();
  row_ = {};
}

}  // namespace walpost::outbox
