#include "postgres/setup_sql.h"

#include <absl/status/status.h>
#include <absl/strings/str_cat.h>
#include <absl/strings/str_join.h>
#include <absl/strings/str_replace.h>

#include "base/strings.h"
#include "core/outbox_presets.h"
#include "postgres/embedded_sql.h"

namespace walpost::postgres {
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
    // Each file is a script for psql as it stands, with the table that the preset has by itself.
    const OutboxPreset* known = FindOutboxPreset(preset);
    const std::string_view in_file = known == nullptr ? std::string_view() : known->table;
    if (in_file.empty()) break;
    return schema + absl::StrReplaceAll(ToAbsl(file.sql), {{ToAbsl(in_file), QuotedTable(table)}});
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
  const std::string what = names.empty() ? "" : absl::StrCat(" FOR TABLE ", names);
  return absl::StrCat("CREATE PUBLICATION ", QuoteIdentifier(publication), what,
                      " WITH (publish = 'insert'",
                      via_root ? ", publish_via_partition_root = true" : "", ");");
}

std::string SlotSql(std::string_view slot) {
  return absl::StrCat("SELECT lsn FROM pg_catalog.pg_create_logical_replication_slot(",
                      QuoteLiteral(slot), ", 'pgoutput');");
}

}  // namespace walpost::postgres
