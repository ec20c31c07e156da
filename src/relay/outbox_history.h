#ifndef WALPOST_RELAY_OUTBOX_HISTORY_H_
#define WALPOST_RELAY_OUTBOX_HISTORY_H_

#include <absl/status/status.h>

#include <cstdint>
#include <unordered_map>

#include "pgoutput/message.h"
#include "walpost/lsn.h"

namespace walpost {

// Which relations have been outbox tables, and since when. A table that is renamed, moved to
// another schema or detached keeps its OID, and whether the rows that come under a name which no
// [[outbox]] block has are events, nobody can tell. It outlives a stream. Relay thread only.
class OutboxHistory {
 public:
  // The relation was an outbox table at this position.
  void Saw(std::uint32_t relation_id, Lsn position);

  // Of the relation of a row at `position` that is no event. kDataLoss: it was an outbox before.
  absl::Status CheckIgnored(const pgoutput::Relation& relation, Lsn position) const;

  // For another server, whose OIDs mean other tables.
  void Forget() { since_.clear(); }

 private:
  std::unordered_map<std::uint32_t, Lsn> since_;  // the first position known, by OID
};

}  // namespace walpost

#endif  // WALPOST_RELAY_OUTBOX_HISTORY_H_
