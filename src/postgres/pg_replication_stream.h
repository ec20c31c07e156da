#ifndef WALPOST_POSTGRES_PG_REPLICATION_STREAM_H_
#define WALPOST_POSTGRES_PG_REPLICATION_STREAM_H_

#include <absl/status/status.h>
#include <absl/status/statusor.h>
#include <absl/time/time.h>

#include <memory>
#include <optional>
#include <string_view>

#include "base/clock.h"
#include "postgres/connection.h"
#include "postgres/stream_error.h"
#include "walpost/logger.h"
#include "walpost/replication_stream.h"

namespace walpost::postgres {

// A stream over libpq. Relay thread only.
//
// libpq may hold frames that were read with an earlier one, so Read() is to be called until it
// gives nothing before fd() is polled, also right after Start().
// Source: https://www.postgresql.org/docs/current/libpq-copy.html
class PgReplicationStream final : public ReplicationStream {
 public:
  // Sends START_REPLICATION and takes over the connection. `clock` and `logger` must outlive it.
  static absl::StatusOr<std::unique_ptr<PgReplicationStream>> Start(
      std::unique_ptr<Connection> connection, StreamInfo info, StreamNames names,
      const Clock& clock, Logger& logger);

  const StreamInfo& info() const override { return info_; }
  absl::StatusOr<std::string_view> Read() override;
  absl::Status SendStatus(const StandbyStatus& status) override;
  absl::Status Flush() override;
  bool wants_write() const override { return wants_write_; }
  int fd() const override;
  absl::Status Finish(absl::Duration limit) override;

 private:
  struct BufferDeleter {
    void operator()(char* buffer) const { PQfreemem(buffer); }
  };

  PgReplicationStream(std::unique_ptr<Connection> connection, StreamInfo info, StreamNames names,
                      const Clock& clock, Logger& logger);

  PGconn* conn() const { return connection_->get(); }
  void OnNotice(const Connection::Notice& notice);
  // The next frame that libpq already holds; empty when there is none.
  absl::StatusOr<std::string_view> NextBuffered();
  // Why the server has ended the copy.
  absl::Status ReasonOfEnd();
  // Remembers the error, which every later call answers with.
  absl::Status Fail(absl::Status error);
  // Hands the status that waits to libpq.
  absl::Status PutPendingStatus();
  absl::Status EndCopy(const Deadline& deadline);
  absl::Status DrainCopy(const Deadline& deadline);

  std::unique_ptr<Connection> connection_;
  const StreamInfo info_;
  const StreamNames names_;
  const Clock& clock_;
  Logger& logger_;
  std::unique_ptr<char, BufferDeleter> buffer_;
  // Not yet taken by libpq. A newer one replaces it: a status says all that an older one did.
  std::optional<StandbyStatus> pending_status_;
  bool wants_write_ = false;
  // Set by a notice, while libpq reads: what it read after it must not be handed out.
  absl::Status fatal_notice_;
  absl::Status ended_;
};

}  // namespace walpost::postgres

#endif  // WALPOST_POSTGRES_PG_REPLICATION_STREAM_H_
