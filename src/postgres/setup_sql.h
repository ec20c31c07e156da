#ifndef WALPOST_POSTGRES_SETUP_SQL_H_
#define WALPOST_POSTGRES_SETUP_SQL_H_

#include <absl/status/statusor.h>

#include <span>
#include <string>
#include <string_view>

#include "core/qualified_name.h"

namespace walpost::postgres {

// The statements of setup, each ended by a semicolon and fit for psql. Pure.

// A table's name with both parts in quotes: right whatever they are, key words included.
std::string QuotedTable(const QualifiedName& table);

// The table of a preset, from sql/, under another name. `create_schema` also makes its schema.
// kInvalidArgument: there is no such file; the message lists those that there are.
absl::StatusOr<std::string> TableSql(std::string_view preset, const QualifiedName& table,
                                     bool create_schema);

// Inserts alone: with updates and deletes a table without a replica identity would refuse the
// application's own. `via_root` for partitioned tables.
std::string PublicationSql(std::string_view publication, std::span<const QualifiedName> tables,
                           bool via_root);

std::string SlotSql(std::string_view slot);

}  // namespace walpost::postgres

#endif  // WALPOST_POSTGRES_SETUP_SQL_H_
