#include "postgres/slot_creation.h"

#include <absl/strings/str_cat.h>
#include <absl/strings/str_join.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/status_macros.h"
#include "base/strings.h"
#include "core/qualified_name.h"
#include "postgres/connection.h"
#include "postgres/setup_sql.h"
#include "postgres/sql_session.h"
#include "postgres/sql_state.h"

namespace walpost::postgres {
namespace {

using absl::StrCat;

constexpr absl::Duration kAskLimit = absl::Seconds(10);
constexpr absl::Duration kCancelLimit = absl::Seconds(5);

// A question that is asked after a stop too: what was begun must be put in order.
absl::StatusOr<SqlResult> Ask(Connection& control, const std::string& sql) {
  NeverStop never;
  WALPOST_RETURN_IF_ERROR(control.Send(sql, {}));
  return control.Receive(kAskLimit, never);
}

// Transactions that had written before the creation began, or that it waits for right now; also
// prepared ones, which have no process. Their queries are nobody's business here.
std::string BlockersSql(int worker_pid, std::string_view began) {
  std::string since = QuoteLiteral(began);
  return StrCat(
      "SELECT 'pid ' || pid AS who, xact_start::timestamptz(0) AS since, "
      "application_name AS application, state FROM pg_stat_activity WHERE pid <> ",
      worker_pid, " AND (backend_xid IS NOT NULL AND coalesce(xact_start <= ", since,
      ", true) OR pid = ANY (pg_blocking_pids(", worker_pid,
      "))) UNION ALL SELECT 'prepared transaction ' || gid, prepared::timestamptz(0), '', "
      "'prepared' FROM pg_prepared_xacts WHERE prepared <= ",
      since, " ORDER BY since NULLS LAST LIMIT 10");
}

std::string DescribeBlockers(Connection& control, int worker_pid, std::string_view began) {
  absl::StatusOr<SqlResult> rows = Ask(control, BlockersSql(worker_pid, began));
  if (!rows.ok() || rows->empty()) return "transactions of other sessions";
  std::vector<std::string> out;
  for (std::size_t i = 0; i < rows->row_count(); ++i) {
    std::vector<std::string> about;
    if (auto since = rows->Get(i, "since")) about.push_back(StrCat("since ", ToAbsl(*since)));
    for (std::string_view column : {"application", "state"}) {
      std::string_view text = rows->Text(i, column);
      if (!text.empty()) about.emplace_back(text);
    }
    out.push_back(StrCat(ToAbsl(rows->Text(i, "who")), about.empty() ? "" : " (",
                         absl::StrJoin(about, ", "), about.empty() ? "" : ")"));
  }
  return StrCat("the transactions of ", absl::StrJoin(out, ", "));
}

// Makes the server give up the creation. OK when the slot came into being all the same.
absl::Status CallOff(Connection& control, Connection& worker) {
  NeverStop never;
  int pid = PQbackendPID(worker.get());
  absl::Status end;
  for (std::string_view how : {"pg_cancel_backend", "pg_terminate_backend"}) {
    WALPOST_RETURN_IF_ERROR(Ask(control, StrCat("SELECT ", ToAbsl(how), "(", pid, ")")).status());
    end = worker.Receive(kCancelLimit, never).status();
    if (!absl::IsDeadlineExceeded(end)) break;
  }
  return end;
}

// The server drops a slot whose creation fails; this makes sure. A slot without a position was
// never finished, so nobody can have use of it; one with a position may be somebody else's.
absl::Status DropHalfMade(Connection& control, std::string_view slot) {
  std::string name = QuoteLiteral(slot);
  for (int attempt = 0; attempt < 50; ++attempt) {
    WALPOST_ASSIGN_OR_RETURN(SqlResult found,
                             Ask(control, StrCat("SELECT active FROM pg_replication_slots WHERE "
                                                 "slot_name = ",
                                                 name, " AND confirmed_flush_lsn IS NULL")));
    if (found.empty()) return absl::OkStatus();
    std::string next = found.IsTrue(0, "active")
                           ? std::string("SELECT pg_sleep(0.1)")
                           : StrCat("SELECT pg_drop_replication_slot(", name, ")");
    absl::Status done = Ask(control, next).status();
    // Whoever still held it has dropped it meanwhile.
    if (!done.ok() && SqlStateOf(done) != "42704") return done;
  }
  return absl::UnavailableError("it is still held");
}

std::string Leftover(const absl::Status& dropped, std::string_view slot) {
  if (dropped.ok()) return "";
  return StrCat("; a half-made slot may have stayed (", dropped.message(),
                "): SELECT pg_drop_replication_slot(", QuoteLiteral(slot), ")");
}

absl::Status Refusal(const absl::Status& error, std::string_view slot) {
  std::string state = SqlStateOf(error);
  std::string hint;
  if (state == "53400") hint = "; hint: raise max_replication_slots or drop a slot";
  if (state == "42501")
    hint =
        "; hint: ALTER ROLE ... WITH REPLICATION for the user of "
        "postgres.conninfo (--conninfo)";
  return StatusWithSqlState(
      error.code(), state,
      ToStd(StrCat("cannot create slot ", QuoteIdentifier(slot), ": ", error.message(), hint)));
}

// After the limit or a stop: nothing half-made stays.
absl::StatusOr<SlotCreation> GiveUp(Connection& control, std::unique_ptr<Connection> worker,
                                    const std::string& slot, const absl::Status& why,
                                    absl::Status verdict) {
  absl::Status called_off = CallOff(control, *worker);
  worker.reset();
  if (called_off.ok()) {
    // It was done in the last moment.
    if (absl::IsDeadlineExceeded(why)) return SlotCreation::kCreated;
    absl::Status dropped =
        Ask(control, StrCat("SELECT pg_drop_replication_slot(", QuoteLiteral(slot), ")")).status();
    return absl::Status(verdict.code(), StrCat(verdict.message(), Leftover(dropped, slot)));
  }
  absl::Status dropped = DropHalfMade(control, slot);
  return absl::Status(verdict.code(), StrCat(verdict.message(), Leftover(dropped, slot)));
}

}  // namespace

absl::StatusOr<SlotCreation> CreateSlot(Connection& control, const ConnectionOptions& options,
                                        absl::Duration limit, const StopSignal& stop) {
  WALPOST_ASSIGN_OR_RETURN(std::unique_ptr<Connection> worker,
                           Connection::Open(options, ConnectionMode::kSql, stop));
  // If we are killed, the server notices and drops what it had begun. Not every platform can.
  absl::Status watched =
      worker->Execute("SET client_connection_check_interval = '1s'", kAskLimit).status();
  if (!watched.ok() && SqlStateOf(watched).empty()) return watched;
  WALPOST_ASSIGN_OR_RETURN(SqlResult began,
                           control.Execute("SELECT clock_timestamp() AS now", kAskLimit));
  WALPOST_RETURN_IF_ERROR(worker->Send(SlotSql(options.slot), {}));
  absl::Status end = worker->Receive(limit, stop).status();
  if (end.ok()) return SlotCreation::kCreated;
  if (SqlStateOf(end) == "42710") return SlotCreation::kAlreadyThere;
  std::string object = StrCat("slot ", QuoteIdentifier(options.slot));
  if (absl::IsCancelled(end)) {
    absl::Status verdict = absl::CancelledError(StrCat("stopped before ", object, " was created"));
    return GiveUp(control, std::move(worker), options.slot, end, verdict);
  }
  if (!absl::IsDeadlineExceeded(end)) return Refusal(end, options.slot);
  absl::Status verdict = absl::UnavailableError(
      StrCat(object, " was not created within ", absl::FormatDuration(limit), ": it waits for ",
             DescribeBlockers(control, PQbackendPID(worker->get()), began.Text(0, "now")),
             "; hint: let them end, or end them with SELECT pg_terminate_backend(pid), and run "
             "walpost setup again"));
  return GiveUp(control, std::move(worker), options.slot, end, verdict);
}

}  // namespace walpost::postgres
