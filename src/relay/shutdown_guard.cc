#include "relay/shutdown_guard.h"

namespace walpost {

ShutdownGuard::Answer ShutdownGuard::OnReplyRequested(Lsn wal_end, absl::Duration now) {
  const bool repeated = asked_ && wal_end == wal_end_ && now - last_ <= kSpell;
  if (!repeated) spell_start_ = now;
  asked_ = true;
  wal_end_ = wal_end;
  last_ = now;
  if (!repeated) return {now, false};
  return {now + kReplyDelay, now - spell_start_ >= kGrace};
}

}  // namespace walpost
