#ifndef WALPOST_POSTGRES_SQL_SESSION_H_
#define WALPOST_POSTGRES_SQL_SESSION_H_

#include <absl/status/status.h>
#include <absl/status/statusor.h>
#include <absl/time/time.h>

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "postgres/connection_options.h"
#include "postgres/sql_result.h"
#include "walpost/stop_signal.h"

namespace walpost::postgres {

class Connection;

// A stop that is never requested: for work that must be finished after the real one was.
class NeverStop final : public StopSignal {
 public:
  bool requested() const override { return false; }
  int fd() const override { return -1; }
};

// A connection for setup, checks and repairs: one query after the other, each waited for. Not the
// hot path.
//
// The search_path is pg_catalog alone, so that nobody's function can stand in for one of the
// server's: queries name the schema of every table. Text comes in UTF-8, times in UTC.
//
// Every wait ends when the stop given to Connect() is requested, with kCancelled; the session is
// then of no further use. Not thread-safe.
class SqlSession {
 public:
  using Mode = ConnectionMode;

  // Errors: those of ReplicationSource::Open() that concern reaching the server. `stop` must
  // outlive the session.
  static absl::StatusOr<std::unique_ptr<SqlSession>> Connect(const ConnectionOptions& options,
                                                             const StopSignal& stop, Mode mode);
  ~SqlSession();
  SqlSession(const SqlSession&) = delete;
  SqlSession& operator=(const SqlSession&) = delete;

  // Runs one or more statements and gives the rows of the last. An error carries the SQLSTATE, see
  // SqlStateOf() in sql_state.h.
  absl::StatusOr<SqlResult> Query(std::string_view sql);

  // Runs one statement with $1, $2, ...; Mode::kSql only.
  absl::StatusOr<SqlResult> Query(std::string_view sql,
                                  std::span<const std::optional<std::string>> params);

  // From now on a query that takes longer ends with kUnavailable, and the session with it. Without
  // this call there is no such limit.
  void set_query_limit(absl::Duration limit) { query_limit_ = limit; }

  // As server_version_num: 150004.
  int server_version() const;
  int backend_pid() const;

 private:
  explicit SqlSession(std::unique_ptr<Connection> connection);

  std::unique_ptr<Connection> connection_;
  absl::Duration query_limit_ = absl::InfiniteDuration();
};

}  // namespace walpost::postgres

#endif  // WALPOST_POSTGRES_SQL_SESSION_H_
