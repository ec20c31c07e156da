#ifndef WALPOST_TESTS_SUPPORT_SQL_H_
#define WALPOST_TESTS_SUPPORT_SQL_H_

#include <libpq-fe.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "walpost/lsn.h"

namespace walpost::support {

// An SQL session. Statements given to one session run in order; two sessions interleave as the test
// says. An error throws with the statement, so that gtest ends the test there and fails it: a test
// that goes on with wrong data proves nothing. Only the Try functions do not. Not thread-safe.
class Sql {
 public:
  using Row = std::vector<std::optional<std::string>>;

  explicit Sql(const std::string& conninfo);

  void Exec(const std::string& statement);
  // Whether it succeeded; for servers that may be away. Connects again when the session was lost.
  bool TryExec(const std::string& statement);
  // Text of the last error.
  std::string LastError() const;

  std::vector<Row> Rows(const std::string& query);
  // The first column of the only row; "" for NULL.
  std::string Scalar(const std::string& query);
  std::optional<std::string> TryScalar(const std::string& query);
  long Number(const std::string& query);
  Lsn LsnOf(const std::string& query);

  // COPY ... FROM STDIN with these lines of text.
  void Copy(const std::string& statement, const std::string& lines);

  // Starts a statement without waiting for it, for one that another session blocks.
  void Send(const std::string& statement);
  // Waits for what was sent.
  void Finish();

 private:
  struct FinishConnection {
    void operator()(PGconn* connection) const { PQfinish(connection); }
  };
  struct ClearResult {
    void operator()(PGresult* result) const { PQclear(result); }
  };
  using Result = std::unique_ptr<PGresult, ClearResult>;

  Result MustRun(const std::string& statement);

  std::string conninfo_;
  std::unique_ptr<PGconn, FinishConnection> connection_;
};

// `text` as an SQL literal.
std::string Quoted(std::string_view text);

}  // namespace walpost::support

#endif  // WALPOST_TESTS_SUPPORT_SQL_H_
