#ifndef WALPOST_RELAY_IGNORED_ROWS_H_
#define WALPOST_RELAY_IGNORED_ROWS_H_

#include <absl/status/status.h>
#include <absl/time/time.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "ack/ack_tracker.h"
#include "core/qualified_name.h"
#include "pgoutput/message.h"
#include "walpost/lsn.h"
#include "walpost/relay.h"

namespace walpost {

// Rows that are passed over because relay.ignored_tables names their table. A server may go on
// sending rows under a name that their table has lost meanwhile: the caches of pgoutput do not hear
// of the new name of a partition's root, nor before PostgreSQL 16 of that of a schema. So such rows
// are acknowledged only once the catalogs say, after the row, that the table is no outbox.
//
// Relay thread only. What is left of them when the stream ends comes again.
class IgnoredRows {
 public:
  static constexpr absl::Duration kCheckEvery = absl::Seconds(5);

  IgnoredRows(const RelayParts& parts, ack::AckTracker& tracker)
      : parts_(parts), tracker_(tracker) {}

  // A row of such a table at `position`, in the open transaction.
  absl::Status Add(const pgoutput::Relation& relation, Lsn position);

  // When Check() is to be called, by Clock::Monotonic().
  absl::Duration due() const { return due_; }

  // Asks the catalogs and acknowledges what was added. Errors: kDataLoss, a table is an outbox now;
  // those of ReplicationSource::LookUp().
  absl::Status Check();

  // The first row that was added and is not acknowledged.
  Lsn since() const { return since_; }

  // What the tracker has of them.
  std::size_t pending() const { return tickets_.size(); }

 private:
  const RelayParts& parts_;
  ack::AckTracker& tracker_;
  absl::Duration due_ = absl::InfiniteDuration();
  Lsn since_;
  std::vector<EventTicket> tickets_;  // one for each transaction
  std::map<std::uint32_t, QualifiedName> tables_;
};

}  // namespace walpost

#endif  // WALPOST_RELAY_IGNORED_ROWS_H_
