#include "relay/outbox_history.h"

#include <absl/strings/str_cat.h>

#include <algorithm>

#include "core/outbox_settings.h"

namespace walpost {

void OutboxHistory::Saw(std::uint32_t relation_id, Lsn position) {
  const auto [entry, is_new] = since_.try_emplace(relation_id, position);
  if (!is_new) entry->second = std::min(entry->second, position);
}

absl::Status OutboxHistory::CheckIgnored(const pgoutput::Relation& relation, Lsn position) const {
  const auto entry = since_.find(relation.id);
  // Before that it may have been filled, to take the outbox's name later.
  if (entry == since_.end() || position < entry->second) return absl::OkStatus();
  return absl::DataLossError(absl::StrCat(
      "the stream brings rows of table ", QualifiedName{relation.schema, relation.name}.ToString(),
      ", which was an outbox table under another name, or a partition of one: whether they are "
      "events cannot be told; hint: if they are, give that table an [[outbox]] block too until "
      "they are read; if not, publish only the outbox tables, and move the slot past them "
      "knowingly (walpost slot advance)"));
}

}  // namespace walpost
