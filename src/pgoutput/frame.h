#ifndef WALPOST_PGOUTPUT_FRAME_H_
#define WALPOST_PGOUTPUT_FRAME_H_

#include <absl/status/statusor.h>
#include <absl/time/time.h>

#include <cstdint>
#include <string_view>
#include <variant>

#include "walpost/lsn.h"

namespace walpost::pgoutput {

// One piece of the WAL as the output plugin made it. `payload` is one pgoutput message, a view into
// the frame.
struct XLogData {
  Lsn start;
  Lsn wal_end;
  std::string_view payload;
};

// The server is alive, and has decoded everything up to `wal_end`.
struct Keepalive {
  Lsn wal_end;
  // The server wants a status at once, or it will drop us.
  bool reply_requested = false;
};

using Frame = std::variant<XLogData, Keepalive>;

// Reads the payload of one CopyData message of a replication stream. Pure and thread-safe.
// Error: kDataLoss for a frame that is not what the protocol says, with the offset.
// Source: https://www.postgresql.org/docs/current/protocol-replication.html
absl::StatusOr<Frame> ParseFrame(std::string_view bytes);

// A time stamp of the protocol, microseconds since 2000-01-01 UTC, which may be any 64-bit value.
absl::Time TimeFromWire(std::int64_t micros);

}  // namespace walpost::pgoutput

#endif  // WALPOST_PGOUTPUT_FRAME_H_
