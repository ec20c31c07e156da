#ifndef WALPOST_ACK_ACK_TRACKER_H_
#define WALPOST_ACK_ACK_TRACKER_H_

#include <absl/status/status.h>
#include <absl/status/statusor.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "walpost/event_sink.h"
#include "walpost/lsn.h"

namespace walpost::ack {

// Knows the highest LSN below which everything is acknowledged: the end of the longest prefix of
// transactions, in commit order, whose every event was delivered. That LSN, and nothing else, may
// be confirmed to the server.
//
// Transactions stand in a queue in the order of their commits. Only those with events that are not
// yet acknowledged are kept: a position that closes without any (an empty transaction, a keepalive)
// joins the entry before it, for it is acknowledged when that one is. So memory is bound by the
// events in flight.
//
// Feed it in the order of the stream. Not thread-safe.
// Source: https://www.postgresql.org/docs/current/protocol-replication.html (standby status update)
class AckTracker {
 public:
  // Opens the next transaction. `commit_time_us` is kept for whoever asks for lag; its epoch is the
  // caller's. `commit_lsn` says where the transaction is, for CommitOf(). Error: kDataLoss when one
  // is open.
  absl::Status Begin(std::int64_t commit_time_us, Lsn commit_lsn);

  // One event of the open transaction is handed to the sink; the ticket goes with it. Error:
  // kDataLoss outside a transaction.
  absl::StatusOr<EventTicket> AddEvent();

  // Takes the last AddEvent() back: the sink had no room for the event. To be called before
  // anything else happened.
  void UndoAddEvent();

  // Closes the open transaction at `end_lsn`. Error: kDataLoss outside a transaction.
  absl::Status Commit(Lsn end_lsn);

  // The server says that it has nothing of interest before `position`. Ignored while a transaction
  // is open: its rows are still coming.
  void Advance(Lsn position);

  // Whether the ticket is from this stream. One from before Reset() is not: its event comes again.
  bool IsCurrent(EventTicket ticket) const { return ticket >= epoch_; }

  // One event was delivered; answers the commit time of its transaction. To be called for current
  // tickets only. Error: kInternal for one that was never given or has been acknowledged in full.
  absl::StatusOr<std::int64_t> Ack(EventTicket ticket);

  // What Begin() was told of the transaction of a ticket that is not acknowledged; zero for others.
  Lsn CommitOf(EventTicket ticket) const;

  // Never goes back, but for Reset().
  Lsn confirmable() const { return confirmable_; }

  bool transaction_open() const { return open_; }
  // Events handed out since Reset() and not acknowledged.
  std::size_t unacked() const { return unacked_; }
  // Commit time of the oldest transaction that is not wholly acknowledged.
  std::optional<std::int64_t> oldest_unacked_commit_us() const;

  // Forgets everything, for a new stream. `start` is the position that the server has confirmed
  // already, below which nothing may be sent, or a later one below which everything is
  // acknowledged. Tickets given before are not current from here on.
  void Reset(Lsn start);

 private:
  struct Entry {
    Lsn commit_lsn;
    Lsn end_lsn;
    std::int64_t commit_time_us = 0;
    std::uint64_t unacked = 0;
    bool committed = false;
  };

  Entry& At(EventTicket sequence) { return ring_[sequence & (ring_.size() - 1)]; }
  const Entry& At(EventTicket sequence) const { return ring_[sequence & (ring_.size() - 1)]; }
  bool empty() const { return first_ == next_; }
  bool IsAwaited(EventTicket ticket) const;
  void Close(Lsn position);
  void PopAcknowledged();
  void Grow();

  // A ring of a power-of-two size, so that a steady stream allocates nothing. Entry i lives at i
  // modulo the size.
  std::vector<Entry> ring_ = std::vector<Entry>(64);
  EventTicket epoch_ = 0;  // the first sequence number since Reset()
  EventTicket first_ = 0;  // the oldest entry kept
  EventTicket next_ = 0;   // the sequence number of the next transaction
  bool open_ = false;
  std::size_t unacked_ = 0;
  Lsn confirmable_;
};

}  // namespace walpost::ack

#endif  // WALPOST_ACK_ACK_TRACKER_H_
