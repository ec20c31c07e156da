#include "postgres/connect_error.h"

#include <absl/strings/match.h>
#include <absl/strings/str_cat.h>

#include <array>
#include <string_view>

#include "base/strings.h"
#include "core/qualified_name.h"
#include "postgres/sql_state.h"

namespace walpost::postgres {
namespace {

constexpr std::string_view kSetting = "postgres.conninfo (--conninfo)";

// Messages of libpq without a SQLSTATE that say that one side does not trust the other.
constexpr std::array<std::string_view, 7> kTrustFailures = {
    "certificate verify failed", "root certificate file", "server certificate",
    "does not support SSL",      "SSL required",          "channel binding",
    "private key file"};

bool Says(const ConnectFailure& failure, std::string_view part) {
  return absl::StrContains(failure.message, ToAbsl(part));
}

absl::Status Failure(absl::StatusCode code, std::string_view state, const ConnectFailure& failure,
                     const std::string& hint) {
  std::string told = FoldMessage(failure.message);
  return StatusWithSqlState(
      code, state, ToStd(absl::StrCat("cannot connect to PostgreSQL: ", told, "; hint: ", hint)));
}

std::string RefusalHint(const ConnectFailure& failure) {
  if (Says(failure, "pg_hba.conf")) {
    return absl::StrCat("add a line for user ", QuoteIdentifier(failure.user), " and database ",
                        QuoteIdentifier(failure.database),
                        " to pg_hba.conf (a logical replication connection matches the database's "
                        "name, not the word replication), or change ",
                        ToAbsl(kSetting));
  }
  return absl::StrCat("check the user and the password in ", ToAbsl(kSetting),
                      ", postgres.password_file or PGPASSWORD, and pg_hba.conf of the server");
}

std::string PrivilegeHint(const ConnectFailure& failure) {
  std::string role = QuoteIdentifier(failure.user);
  if (Says(failure, "for database")) {
    return absl::StrCat("run as the owner: GRANT CONNECT ON DATABASE ",
                        QuoteIdentifier(failure.database), " TO ", role);
  }
  return absl::StrCat("run as a superuser: ALTER ROLE ", role,
                      " WITH REPLICATION (on Amazon RDS: GRANT rds_replication TO ", role,
                      "), or name another user in ", ToAbsl(kSetting));
}

absl::Status WithoutSqlState(const ConnectFailure& failure) {
  if (failure.needs_password) {
    return Failure(absl::StatusCode::kUnauthenticated, "", failure,
                   "set postgres.password_file, PGPASSWORD or PGPASSFILE");
  }
  for (std::string_view part : kTrustFailures) {
    if (Says(failure, part)) {
      return Failure(
          absl::StatusCode::kUnauthenticated, "", failure,
          absl::StrCat("check sslmode, sslrootcert and the server's certificate against ",
                       ToAbsl(kSetting)));
    }
  }
  return Failure(absl::StatusCode::kUnavailable, "", failure,
                 absl::StrCat("check host and port in ", ToAbsl(kSetting),
                              ", and that the server runs and listens there"));
}

}  // namespace

absl::Status StatusOfConnectFailure(const ConnectFailure& failure) {
  std::string state = SqlStateInMessage(failure.message);
  if (state.empty()) return WithoutSqlState(failure);
  absl::StatusCode code = CodeForSqlState(state);
  if (code == absl::StatusCode::kUnauthenticated) {
    return Failure(code, state, failure, RefusalHint(failure));
  }
  if (state == "42501") return Failure(code, state, failure, PrivilegeHint(failure));
  if (state == "3D000") {
    return Failure(code, state, failure, absl::StrCat("set dbname in ", ToAbsl(kSetting)));
  }
  if (state == "42704" || state == "42601" || state == "22023") {
    return Failure(absl::StatusCode::kInvalidArgument, state, failure,
                   absl::StrCat("check the options in ", ToAbsl(kSetting), " and in PGOPTIONS"));
  }
  if (state == "08P01" && Says(failure, "startup parameter")) {
    return Failure(absl::StatusCode::kFailedPrecondition, state, failure,
                   absl::StrCat("a connection pooler cannot carry a replication stream; name "
                                "PostgreSQL itself in ",
                                ToAbsl(kSetting)));
  }
  if (state == "53300") {
    return Failure(code, state, failure,
                   "raise max_connections or max_wal_senders of the server, or end a connection");
  }
  return Failure(
      code, state, failure,
      absl::StrCat("wait for the server to accept connections, or check ", ToAbsl(kSetting)));
}

}  // namespace walpost::postgres
