#include "relay/status_pacer.h"

#include <algorithm>

namespace walpost {
namespace {

absl::Duration Interval(const RelayOptions& options, absl::Duration wal_sender_timeout) {
  // A status may ask the server for a sign of life, which is due within the stall timeout.
  const absl::Duration wanted = std::min(options.status_interval, options.stall_timeout / 3);
  if (wal_sender_timeout <= absl::ZeroDuration()) return wanted;
  return std::min(wanted, wal_sender_timeout / 3);
}

}  // namespace

StatusPacer::StatusPacer(const RelayOptions& options, absl::Duration wal_sender_timeout,
                         absl::Duration now)
    : confirm_interval_(options.confirm_interval),
      interval_(Interval(options, wal_sender_timeout)),
      last_sent_(now) {}

void StatusPacer::RequestReply(absl::Duration at) { reply_at_ = std::min(reply_at_, at); }

absl::Duration StatusPacer::Due(Lsn confirmable) const {
  absl::Duration due = std::min(last_sent_ + interval_, reply_at_);
  if (confirmable > last_flush_) due = std::min(due, last_confirm_ + confirm_interval_);
  return due;
}

void StatusPacer::Sent(Lsn flush, absl::Duration now) {
  last_sent_ = now;
  // Also when it told no new position, as one does that lets the server go: otherwise what could be
  // told would be due again at once.
  last_confirm_ = now;
  reply_at_ = absl::InfiniteDuration();
  last_flush_ = std::max(last_flush_, flush);
}

}  // namespace walpost
