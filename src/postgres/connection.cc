#include "postgres/connection.h"

#include <absl/strings/str_cat.h>
#include <poll.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>
#include <vector>

#include "base/status_macros.h"
#include "base/strings.h"
#include "postgres/sql_state.h"

namespace walpost::postgres {
namespace {

// For the settings of a new connection.
constexpr absl::Duration kPinLimit = absl::Seconds(30);

std::string_view FieldOf(const PGresult* result, int field) {
  const char* value = PQresultErrorField(result, field);
  return value == nullptr ? std::string_view() : std::string_view(value);
}

bool IsError(ExecStatusType status) {
  return status == PGRES_FATAL_ERROR || status == PGRES_BAD_RESPONSE ||
         status == PGRES_PIPELINE_ABORTED;
}

bool BeginsCopy(ExecStatusType status) {
  return status == PGRES_COPY_BOTH || status == PGRES_COPY_IN || status == PGRES_COPY_OUT;
}

}  // namespace

absl::Status WaitForSocket(int fd, short events, const Deadline& deadline, const StopSignal& stop) {
  while (true) {
    if (stop.requested()) return absl::CancelledError("stopped while waiting for PostgreSQL");
    std::array<pollfd, 2> fds = {{{fd, events, 0}, {stop.fd(), POLLIN, 0}}};
    int ready = ::poll(fds.data(), fds.size(), deadline.PollTimeoutMs());
    if (ready < 0 && errno != EINTR) return absl::UnavailableError("poll of the socket failed");
    if (ready > 0 && fds[1].revents != 0) {
      return absl::CancelledError("stopped while waiting for PostgreSQL");
    }
    if (ready > 0) return absl::OkStatus();
    if (deadline.passed()) return absl::DeadlineExceededError("the server did not answer in time");
  }
}

Connection::Connection(PgConnPtr conn, const StopSignal& stop)
    : conn_(std::move(conn)), stop_(stop) {
  PQsetNoticeReceiver(conn_.get(), &Connection::ReceiveNotice, this);
}

absl::StatusOr<std::unique_ptr<Connection>> Connection::Open(const ConnectionOptions& options,
                                                             ConnectionMode mode,
                                                             const StopSignal& stop,
                                                             const ConnectionParameters& host) {
  const Deadline deadline(options.hard_limit);
  WALPOST_ASSIGN_OR_RETURN(PgConnPtr conn, Connect(options, mode, stop, host));
  if (PQsetnonblocking(conn.get(), 1) != 0) return absl::InternalError("libpq: out of memory");
  std::unique_ptr<Connection> connection(new Connection(std::move(conn), stop));
  WALPOST_RETURN_IF_ERROR(connection->PinLateSettings(deadline));
  return connection;
}

// What cannot be among the options of the connection. Timeouts that differ between versions, where
// an unknown one would fail it: transaction_timeout (17) would end the decoding of a large
// transaction. And what the text of a column looks like where PGDATESTYLE and PGTZ count for more.
// Source: https://www.postgresql.org/docs/current/libpq-envars.html
absl::Status Connection::PinLateSettings(const Deadline& deadline) {
  return Execute(
             "SELECT pg_catalog.set_config(name, CASE name WHEN 'DateStyle' THEN 'ISO' WHEN "
             "'TimeZone' THEN 'UTC' ELSE '0' END, false) FROM pg_catalog.pg_settings WHERE name IN "
             "('idle_session_timeout', 'transaction_timeout', 'DateStyle', 'TimeZone')",
             std::min(kPinLimit, deadline.Left()))
      .status();
}

ConnectionParameters Connection::ServerAddress() const {
  auto text = [](const char* value) { return std::string(value == nullptr ? "" : value); };
  // The name stays beside the address, for certificates and .pgpass; a socket has no address.
  return {{"host", text(PQhost(conn_.get()))},
          {"hostaddr", text(PQhostaddr(conn_.get()))},
          {"port", text(PQport(conn_.get()))}};
}

void Connection::ReceiveNotice(void* self, const PGresult* notice) {
  auto* connection = static_cast<Connection*>(self);
  if (!connection->on_notice_) return;
  Notice out;
  out.sql_state = FieldOf(notice, PG_DIAG_SQLSTATE);
  out.severity = FieldOf(notice, PG_DIAG_SEVERITY_NONLOCALIZED);
  out.message = FoldMessage(FieldOf(notice, PG_DIAG_MESSAGE_PRIMARY));
  connection->on_notice_(out);
}

absl::Status Connection::LastError() const {
  std::string_view message = PQerrorMessage(conn_.get());
  std::string told = FoldMessage(message);
  return StatusFromSqlState(
      SqlStateInMessage(message),
      ToStd(absl::StrCat("lost the connection to PostgreSQL: ", told.empty() ? "it ended" : told)));
}

absl::Status Connection::ErrorOf(const PGresult* result) {
  // The primary line alone: a detail may quote the values of a row.
  std::string_view message = FieldOf(result, PG_DIAG_MESSAGE_PRIMARY);
  if (message.empty()) message = PQresultErrorMessage(result);
  return StatusFromSqlState(FieldOf(result, PG_DIAG_SQLSTATE), FoldMessage(message));
}

absl::Status Connection::FlushAll(const Deadline& deadline, const StopSignal& stop) {
  while (true) {
    int pending = PQflush(conn_.get());
    if (pending == 0) return absl::OkStatus();
    if (pending < 0) return LastError();
    WALPOST_RETURN_IF_ERROR(WaitForSocket(PQsocket(conn_.get()), POLLIN | POLLOUT, deadline, stop));
    if (PQconsumeInput(conn_.get()) == 0) return LastError();
  }
}

absl::Status Connection::Send(std::string_view sql,
                              std::span<const std::optional<std::string>> params) {
  std::string text(sql);
  outcome_ = Outcome();
  if (params.empty()) {
    return PQsendQuery(conn_.get(), text.c_str()) == 1 ? absl::OkStatus() : LastError();
  }
  std::vector<const char*> values;
  for (const auto& p : params) values.push_back(p.has_value() ? p->c_str() : nullptr);
  int sent = PQsendQueryParams(conn_.get(), text.c_str(), static_cast<int>(values.size()), nullptr,
                               values.data(), nullptr, nullptr, 0);
  return sent == 1 ? absl::OkStatus() : LastError();
}

void Connection::TakeResults(Outcome& outcome) {
  while (!outcome.finished && PQisBusy(conn_.get()) == 0) {
    PgResultPtr result(PQgetResult(conn_.get()));
    if (result == nullptr) {
      outcome.finished = true;
      return;
    }
    ExecStatusType status = PQresultStatus(result.get());
    if (IsError(status) && outcome.error.ok()) outcome.error = ErrorOf(result.get());
    // A copy has no end of its own here; asking further would give the same result for ever.
    if (BeginsCopy(status)) outcome.finished = true;
    outcome.last = std::move(result);
  }
}

absl::StatusOr<SqlResult> Connection::Receive(absl::Duration limit, const StopSignal& stop) {
  Deadline deadline(limit);
  WALPOST_RETURN_IF_ERROR(FlushAll(deadline, stop));
  while (true) {
    TakeResults(outcome_);
    if (outcome_.finished) break;
    WALPOST_RETURN_IF_ERROR(WaitForSocket(PQsocket(conn_.get()), POLLIN, deadline, stop));
    if (PQconsumeInput(conn_.get()) == 0) {
      // What the server said before it left tells more than that it left.
      return outcome_.error.ok() ? LastError() : outcome_.error;
    }
  }
  if (!outcome_.error.ok()) return outcome_.error;
  if (outcome_.last == nullptr) return LastError();
  return SqlResult(std::move(outcome_.last));
}

absl::StatusOr<SqlResult> Connection::Execute(std::string_view sql,
                                              std::span<const std::optional<std::string>> params,
                                              absl::Duration limit) {
  WALPOST_RETURN_IF_ERROR(Send(sql, params));
  absl::StatusOr<SqlResult> result = Receive(limit, stop_);
  if (!absl::IsDeadlineExceeded(result.status())) return result;
  return absl::UnavailableError(absl::StrCat("PostgreSQL did not answer within ",
                                             absl::FormatDuration(limit),
                                             "; hint: look for locks and load on the server"));
}

}  // namespace walpost::postgres
