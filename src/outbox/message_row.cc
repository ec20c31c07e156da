#include "outbox/message_row.h"

#include <cstddef>
#include <cstdint>
#include <optional>

#include "base/status_macros.h"

namespace walpost::outbox {
namespace {

constexpr std::uint32_t kTextOid = 25;
constexpr std::uint32_t kJsonbOid = 3802;

// Whether the payload is to be JSON as it stands in the content, and not what a text in it holds.
bool WantsJson(const OutboxRule& rule) {
  return rule.value_format == ValueFormat::kJson || rule.value_format == ValueFormat::kStruct ||
         (rule.value_format == ValueFormat::kCloudEvents && rule.structured);
}

std::uint32_t TypeOf(const OutboxRule& rule, const OutboxColumn& column) {
  if (!column.types.empty()) return column.types.back();
  const bool json =
      column.name == rule.headers_column || (column.name == rule.value_column && WantsJson(rule));
  return json ? kJsonbOid : kTextOid;
}

}  // namespace

pgoutput::Relation MessageRow::RelationFor(const OutboxRule& rule) {
  pgoutput::Relation relation;
  for (const OutboxColumn& column : rule.Columns()) {
    relation.columns.push_back({.name = column.name,
                                .is_key = false,
                                .type_oid = TypeOf(rule, column),
                                .type_modifier = -1});
  }
  return relation;
}

absl::Status MessageRow::Read(const OutboxRule& rule, const pgoutput::LogicalMessage& message) {
  texts_.clear();
  if (names_.empty()) {
    for (const OutboxColumn& column : rule.Columns()) names_.push_back(column.name);
  }
  values_.assign(names_.size(), {});
  // Also for a message that cannot be read, which has to be named.
  lsn_ = message.lsn.ToString();
  FillId(rule);
  WALPOST_ASSIGN_OR_RETURN(const std::vector<JsonMember> members, MembersOf(message.content));
  for (const JsonMember& member : members) {
    for (std::size_t i = 0; i < names_.size(); ++i) {
      if (names_[i] == member.name) WALPOST_RETURN_IF_ERROR(Set(rule, i, member));
    }
  }
  FillId(rule);
  return absl::OkStatus();
}

void MessageRow::FillId(const OutboxRule& rule) {
  for (std::size_t i = 0; i < names_.size(); ++i) {
    if (names_[i] != rule.id_column || values_[i].kind != pgoutput::ValueKind::kNull) continue;
    values_[i] = {pgoutput::ValueKind::kText, lsn_};
  }
}

absl::Status MessageRow::Set(const OutboxRule& rule, std::size_t column, const JsonMember& member) {
  values_[column] = {};
  const bool raw = WantsJson(rule) && names_[column] == rule.value_column;
  // null is the absence of a value, as it is for every column.
  if (member.kind == JsonMember::Kind::kNull) return absl::OkStatus();
  // An object or array passes as it was written, byte for byte.
  const bool as_written = raw || member.kind == JsonMember::Kind::kNested;
  std::string_view text = member.raw;
  if (!as_written) {
    WALPOST_ASSIGN_OR_RETURN(texts_.emplace_back(), member.Text());
    text = texts_.back();
  }
  values_[column] = {pgoutput::ValueKind::kText, text};
  return absl::OkStatus();
}

}  // namespace walpost::outbox
