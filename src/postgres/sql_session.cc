#include "postgres/sql_session.h"

#include <utility>

#include "base/status_macros.h"
#include "postgres/connection.h"

namespace walpost::postgres {

SqlSession::SqlSession(std::unique_ptr<Connection> connection)
    : connection_(std::move(connection)) {}

SqlSession::~SqlSession() = default;

absl::StatusOr<std::unique_ptr<SqlSession>> SqlSession::Connect(const ConnectionOptions& options,
                                                                const StopSignal& stop, Mode mode) {
  WALPOST_ASSIGN_OR_RETURN(std::unique_ptr<Connection> connection,
                           Connection::Open(options, mode, stop));
  return std::unique_ptr<SqlSession>(new SqlSession(std::move(connection)));
}

absl::StatusOr<SqlResult> SqlSession::Query(std::string_view sql) {
  return connection_->Execute(sql, query_limit_);
}

absl::StatusOr<SqlResult> SqlSession::Query(std::string_view sql,
                                            std::span<const std::optional<std::string>> params) {
  return connection_->Execute(sql, params, query_limit_);
}

int SqlSession::server_version() const { return PQserverVersion(connection_->get()); }

int SqlSession::backend_pid() const { return PQbackendPID(connection_->get()); }

}  // namespace walpost::postgres
