#include <absl/strings/numbers.h>
#include <absl/strings/str_cat.h>
#include <poll.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "base/status_macros.h"
#include "base/strings.h"
#include "postgres/connect_error.h"
#include "postgres/connection.h"
#include "postgres/sql_state.h"

namespace walpost::postgres {
namespace {

// libpq's own would print to standard error.
void IgnoreNotice(void*, const PGresult*) {}

struct ConninfoDeleter {
  void operator()(PQconninfoOption* options) const { PQconninfoFree(options); }
};

// How many hosts libpq will try within this one attempt; more than one only when they come from a
// service file.
int HostCount(PGconn* conn) {
  std::unique_ptr<PQconninfoOption, ConninfoDeleter> options(PQconninfo(conn));
  std::ptrdiff_t commas = 0;
  for (const PQconninfoOption* o = options.get(); o != nullptr && o->keyword != nullptr; ++o) {
    std::string_view keyword = o->keyword;
    if (o->val == nullptr || (keyword != "host" && keyword != "hostaddr")) continue;
    std::string_view list = o->val;
    commas = std::max(commas, std::count(list.begin(), list.end(), ','));
  }
  return static_cast<int>(commas) + 1;
}

PgConnPtr Start(const ConnectionParameters& parameters) {
  std::vector<const char*> keywords;
  std::vector<const char*> values;
  for (const auto& [keyword, value] : parameters) {
    keywords.push_back(keyword.c_str());
    values.push_back(value.c_str());
  }
  keywords.push_back(nullptr);
  values.push_back(nullptr);
  return PgConnPtr(PQconnectStartParams(keywords.data(), values.data(), /*expand_dbname=*/1));
}

struct AttemptLimits {
  absl::Duration each_host;
  Deadline all;
};

// Drives the connection until it stands or has failed; either way PQstatus() tells.
absl::Status Drive(PGconn* conn, const AttemptLimits& limits, const StopSignal& stop) {
  if (PQstatus(conn) == CONNECTION_BAD) return absl::OkStatus();
  Deadline deadline(std::min(limits.each_host * HostCount(conn), limits.all.Left()));
  PostgresPollingStatusType next = PGRES_POLLING_WRITING;
  while (next == PGRES_POLLING_WRITING || next == PGRES_POLLING_READING) {
    short events = next == PGRES_POLLING_READING ? POLLIN : POLLOUT;
    // The socket changes when libpq goes on to the next address.
    WALPOST_RETURN_IF_ERROR(WaitForSocket(PQsocket(conn), events, deadline, stop));
    next = PQconnectPoll(conn);
  }
  return absl::OkStatus();
}

std::string OrEmpty(const char* text) { return text == nullptr ? std::string() : text; }

std::string TimeoutMessage(PGconn* conn, absl::Duration limit) {
  return absl::StrCat("connection to server at \"", OrEmpty(PQhost(conn)), "\", port ",
                      OrEmpty(PQport(conn)), " failed: no answer within ",
                      absl::FormatDuration(limit));
}

// One attempt at one host. A failure other than a stop is told in `failure`, and gives null.
absl::StatusOr<PgConnPtr> Attempt(const ConnectionParameters& parameters,
                                  const AttemptLimits& limits, const StopSignal& stop,
                                  ConnectFailure& failure) {
  PgConnPtr conn = Start(parameters);
  if (conn == nullptr) return absl::InternalError("libpq: out of memory");
  PQsetNoticeReceiver(conn.get(), &IgnoreNotice, nullptr);
  // The only way to learn the SQLSTATE of a connection that fails.
  PQsetErrorVerbosity(conn.get(), PQERRORS_VERBOSE);
  absl::Status driven = Drive(conn.get(), limits, stop);
  if (absl::IsCancelled(driven)) return driven;
  if (driven.ok() && PQstatus(conn.get()) == CONNECTION_OK) return conn;
  failure.message = driven.ok() ? OrEmpty(PQerrorMessage(conn.get()))
                                : TimeoutMessage(conn.get(), limits.each_host);
  failure.user = OrEmpty(PQuser(conn.get()));
  failure.database = OrEmpty(PQdb(conn.get()));
  failure.needs_password = PQconnectionNeedsPassword(conn.get()) != 0;
  return PgConnPtr();
}

// libpq's connect_timeout is for its blocking calls; here it is ours to keep.
absl::Duration LimitOf(const ConnectionOptions& options) {
  int seconds = 0;
  std::string text = ConninfoValue(options.conninfo, "connect_timeout").value_or("");
  const bool told = absl::SimpleAtoi(text, &seconds) && seconds > 0;
  return std::min(told ? absl::Seconds(seconds) : options.connect_timeout, options.hard_limit);
}

// The requirements to go through all hosts with, one after the other: what libpq does with
// prefer-standby within one call.
std::vector<ConnectionParameters> Passes(std::string_view conninfo, std::size_t host_count) {
  constexpr char kKeyword[] = "target_session_attrs";
  if (host_count < 2 || ConninfoValue(conninfo, kKeyword) != "prefer-standby") return {{}};
  return {{{kKeyword, "standby"}}, {{kKeyword, "any"}}};
}

// Whether another host may still take us. As in libpq, a server that answers and refuses us speaks
// for all of them.
bool TryNextHost(const ConnectFailure& failure) {
  return CodeForSqlState(SqlStateInMessage(failure.message)) == absl::StatusCode::kUnavailable &&
         !failure.needs_password;
}

ConnectionParameters Concat(ConnectionParameters a, const ConnectionParameters& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

}  // namespace

absl::StatusOr<PgConnPtr> Connect(const ConnectionOptions& options, ConnectionMode mode,
                                  const StopSignal& stop, const ConnectionParameters& only_host) {
  WALPOST_ASSIGN_OR_RETURN(ConnectionParameters common, BuildConnectionParameters(options, mode));
  WALPOST_ASSIGN_OR_RETURN(std::vector<ConnectionParameters> hosts, SplitHosts(options.conninfo));
  if (!only_host.empty()) hosts = {only_host};
  const AttemptLimits limits = {LimitOf(options), Deadline(options.hard_limit)};
  ConnectFailure all;
  for (const ConnectionParameters& pass : Passes(options.conninfo, hosts.size())) {
    all.message.clear();
    for (const ConnectionParameters& host : hosts) {
      ConnectFailure failure;
      failure.mode = mode;
      WALPOST_ASSIGN_OR_RETURN(PgConnPtr conn,
                               Attempt(Concat(Concat(common, host), pass), limits, stop, failure));
      if (conn != nullptr) return conn;
      if (!TryNextHost(failure)) return StatusOfConnectFailure(failure);
      failure.message = absl::StrCat(all.message, failure.message, "\n");
      all = std::move(failure);
    }
  }
  return StatusOfConnectFailure(all);
}

}  // namespace walpost::postgres
