#ifndef WALPOST_POSTGRES_CONNECTION_H_
#define WALPOST_POSTGRES_CONNECTION_H_

#include <absl/status/status.h>
#include <absl/status/statusor.h>
#include <absl/time/time.h>
#include <libpq-fe.h>

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "postgres/connection_options.h"
#include "postgres/deadline.h"
#include "postgres/sql_result.h"
#include "walpost/stop_signal.h"

namespace walpost::postgres {

struct PgConnDeleter {
  void operator()(PGconn* conn) const { PQfinish(conn); }
};
using PgConnPtr = std::unique_ptr<PGconn, PgConnDeleter>;

// Waits until `fd` has one of `events` (POLLIN, POLLOUT). kDeadlineExceeded, or kCancelled once
// `stop` is requested.
absl::Status WaitForSocket(int fd, short events, const Deadline& deadline, const StopSignal& stop);

// Connects to the first host that answers and takes us; see Connection::Open().
absl::StatusOr<PgConnPtr> Connect(const ConnectionOptions& options, ConnectionMode mode,
                                  const StopSignal& stop, const ConnectionParameters& host);

// Owns a PGconn in non-blocking mode. For this module alone; others use SqlSession or
// PgReplicationSource. Not thread-safe, and in one place for life: libpq holds its address.
//
// Every wait is a poll(2) of the socket together with the stop, so a stop ends it with kCancelled.
// Only the resolution of a host name blocks: libpq has no other way.
class Connection {
 public:
  // What libpq passes on while it reads: `sql_state` is empty for a notice of libpq's own.
  struct Notice {
    std::string sql_state;
    std::string severity;
    std::string message;
  };

  // Connects to the first host that answers, or to `host` (see ServerAddress()) when it is given.
  // `stop` must outlive the connection.
  static absl::StatusOr<std::unique_ptr<Connection>> Open(const ConnectionOptions& options,
                                                          ConnectionMode mode,
                                                          const StopSignal& stop,
                                                          const ConnectionParameters& host = {});
  ~Connection() = default;
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  // Runs SQL or a replication command and waits for its end, or for the beginning of a copy. Any
  // number of statements when there are no `params`. kUnavailable when `limit` has passed; the
  // connection is then of no further use.
  absl::StatusOr<SqlResult> Execute(std::string_view sql,
                                    std::span<const std::optional<std::string>> params,
                                    absl::Duration limit);
  absl::StatusOr<SqlResult> Execute(std::string_view sql, absl::Duration limit) {
    return Execute(sql, {}, limit);
  }

  // The two halves of Execute(), for one who does something else when the limit has passed:
  // Receive() gives kDeadlineExceeded and may be called again, until it gives anything else.
  absl::Status Send(std::string_view sql, std::span<const std::optional<std::string>> params);
  absl::StatusOr<SqlResult> Receive(absl::Duration limit, const StopSignal& stop);
  // Makes Receive() wait for the results that follow the end of a copy.
  void ExpectResults() { outcome_ = Outcome(); }

  // Sends what is queued, reading meanwhile since otherwise both sides could block.
  absl::Status FlushAll(const Deadline& deadline, const StopSignal& stop);

  // Who hears of notices from now on.
  void set_notice_handler(std::function<void(const Notice&)> handler) {
    on_notice_ = std::move(handler);
  }

  // The very server of this connection, for one more to it.
  ConnectionParameters ServerAddress() const;

  PGconn* get() const { return conn_.get(); }
  const StopSignal& stop() const { return stop_; }

  // What went wrong with the connection itself, from libpq's own message.
  absl::Status LastError() const;
  // What the server refused, from its result.
  static absl::Status ErrorOf(const PGresult* result);

 private:
  // What the results of one Send() come down to.
  struct Outcome {
    PgResultPtr last;
    absl::Status error;
    bool finished = false;
  };

  Connection(PgConnPtr conn, const StopSignal& stop);
  static void ReceiveNotice(void* self, const PGresult* notice);
  absl::Status PinLateSettings(const Deadline& deadline);
  // Takes the results that have arrived.
  void TakeResults(Outcome& outcome);

  PgConnPtr conn_;
  const StopSignal& stop_;
  // Of the statement that is under way; outlives a Receive() whose limit passed.
  Outcome outcome_;
  std::function<void(const Notice&)> on_notice_;
};

}  // namespace walpost::postgres

#endif  // WALPOST_POSTGRES_CONNECTION_H_
