#ifndef WALPOST_POSTGRES_REPLICATION_SOURCE_H_
#define WALPOST_POSTGRES_REPLICATION_SOURCE_H_

#include <absl/status/statusor.h>

#include <memory>
#include <vector>

#include "base/clock.h"
#include "core/outbox_settings.h"
#include "postgres/connection_options.h"
#include "postgres/preflight.h"
#include "walpost/logger.h"
#include "walpost/replication_stream.h"

namespace walpost::postgres {

class Connection;

// Opens replication streams on one slot of a real server: connects with replication=database,
// checks all that must be true (see preflight.h) on a second connection that it closes again, then
// START_REPLICATION at 0/0, which is the slot's own position, with protocol 1, text, no streaming,
// and logical decoding messages only where they are asked for.
//
// `clock` and `logger` must outlive the source and its streams. Relay thread only.
// Source: https://www.postgresql.org/docs/current/protocol-replication.html
class PgReplicationSource final : public ReplicationSource {
 public:
  PgReplicationSource(ConnectionOptions options, StreamRequest request, const Clock& clock,
                      Logger& logger);

  absl::StatusOr<std::unique_ptr<ReplicationStream>> Open(const StopSignal& stop) override;

  // Tries a second connection, which a server that is shutting down refuses with 57P03.
  bool ServerIsStopping(const StopSignal& stop) override;

  absl::StatusOr<std::optional<CatalogTable>> LookUp(std::uint32_t relation_id,
                                                     const StopSignal& stop) override;

 private:
  absl::StatusOr<PreflightResult> Check(const Connection& stream_connection,
                                        const StopSignal& stop);
  absl::Status WhoHoldsTheSlot(Connection& connection, const absl::Status& held) const;

  const ConnectionOptions options_;
  ConnectionParameters last_address_;  // of the server that was streamed from
  int last_backend_pid_ = 0;           // of the connection that was streamed on; 0 before the first
  const StreamRequest request_;
  const Clock& clock_;
  Logger& logger_;
  // A row filter is worth one line, not one for each reconnect.
  bool warned_of_row_filter_ = false;
};

}  // namespace walpost::postgres

#endif  // WALPOST_POSTGRES_REPLICATION_SOURCE_H_
