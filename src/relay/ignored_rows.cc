#include "relay/ignored_rows.h"

#include <optional>

#include "base/clock.h"
#include "base/status_macros.h"
#include "core/outbox_settings.h"
#include "outbox/event_mapper.h"
#include "walpost/replication_stream.h"

namespace walpost {

absl::Status IgnoredRows::Add(const pgoutput::Relation& relation, Lsn position) {
  tables_.try_emplace(relation.id, QualifiedName{relation.schema, relation.name});
  WALPOST_ASSIGN_OR_RETURN(const EventTicket ticket, tracker_.AddEvent());
  if (!tickets_.empty() && tickets_.back() == ticket) {
    tracker_.UndoAddEvent();
    return absl::OkStatus();
  }
  if (tickets_.empty()) since_ = position;
  tickets_.push_back(ticket);
  if (due_ == absl::InfiniteDuration()) due_ = parts_.clock.Monotonic() + kCheckEvery;
  return absl::OkStatus();
}

absl::Status IgnoredRows::Check() {
  due_ = absl::InfiniteDuration();
  for (const auto& [relation_id, name] : tables_) {
    WALPOST_ASSIGN_OR_RETURN(const std::optional<CatalogTable> table,
                             parts_.source.LookUp(relation_id, parts_.stop));
    WALPOST_RETURN_IF_ERROR(parts_.mapper.CheckIgnored(name, table));
  }
  for (const EventTicket ticket : tickets_) {
    WALPOST_RETURN_IF_ERROR(tracker_.Ack(ticket).status());
  }
  tickets_.clear();
  tables_.clear();
  return absl::OkStatus();
}

}  // namespace walpost
