#ifndef WALPOST_TESTS_SUPPORT_POSTGRES_SERVER_H_
#define WALPOST_TESTS_SUPPORT_POSTGRES_SERVER_H_

#include <absl/status/status.h>
#include <absl/time/time.h>

#include <optional>
#include <string>

#include "support/process.h"
#include "support/temp_dir.h"

namespace walpost::support {

// A throw-away PostgreSQL server on a free port, made by pg.sh; version 15 unless PG_VERSION says
// another. Stopped and removed with its data when it goes out of scope.
class PostgresServer {
 public:
  // `conf` holds lines for postgresql.conf; they win over pg.sh's own.
  explicit PostgresServer(const std::string& conf = "");
  ~PostgresServer();
  PostgresServer(const PostgresServer&) = delete;
  PostgresServer& operator=(const PostgresServer&) = delete;

  absl::Status Start();
  // `pg_ctl stop -m fast`; how long it took, or nothing when it had not stopped after `limit`.
  std::optional<absl::Duration> StopFast(absl::Duration limit = absl::Seconds(60));
  // A crash: the server recovers at the next start.
  void Crash();

  // Lines put before those of pg_hba.conf, then a reload.
  void PrependHba(const std::string& lines);
  void Reload();

  int port() const { return port_; }
  std::string Conninfo(const std::string& database = "postgres") const;
  // The server's log so far.
  std::string Log() const;

 private:
  Finished Script(const std::string& command, absl::Duration limit = absl::Minutes(2));

  TempDir dir_;
  int port_;
  Environment environment_;
  Epilogue epilogue_;
};

}  // namespace walpost::support

#endif  // WALPOST_TESTS_SUPPORT_POSTGRES_SERVER_H_
