#include "postgres/replication_source.h"

#include <absl/strings/numbers.h>
#include <absl/strings/str_cat.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "base/status_macros.h"
#include "base/strings.h"
#include "postgres/catalog.h"
#include "postgres/connection.h"
#include "postgres/guc_duration.h"
#include "postgres/pg_replication_stream.h"
#include "postgres/sql_state.h"

namespace walpost::postgres {
namespace {

// Status updates wait for it, so it has to be well below any sensible wal_sender_timeout.
constexpr absl::Duration kProbeTimeout = absl::Seconds(1);
// The same for the connection of a look-up, and for each of the three questions that it asks.
constexpr absl::Duration kLookUpTimeout = absl::Seconds(5);
// https://www.postgresql.org/docs/current/errcodes-appendix.html
constexpr std::string_view kCannotConnectNow = "57P03";

}  // namespace

PgReplicationSource::PgReplicationSource(ConnectionOptions options, StreamRequest request,
                                         const Clock& clock, Logger& logger)
    : options_(std::move(options)), request_(std::move(request)), clock_(clock), logger_(logger) {}

// On a connection of its own. The server decodes with the catalogs as they were at each change, and
// fails over a publication that did not exist yet; but what our queries had left in the caches of
// its process would stand in for that, and the rows would be left out without a word.
absl::StatusOr<PreflightResult> PgReplicationSource::Check(const Connection& stream_connection,
                                                           const StopSignal& stop) {
  WALPOST_ASSIGN_OR_RETURN(
      std::unique_ptr<Connection> connection,
      Connection::Open(options_, ConnectionMode::kSql, stop, stream_connection.ServerAddress()));
  absl::StatusOr<PreflightResult> checked = RunPreflight(*connection, options_, request_);
  if (absl::IsAborted(checked.status())) return WhoHoldsTheSlot(*connection, checked.status());
  WALPOST_ASSIGN_OR_RETURN(PreflightResult found, std::move(checked));
  for (const std::string& table : found.filtered_tables) {
    if (warned_of_row_filter_) break;
    logger_.Warn("the publication has a row filter; rows that it leaves out are never published",
                 {{"publication", options_.publication}, {"table", table}});
  }
  warned_of_row_filter_ = warned_of_row_filter_ || !found.filtered_tables.empty();
  return found;
}

// A server may take a while to see that our own last connection is gone: nobody else is at work.
absl::Status PgReplicationSource::WhoHoldsTheSlot(Connection& connection,
                                                  const absl::Status& held) const {
  const auto slot = ReadSlot(connection, options_.slot);
  if (last_backend_pid_ == 0 || !slot.ok() || !slot->has_value() ||
      (*slot)->active_pid != last_backend_pid_) {
    return held;
  }
  return absl::UnavailableError(
      absl::StrCat("slot '", options_.slot, "' is still held by our own last connection, pid ",
                   last_backend_pid_,
                   ", which the server has not given up yet; hint: it does so after "
                   "wal_sender_timeout"));
}

absl::StatusOr<std::unique_ptr<ReplicationStream>> PgReplicationSource::Open(
    const StopSignal& stop) {
  WALPOST_ASSIGN_OR_RETURN(std::unique_ptr<Connection> connection,
                           Connection::Open(options_, ConnectionMode::kReplication, stop));
  WALPOST_ASSIGN_OR_RETURN(SqlResult system,
                           connection->Execute("IDENTIFY_SYSTEM", absl::Seconds(30)));
  WALPOST_ASSIGN_OR_RETURN(PreflightResult found, Check(*connection, stop));
  last_address_ = connection->ServerAddress();
  last_backend_pid_ = PQbackendPID(connection->get());
  StreamInfo info;
  info.system_id = system.Text(0, "systemid");
  if (!absl::SimpleAtoi(ToAbsl(system.Text(0, "timeline")), &info.timeline)) {
    return absl::InternalError("the server gave no timeline in answer to IDENTIFY_SYSTEM");
  }
  WALPOST_ASSIGN_OR_RETURN(info.wal_end, Lsn::Parse(system.Text(0, "xlogpos")));
  info.server_version = found.server.version;
  info.confirmed_flush = found.slot.confirmed_flush.value_or(Lsn());
  WALPOST_ASSIGN_OR_RETURN(info.wal_sender_timeout,
                           ParseGucDuration(found.server.wal_sender_timeout));
  WALPOST_ASSIGN_OR_RETURN(
      std::unique_ptr<PgReplicationStream> stream,
      PgReplicationStream::Start(std::move(connection), std::move(info),
                                 {options_.slot, options_.publication, request_.messages}, clock_,
                                 logger_));
  return std::unique_ptr<ReplicationStream>(std::move(stream));
}

// Not on the streaming connection, for the reason that Check() has.
absl::StatusOr<std::optional<CatalogTable>> PgReplicationSource::LookUp(std::uint32_t relation_id,
                                                                        const StopSignal& stop) {
  ConnectionOptions brief = options_;
  brief.hard_limit = kLookUpTimeout;
  WALPOST_ASSIGN_OR_RETURN(std::unique_ptr<Connection> connection,
                           Connection::Open(brief, ConnectionMode::kSql, stop, last_address_));
  return ReadStreamedTable(*connection, relation_id, kLookUpTimeout);
}

bool PgReplicationSource::ServerIsStopping(const StopSignal& stop) {
  ConnectionOptions probe = options_;
  probe.hard_limit = kProbeTimeout;
  const auto connection = Connection::Open(probe, ConnectionMode::kSql, stop, last_address_);
  return SqlStateOf(connection.status()) == kCannotConnectNow;
}

}  // namespace walpost::postgres
