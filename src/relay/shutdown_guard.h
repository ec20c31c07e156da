#ifndef WALPOST_RELAY_SHUTDOWN_GUARD_H_
#define WALPOST_RELAY_SHUTDOWN_GUARD_H_

#include <absl/time/time.h>

#include "walpost/lsn.h"

namespace walpost {

// Recognises a server that is shutting down and waits for us, and keeps us from holding it up.
//
// A server in a fast or smart shutdown ends only when each walsender has sent everything and the
// client says that it has stored it. While rows are unacknowledged we cannot say so; the server
// then asks for a reply, is answered, and asks again, as fast as both can, for ever. The guard
// slows the answers down, and after a grace period tells the session to let the server go: a status
// that reports everything as written and nothing as flushed. That leaves the slot where it is, so
// the rows come again later.
//
// Measured on PostgreSQL 15; see ProcessStandbyReplyMessage() and WalSndDone() in walsender.c.
// Pure; not thread-safe.
class ShutdownGuard {
 public:
  struct Answer {
    // When to reply.
    absl::Duration at;
    // Whether to let the server go.
    bool release = false;
  };

  // The server asked for a reply; `now` is monotonic.
  Answer OnReplyRequested(Lsn wal_end, absl::Duration now);

  // The server sent something else: it is not waiting for us.
  void OnData() { asked_ = false; }

 private:
  // Requests that follow each other within this are one spell of waiting; those of a healthy idle
  // server are half a wal_sender_timeout apart.
  static constexpr absl::Duration kSpell = absl::Milliseconds(300);
  static constexpr absl::Duration kReplyDelay = absl::Milliseconds(100);
  // Long enough for acknowledgements that are under way.
  static constexpr absl::Duration kGrace = absl::Seconds(2);

  bool asked_ = false;
  Lsn wal_end_;
  absl::Duration spell_start_;
  absl::Duration last_;
};

}  // namespace walpost

#endif  // WALPOST_RELAY_SHUTDOWN_GUARD_H_
