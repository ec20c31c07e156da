#include "postgres/sql_result.h"

#include <libpq-fe.h>

#include <string>

namespace walpost::postgres {
namespace {

// -1 when there is none. PQfnumber() would fold the case of the name.
int ColumnNumber(const PGresult* result, std::string_view column) {
  for (int i = 0; i < PQnfields(result); ++i) {
    if (column == PQfname(result, i)) return i;
  }
  return -1;
}

}  // namespace

void PgResultDeleter::operator()(pg_result* result) const { PQclear(result); }

std::size_t SqlResult::row_count() const {
  return static_cast<std::size_t>(PQntuples(result_.get()));
}

bool SqlResult::HasColumn(std::string_view column) const {
  return ColumnNumber(result_.get(), column) >= 0;
}

std::optional<std::string_view> SqlResult::Get(std::size_t row, std::string_view column) const {
  const PGresult* result = result_.get();
  int field = ColumnNumber(result, column);
  if (field < 0 || row >= row_count()) return std::nullopt;
  int r = static_cast<int>(row);
  if (PQgetisnull(result, r, field) != 0) return std::nullopt;
  return std::string_view(PQgetvalue(result, r, field),
                          static_cast<std::size_t>(PQgetlength(result, r, field)));
}

}  // namespace walpost::postgres
