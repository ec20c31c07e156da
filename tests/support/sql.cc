#include "support/sql.h"

#include <absl/strings/str_cat.h>
#include <absl/strings/str_replace.h>

#include <cstdlib>
#include <stdexcept>

#include "base/strings.h"

namespace walpost::support {
namespace {

bool Succeeded(const PGresult* result) {
  const ExecStatusType status = PQresultStatus(result);
  return status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK;
}

[[noreturn]] void Die(const std::string& statement, const char* error) {
  throw std::runtime_error(
      absl::StrCat("this statement of the test failed: ", statement.substr(0, 300), "\n", error));
}

}  // namespace

Sql::Sql(const std::string& conninfo)
    : conninfo_(conninfo), connection_(PQconnectdb(conninfo.c_str())) {
  // Notices of DROP IF EXISTS and the like.
  PQsetNoticeProcessor(
      connection_.get(), [](void*, const char*) {}, nullptr);
}

Sql::Result Sql::MustRun(const std::string& statement) {
  Result result(PQexec(connection_.get(), statement.c_str()));
  if (!Succeeded(result.get()) && PQstatus(connection_.get()) != CONNECTION_OK) {
    // The server was restarted since the last statement.
    connection_.reset(PQconnectdb(conninfo_.c_str()));
    result.reset(PQexec(connection_.get(), statement.c_str()));
  }
  if (!Succeeded(result.get())) Die(statement, PQerrorMessage(connection_.get()));
  return result;
}

void Sql::Exec(const std::string& statement) { MustRun(statement); }

bool Sql::TryExec(const std::string& statement) {
  if (PQstatus(connection_.get()) != CONNECTION_OK) {
    connection_.reset(PQconnectdb(conninfo_.c_str()));
  }
  const Result result(PQexec(connection_.get(), statement.c_str()));
  return Succeeded(result.get());
}

std::string Sql::LastError() const { return PQerrorMessage(connection_.get()); }

std::vector<Sql::Row> Sql::Rows(const std::string& query) {
  const Result result = MustRun(query);
  std::vector<Row> rows(static_cast<std::size_t>(PQntuples(result.get())));
  const int columns = PQnfields(result.get());
  for (int i = 0; i < PQntuples(result.get()); ++i) {
    Row& row = rows[static_cast<std::size_t>(i)];
    for (int j = 0; j < columns; ++j) {
      if (PQgetisnull(result.get(), i, j)) {
        row.emplace_back();
      } else {
        row.emplace_back(std::string(PQgetvalue(result.get(), i, j),
                                     static_cast<std::size_t>(PQgetlength(result.get(), i, j))));
      }
    }
  }
  return rows;
}

std::string Sql::Scalar(const std::string& query) {
  const std::vector<Row> rows = Rows(query);
  if (rows.size() != 1 || rows[0].empty()) Die(query, "not one row\n");
  return rows[0][0].value_or("");
}

std::optional<std::string> Sql::TryScalar(const std::string& query) {
  if (PQstatus(connection_.get()) != CONNECTION_OK) {
    connection_.reset(PQconnectdb(conninfo_.c_str()));
  }
  const Result result(PQexec(connection_.get(), query.c_str()));
  if (PQresultStatus(result.get()) != PGRES_TUPLES_OK || PQntuples(result.get()) != 1) return {};
  return PQgetvalue(result.get(), 0, 0);
}

long Sql::Number(const std::string& query) { return std::atol(Scalar(query).c_str()); }

Lsn Sql::LsnOf(const std::string& query) {
  const auto lsn = Lsn::Parse(Scalar(query));
  if (!lsn.ok()) Die(query, "not an LSN\n");
  return *lsn;
}

void Sql::Copy(const std::string& statement, const std::string& lines) {
  const Result start(PQexec(connection_.get(), statement.c_str()));
  if (PQresultStatus(start.get()) != PGRES_COPY_IN ||
      PQputCopyData(connection_.get(), lines.data(), static_cast<int>(lines.size())) != 1 ||
      PQputCopyEnd(connection_.get(), nullptr) != 1) {
    Die(statement, PQerrorMessage(connection_.get()));
  }
  Finish();
}

void Sql::Send(const std::string& statement) {
  if (PQsendQuery(connection_.get(), statement.c_str()) != 1) {
    Die(statement, PQerrorMessage(connection_.get()));
  }
}

void Sql::Finish() {
  for (;;) {
    const Result result(PQgetResult(connection_.get()));
    if (result == nullptr) return;
    if (!Succeeded(result.get())) Die("(sent before)", PQerrorMessage(connection_.get()));
  }
}

std::string Quoted(std::string_view text) {
  return absl::StrCat("'", absl::StrReplaceAll(ToAbsl(text), {{"'", "''"}}), "'");
}

}  // namespace walpost::support
