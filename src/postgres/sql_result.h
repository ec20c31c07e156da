#ifndef WALPOST_POSTGRES_SQL_RESULT_H_
#define WALPOST_POSTGRES_SQL_RESULT_H_

#include <cstddef>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

extern "C" {
struct pg_result;
}

namespace walpost::postgres {

struct PgResultDeleter {
  void operator()(pg_result* result) const;
};
using PgResultPtr = std::unique_ptr<pg_result, PgResultDeleter>;

// The rows of one query, in text. Owns them; the views that it gives live as long as it does. Not
// thread-safe.
class SqlResult {
 public:
  explicit SqlResult(PgResultPtr result) : result_(std::move(result)) {}

  std::size_t row_count() const;
  bool empty() const { return row_count() == 0; }

  // Whether the result has a column of that name (exact case); catalogs gain columns with versions.
  bool HasColumn(std::string_view column) const;

  // A value; nothing for NULL and for a column that the result does not have.
  std::optional<std::string_view> Get(std::size_t row, std::string_view column) const;

  // A value, empty where Get() has nothing.
  std::string_view Text(std::size_t row, std::string_view column) const {
    return Get(row, column).value_or(std::string_view());
  }
  // Whether a boolean column is true.
  bool IsTrue(std::size_t row, std::string_view column) const { return Text(row, column) == "t"; }

 private:
  PgResultPtr result_;
};

}  // namespace walpost::postgres

#endif  // WALPOST_POSTGRES_SQL_RESULT_H_
