#include "postgres/setup_sql.h"

#include <absl/status/status.h>
#include <absl/strings/str_cat.h>
#include <absl/strings/str_join.h>
#include <absl/strings/str_replace.h>

#include "base/strings.h"
#include "postgres/embedded_sql.h"

namespace walpost::postgres {
namespace {

// How the files in sql/ call the table; each is a script for psql as it stands.
constexpr char kTableInFiles[] = "public.outbox";

}  // namespace

std::string QuotedTable(const QualifiedName& table) {
  return absl::StrCat(QuoteIdentifier(table.schema), ".", QuoteIdentifier(table.name));
}

absl::StatusOr<std::string> TableSql(std::string_view preset, const QualifiedName& table,
                                     bool create_schema) {
  for (const EmbeddedTable& file : EmbeddedTables()) {
    if (file.preset != preset) continue;
    std::string schema = create_schema ? absl::StrCat("CREATE SCHEMA IF NOT EXISTS ",
                                                      QuoteIdentifier(table.schema), ";\n")
                                       : std::string();
    return schema + absl::StrReplaceAll(ToAbsl(file.sql), {{kTableInFiles, QuotedTable(table)}});
  }
  std::string known =
      absl::StrJoin(EmbeddedTables(), ", ", [](std::string* out, const EmbeddedTable& file) {
        absl::StrAppend(out, ToAbsl(file.preset));
      });
  return absl::InvalidArgumentError(absl::StrCat("no table for preset '", ToAbsl(preset),
                                                 "'; hint: --create-table takes ", known));
}

std::string PublicationSql(std::string_view publication, std::span<const QualifiedName> tables,
                           bool via_root) {
  std::string names = absl::StrJoin(tables, ", ", [](std::string* out, const QualifiedName& t) {
    absl::StrAppend(out, QuotedTable(t));
  });
  return absl::StrCat("CREATE PUBLICATION ", QuoteIdentifier(publication), " FOR TABLE ", names,
                      " WITH (publish = 'insert'",
                      via_root ? ", publish_via_partition_root = true" : "", ");");
}

std::string SlotSql(std::string_view slot) {
  return absl::StrCat("SELECT lsn FROM pg_catalog.pg_create_logical_replication_slot(",
                      QuoteLiteral(slot), ", 'pgoutput');");
}

}  // namespace walpost::postgres
