#ifndef WALPOST_POSTGRES_SQL_STATE_H_
#define WALPOST_POSTGRES_SQL_STATE_H_

#include <absl/status/status.h>

#include <string>
#include <string_view>

namespace walpost::postgres {

// What an error of the server means, by its SQLSTATE; the one place where that is decided. An empty
// SQLSTATE is an error of the connection itself. What is not known is kUnavailable: trying again
// confirms nothing and so loses nothing.
// Source: https://www.postgresql.org/docs/current/errcodes-appendix.html
absl::StatusCode CodeForSqlState(std::string_view sql_state);

// A status with that code which remembers its SQLSTATE.
absl::Status StatusFromSqlState(std::string_view sql_state, std::string_view message);

// The same, where the caller knows better than the table what the error means.
absl::Status StatusWithSqlState(absl::StatusCode code, std::string_view sql_state,
                                std::string_view message);

// The SQLSTATE that a status remembers; empty when it has none.
std::string SqlStateOf(const absl::Status& status);

// A message of the server or of libpq, which may have several lines, as one line: without source
// locations and without libpq's questions.
std::string FoldMessage(std::string_view message);

// The SQLSTATE within a message of libpq's at verbosity VERBOSE (`FATAL:  28P01: ...`), the last
// one if there are several; empty when there is none. The only way to learn it for a connection
// that failed.
std::string SqlStateInMessage(std::string_view message);

}  // namespace walpost::postgres

#endif  // WALPOST_POSTGRES_SQL_STATE_H_
