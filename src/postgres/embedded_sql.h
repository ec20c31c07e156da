#ifndef WALPOST_POSTGRES_EMBEDDED_SQL_H_
#define WALPOST_POSTGRES_EMBEDDED_SQL_H_

#include <span>
#include <string_view>

namespace walpost::postgres {

// One file sql/outbox_<preset>.sql, as it was when the program was built.
struct EmbeddedTable {
  std::string_view preset;
  std::string_view sql;
};

// All of them, in order of name.
std::span<const EmbeddedTable> EmbeddedTables();

}  // namespace walpost::postgres

#endif  // WALPOST_POSTGRES_EMBEDDED_SQL_H_
