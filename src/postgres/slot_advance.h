#ifndef WALPOST_POSTGRES_SLOT_ADVANCE_H_
#define WALPOST_POSTGRES_SLOT_ADVANCE_H_

#include <absl/status/status.h>
#include <absl/status/statusor.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>

#include "postgres/catalog.h"
#include "postgres/connection_options.h"
#include "walpost/lsn.h"
#include "walpost/stop_signal.h"

namespace walpost::postgres {

class Connection;

// Where a slot is, and how far the server is.
struct SlotPosition {
  Lsn confirmed_flush;
  Lsn wal_end;  // flushed, or replayed on a standby: nothing after it can be decoded yet
};

// Moves a slot that nobody holds forward, past transactions that somebody else has published: what
// it passes over is never streamed again. It is the caller who must know that they were published;
// this class looks at the slot and does as it is told.
//
// Each step is refused with kFailedPrecondition when an operator must act first, and kDataLoss when
// the server has given up the slot; nothing is changed then. kUnavailable: the server cannot be
// reached, or the stop was requested (the message says whether the slot may have moved).
//
// Reading the log may take as long as it is long, and needs room on the server for the rows that
// are read. Not thread-safe.
// Source: https://www.postgresql.org/docs/current/functions-admin.html#FUNCTIONS-REPLICATION
class SlotAdvance {
 public:
  // `stop` must outlive the object.
  static absl::StatusOr<std::unique_ptr<SlotAdvance>> Open(ConnectionOptions options,
                                                           const StopSignal& stop);
  ~SlotAdvance();
  SlotAdvance(const SlotAdvance&) = delete;
  SlotAdvance& operator=(const SlotAdvance&) = delete;

  // Where the slot is; refuses one that is missing, foreign, held or given up.
  absl::StatusOr<SlotPosition> Read();

  // That the publication is there: without it PostgreSQL 18 would show no transaction at all.
  absl::Status CheckPublication();

  // That `target`, taken when the server was on `timeline`, is a place in the history of the
  // timeline that it is on now. Makes a replication connection, which alone can ask.
  absl::Status CheckTimeline(std::uint32_t timeline, Lsn target);

  // Hands out the pgoutput messages Begin and Commit of all that the slot would stream, in that
  // order, with the position that the stream would give them: the transaction's first record, and
  // its end. Stops after the first record that ends at or after `upto`. The bytes are valid during
  // the call. An error of `on_message` ends it.
  using OnMessage = std::function<absl::Status(Lsn position, std::string_view message)>;
  absl::Status PeekTransactions(Lsn upto, const OnMessage& on_message);

  // Moves the slot, and gives its position as read afterwards.
  absl::StatusOr<Lsn> Advance(Lsn target);

 private:
  SlotAdvance(ConnectionOptions options, std::unique_ptr<Connection> connection,
              const StopSignal& stop);
  absl::Status FetchAll(const OnMessage& on_message);
  absl::Status StatusOfRead(const absl::Status& error) const;
  absl::Status StatusOfMove(const absl::Status& error, Lsn target) const;

  const ConnectionOptions options_;
  const StopSignal& stop_;
  std::unique_ptr<Connection> connection_;
  // PostgreSQL 18 leaves out rows with a warning alone.
  bool rows_were_left_out_ = false;
};

// Pure, over what the catalog says; see SlotAdvance::Read().
absl::Status CheckSlotMayMove(const std::optional<SlotFacts>& slot, std::string_view name,
                              const ServerFacts& server);

// Where `timeline` was left, by the history file of a later one. kFailedPrecondition: it is none of
// its ancestors.
// Source: https://www.postgresql.org/docs/current/continuous-archiving.html#BACKUP-TIMELINES
absl::StatusOr<Lsn> SwitchPointOf(std::string_view history, std::uint32_t timeline);

}  // namespace walpost::postgres

#endif  // WALPOST_POSTGRES_SLOT_ADVANCE_H_
