#ifndef WALPOST_REPLICATION_STREAM_H_
#define WALPOST_REPLICATION_STREAM_H_

#include <absl/status/status.h>
#include <absl/status/statusor.h>
#include <absl/time/time.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "walpost/lsn.h"
#include "walpost/stop_signal.h"

namespace walpost {

struct CatalogTable;

// What was true when the stream was opened.
struct StreamInfo {
  // An LSN means something only within this pair (IDENTIFY_SYSTEM).
  std::string system_id;
  int timeline = 0;
  int server_version = 0;  // as server_version_num: 150004
  // The end of the WAL that the server had flushed by then.
  Lsn wal_end;
  // The slot's position as the server had it; the stream begins with the first transaction that
  // commits after it.
  Lsn confirmed_flush;
  // The server drops a client that it has not heard from for this long; zero is "never".
  absl::Duration wal_sender_timeout;
};

// A standby status update.
// Source: https://www.postgresql.org/docs/current/protocol-replication.html
struct StandbyStatus {
  // The highest position received; never moves the slot.
  Lsn write;
  // The slot's new position: all before it may be forgotten by the server. Zero is "not telling"
  // and leaves the slot alone.
  Lsn flush;
  // Asks the server to answer with a keepalive at once.
  bool reply_requested = false;
};

// A replication stream that is under way. Relay thread only; nothing here blocks, but for Finish().
class ReplicationStream {
 public:
  virtual ~ReplicationStream() = default;

  virtual const StreamInfo& info() const = 0;

  // The next frame (the payload of one CopyData message), valid until the next call; empty when
  // none has arrived yet. Errors: kUnavailable when the stream has ended or broken (connecting
  // again may help); kFailedPrecondition and kDataLoss when it would not, see
  // ReplicationSource::Open().
  virtual absl::StatusOr<std::string_view> Read() = 0;

  // Queues a status update and sends as much as the socket takes.
  virtual absl::Status SendStatus(const StandbyStatus& status) = 0;

  // Sends what is still queued; to be called when fd() is writable while wants_write().
  virtual absl::Status Flush() = 0;
  virtual bool wants_write() const = 0;

  // Readable when Read() may have a frame.
  virtual int fd() const = 0;

  // Ends the copy in good order, so that the server frees the slot with the last status in it; at
  // most `limit`, after which it just disconnects. The last status must have been sent before. The
  // stream is of no use afterwards.
  virtual absl::Status Finish(absl::Duration limit) = 0;
};

// Opens replication streams on one slot.
class ReplicationSource {
 public:
  virtual ~ReplicationSource() = default;

  // Connects, checks what must be true (slot, publication, tables, columns) and starts the stream
  // at the slot's own position. Blocks while it connects, and answers kCancelled soon after `stop`
  // is requested.
  //
  // Errors, each with the object, the setting and a hint:
  //   kUnavailable          the server cannot be reached, is starting or stopping, or has not
  //                         noticed yet that the last stream of this source is gone
  //   kUnauthenticated      the server refuses the role or its password
  //   kAborted              another connection holds the slot
  //   kInvalidArgument      the configuration cannot be right
  //   kFailedPrecondition   an operator must act: no slot, no publication, table not published, ...
  //   kDataLoss             the slot can no longer deliver what it promised
  virtual absl::StatusOr<std::unique_ptr<ReplicationStream>> Open(const StopSignal& stop) = 0;

  // Whether the server of the last stream is shutting down. For whoever does not read its stream at
  // the moment: the server waits until all is read, and cannot say so. Blocks for a short while.
  virtual bool ServerIsStopping(const StopSignal& stop) = 0;

  // What the catalogs say now of a table that the stream has described, by its OID; nothing when it
  // is no more. Blocks for a short while, on a connection of its own. Errors: kUnavailable,
  // kUnauthenticated, kCancelled.
  virtual absl::StatusOr<std::optional<CatalogTable>> LookUp(std::uint32_t relation_id,
                                                             const StopSignal& stop) = 0;
};

}  // namespace walpost

#endif  // WALPOST_REPLICATION_STREAM_H_
