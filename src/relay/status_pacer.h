#ifndef WALPOST_RELAY_STATUS_PACER_H_
#define WALPOST_RELAY_STATUS_PACER_H_

#include <absl/time/time.h>

#include "walpost/lsn.h"
#include "walpost/relay_options.h"

namespace walpost {

// Decides when a standby status is due: soon after the confirmable position moved, when the server
// asked for one, and at least at an interval at which the server does not give us up. Times are
// monotonic. Pure; not thread-safe.
class StatusPacer {
 public:
  // `wal_sender_timeout` is the server's; zero is none. The interval is at most a third of it, and
  // of the stall timeout.
  StatusPacer(const RelayOptions& options, absl::Duration wal_sender_timeout, absl::Duration now);

  // The server wants a status by `at`.
  void RequestReply(absl::Duration at);

  // When the next status is due, given what could be confirmed now.
  absl::Duration Due(Lsn confirmable) const;

  // A status was sent.
  void Sent(Lsn flush, absl::Duration now);

  absl::Duration interval() const { return interval_; }
  Lsn last_flush() const { return last_flush_; }

 private:
  const absl::Duration confirm_interval_;
  const absl::Duration interval_;
  absl::Duration last_sent_;
  absl::Duration last_confirm_ = -absl::InfiniteDuration();
  absl::Duration reply_at_ = absl::InfiniteDuration();
  Lsn last_flush_;
};

}  // namespace walpost

#endif  // WALPOST_RELAY_STATUS_PACER_H_
