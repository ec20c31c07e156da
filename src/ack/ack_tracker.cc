#include "ack/ack_tracker.h"

#include <absl/strings/str_cat.h>

#include <algorithm>
#include <utility>

namespace walpost::ack {

absl::Status AckTracker::Begin(std::int64_t commit_time_us, Lsn commit_lsn) {
  if (open_) return absl::DataLossError("a transaction began inside another");
  if (next_ - first_ == ring_.size()) Grow();
  At(next_) = Entry{};
  At(next_).commit_time_us = commit_time_us;
  At(next_).commit_lsn = commit_lsn;
  ++next_;
  open_ = true;
  return absl::OkStatus();
}

absl::StatusOr<EventTicket> AckTracker::AddEvent() {
  if (!open_) return absl::DataLossError("a row outside a transaction");
  ++At(next_ - 1).unacked;
  ++unacked_;
  return next_ - 1;
}

void AckTracker::UndoAddEvent() {
  --At(next_ - 1).unacked;
  --unacked_;
}

absl::Status AckTracker::Commit(Lsn end_lsn) {
  if (!open_) return absl::DataLossError("a commit outside a transaction");
  open_ = false;
  Entry& entry = At(next_ - 1);
  if (entry.unacked == 0) {
    // Nothing waits for it: give its place back and let its position join the entry before. The
    // next transaction may have its number, since each of its tickets was reported, and none is
    // reported twice.
    --next_;
    Close(end_lsn);
    return absl::OkStatus();
  }
  entry.end_lsn = end_lsn;
  entry.committed = true;
  return absl::OkStatus();
}

void AckTracker::Advance(Lsn position) {
  if (!open_) Close(position);
}

// Everything before `position` that is not in the queue is acknowledged.
void AckTracker::Close(Lsn position) {
  if (empty()) {
    confirmable_ = std::max(confirmable_, position);
  } else {
    Entry& last = At(next_ - 1);
    last.end_lsn = std::max(last.end_lsn, position);
  }
}

bool AckTracker::IsAwaited(EventTicket ticket) const {
  return ticket >= first_ && ticket < next_ && At(ticket).unacked > 0;
}

Lsn AckTracker::CommitOf(EventTicket ticket) const {
  return IsAwaited(ticket) ? At(ticket).commit_lsn : Lsn();
}

absl::StatusOr<std::int64_t> AckTracker::Ack(EventTicket ticket) {
  if (!IsAwaited(ticket)) {
    return absl::InternalError(
        absl::StrCat("a delivery was reported that was not awaited: ticket ", ticket));
  }
  Entry& entry = At(ticket);
  const std::int64_t commit_time_us = entry.commit_time_us;
  --entry.unacked;
  --unacked_;
  if (ticket == first_) PopAcknowledged();
  return commit_time_us;
}

void AckTracker::PopAcknowledged() {
  while (!empty() && At(first_).committed && At(first_).unacked == 0) {
    confirmable_ = std::max(confirmable_, At(first_).end_lsn);
    ++first_;
  }
}

std::optional<std::int64_t> AckTracker::oldest_unacked_commit_us() const {
  if (empty()) return std::nullopt;
  return At(first_).commit_time_us;
}

void AckTracker::Reset(Lsn start) {
  epoch_ = first_ = next_;
  open_ = false;
  unacked_ = 0;
  confirmable_ = start;
}

void AckTracker::Grow() {
  std::vector<Entry> larger(ring_.size() * 2);
  for (EventTicket i = first_; i != next_; ++i) larger[i & (larger.size() - 1)] = At(i);
  ring_ = std::move(larger);
}

}  // namespace walpost::ack
