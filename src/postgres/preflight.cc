#include "postgres/preflight.h"

#include <absl/strings/ascii.h>
#include <absl/strings/str_cat.h>
#include <absl/strings/str_join.h>

#include <algorithm>
#include <utility>

#include "base/status_macros.h"
#include "base/strings.h"
#include "core/qualified_name.h"
#include "postgres/connection.h"
#include "postgres/setup_sql.h"

namespace walpost::postgres {
namespace {

using absl::FailedPreconditionError;
using absl::StrCat;

constexpr int kOldestServer = 140000;
constexpr int kDecodingOnStandby = 160000;
constexpr int kGeneratedColumnsInStream = 180000;

std::string AlterPublication(std::string_view name, std::string_view what) {
  return StrCat("ALTER PUBLICATION ", QuoteIdentifier(name), " ", ToAbsl(what));
}

std::string ListColumns(const TableFacts& table) {
  return absl::StrJoin(table.columns, ", ", [](std::string* out, const ColumnFacts& column) {
    absl::StrAppend(out, column.name);
  });
}

bool Holds(const std::vector<std::string>& list, std::string_view name) {
  return std::find(list.begin(), list.end(), name) != list.end();
}

// A slot of which the server has given up what it promised to keep.
absl::Status CheckSlotIsValid(const SlotFacts& slot, std::string_view name) {
  bool invalid = slot.wal_status == "lost" || !slot.invalidation_reason.empty() || slot.conflicting;
  if (!invalid) return absl::OkStatus();
  std::string reason =
      slot.invalidation_reason.empty() ? "wal_status lost" : slot.invalidation_reason;
  return absl::DataLossError(StrCat(
      "slot ", QuoteIdentifier(name), " was invalidated by the server (", reason, "): rows after ",
      slot.confirmed_flush.value_or(Lsn()).ToString(),
      " cannot be streamed any more; hint: SELECT pg_drop_replication_slot(", QuoteLiteral(name),
      "), run walpost setup, and publish the rows written since then again from the table; "
      "see max_slot_wal_keep_size and idle_replication_slot_timeout"));
}

}  // namespace

std::string TypeNames(std::span<const std::uint32_t> types) {
  constexpr std::pair<std::uint32_t, const char*> kNames[] = {{20, "bigint"},
                                                              {21, "smallint"},
                                                              {23, "integer"},
                                                              {1114, "timestamp"},
                                                              {1184, "timestamptz"}};
  std::string out;
  for (std::uint32_t type : types) {
    std::string name = StrCat("type ", type);
    for (const auto& [oid, text] : kNames) {
      if (oid == type) name = text;
    }
    absl::StrAppend(&out, out.empty() ? "" : " or ", name);
  }
  return out;
}

absl::Status CheckSlotName(std::string_view slot) {
  bool plain =
      !slot.empty() && slot.size() <= 63 && std::all_of(slot.begin(), slot.end(), [](char c) {
        auto u = static_cast<unsigned char>(c);
        return absl::ascii_islower(u) || absl::ascii_isdigit(u) || c == '_';
      });
  if (plain) return absl::OkStatus();
  return absl::InvalidArgumentError(
      StrCat("postgres.slot (--slot) '", ToAbsl(slot),
             "' is not a name for a slot; hint: use 1 to 63 lower-case letters, digits and "
             "underscores"));
}

absl::Status CheckServer(const ServerFacts& server) {
  if (server.version < kOldestServer) {
    return FailedPreconditionError(StrCat("the server is PostgreSQL ", server.version / 10000,
                                          ", but walpost needs 14 or later; hint: upgrade it, or "
                                          "name another in postgres.conninfo (--conninfo)"));
  }
  if (server.in_recovery && server.version < kDecodingOnStandby) {
    return absl::UnavailableError(
        "the server is a standby, and decodes on a primary only before PostgreSQL 16; hint: name "
        "the primary in postgres.conninfo (--conninfo), or all hosts with "
        "target_session_attrs=read-write");
  }
  if (server.wal_level != "logical") {
    return FailedPreconditionError(
        StrCat("wal_level of the server is '", server.wal_level,
               "', but it must be 'logical'; hint: ALTER SYSTEM SET wal_level = 'logical' and "
               "restart PostgreSQL (Amazon RDS: rds.logical_replication=1, Cloud SQL: "
               "cloudsql.logical_decoding=on)"));
  }
  return absl::OkStatus();
}

absl::Status CheckSlotIsOurs(const SlotFacts& slot, std::string_view name,
                             const ServerFacts& server) {
  std::string object = StrCat("slot ", QuoteIdentifier(name));
  constexpr char kHint[] = "; hint: choose another name with postgres.slot (--slot)";
  if (slot.type != "logical") {
    return FailedPreconditionError(StrCat(object, " is a physical slot, not a logical one", kHint));
  }
  if (slot.plugin != "pgoutput") {
    return FailedPreconditionError(
        StrCat(object, " belongs to the output plugin ", slot.plugin, ", not to pgoutput", kHint));
  }
  if (slot.database != server.database) {
    return FailedPreconditionError(StrCat(object, " belongs to database ",
                                          QuoteIdentifier(slot.database), ", not to ",
                                          QuoteIdentifier(server.database), kHint,
                                          ", or another dbname in postgres.conninfo (--conninfo)"));
  }
  return CheckSlotIsValid(slot, name);
}

absl::Status CheckSlot(const std::optional<SlotFacts>& slot, std::string_view name,
                       const ServerFacts& server) {
  std::string object = StrCat("slot ", QuoteIdentifier(name));
  if (!slot.has_value()) {
    // Never made silently: what was written meanwhile would be skipped.
    return FailedPreconditionError(
        StrCat(object,
               " does not exist; hint: run walpost setup, or correct postgres.slot "
               "(--slot); if it existed before, rows written since it went are not in the "
               "stream and must be published again from the table"));
  }
  WALPOST_RETURN_IF_ERROR(CheckSlotIsOurs(*slot, name, server));
  if (slot->synced && server.in_recovery) {
    return absl::UnavailableError(
        StrCat(object,
               " is a synchronised copy on a standby, of no use until its promotion; "
               "hint: name the primary in postgres.conninfo (--conninfo)"));
  }
  if (slot->active_pid != 0) {
    return absl::AbortedError(
        StrCat(object, " is held by another connection, pid ", slot->active_pid,
               "; hint: another walpost runs with postgres.slot (--slot) of that name; end it, or "
               "SELECT pg_terminate_backend(",
               slot->active_pid, ")"));
  }
  return absl::OkStatus();
}

absl::Status CheckTableKind(const QualifiedName& name, const TableFacts& table) {
  std::string_view what;
  if (table.kind == 'f') {
    what = "a foreign table";
  } else if (table.kind != 'r' && table.kind != 'p') {
    what = "not a table";
  } else if (table.persistence == 'u') {
    what = "unlogged";
  } else if (table.persistence == 't') {
    what = "temporary";
  }
  if (what.empty()) return absl::OkStatus();
  return FailedPreconditionError(StrCat(
      "table ", name.ToString(), " is ", ToAbsl(what),
      ", and PostgreSQL publishes ordinary, logged tables only; hint: ",
      table.persistence == 'u' ? StrCat("ALTER TABLE ", QuotedTable(name), " SET LOGGED, or ")
                               : std::string(),
      "name another in [[outbox]] table (--table)"));
}

absl::Status CheckColumns(const OutboxTable& wanted, const TableFacts& table,
                          const PublishedTable& published, std::string_view publication,
                          int server_version) {
  for (const OutboxColumn& column : wanted.columns) {
    auto found = std::find_if(table.columns.begin(), table.columns.end(),
                              [&column](const ColumnFacts& c) { return c.name == column.name; });
    std::string object = StrCat("column ", QuoteIdentifier(column.name), " of table ",
                                wanted.name.ToString(), ", named by ", column.setting, ",");
    if (found == table.columns.end()) {
      return FailedPreconditionError(StrCat(
          object, " does not exist; it has ", ListColumns(table),
          "; hint: choose the preset that fits (--preset), or name the column in [[outbox]] (of "
          "COLUMN:/pointer the part before the colon); one that was renamed needs its old name "
          "back "
          "until the rows from before are read"));
    }
    const bool type_fits =
        column.types.empty() ||
        std::find(column.types.begin(), column.types.end(), found->base_type) != column.types.end();
    if (!type_fits) {
      return FailedPreconditionError(StrCat(object, " is of type ", found->type_name,
                                            "; hint: use a column of type ",
                                            TypeNames(column.types)));
    }
    bool carried = !published.columns.has_value() || Holds(*published.columns, column.name);
    const bool in_partitions = Holds(published.generated_in_partitions, column.name);
    // Before 18 the catalog lists generated columns which the stream leaves out all the same.
    if ((found->generated || in_partitions) &&
        (server_version < kGeneratedColumnsInStream || !carried)) {
      return FailedPreconditionError(StrCat(
          object, found->generated ? " is generated" : " is generated in one of its partitions",
          ", and the stream does not carry it; hint: use an ordinary "
          "column",
          server_version < kGeneratedColumnsInStream
              ? std::string()
              : StrCat(", or for a stored one ",
                       AlterPublication(publication, "SET (publish_generated_columns = stored)"))));
    }
    if (!carried) {
      return FailedPreconditionError(StrCat(
          object, " is not in the column list of publication ", QuoteIdentifier(publication),
          "; hint: ",
          AlterPublication(publication, ToStd(StrCat("SET TABLE ", QuotedTable(wanted.name)))),
          " publishes all columns (name every other table of the publication in it too)"));
    }
  }
  return absl::OkStatus();
}

absl::Status CheckPublication(const std::optional<PublicationFacts>& publication,
                              std::string_view name, const ServerFacts& server, bool rows) {
  if (!publication.has_value()) {
    return FailedPreconditionError(
        StrCat("publication ", QuoteIdentifier(name), " does not exist in database ",
               QuoteIdentifier(server.database),
               "; hint: run walpost setup, or correct postgres.publication (--publication)"));
  }
  if (rows && !publication->inserts) {
    return FailedPreconditionError(StrCat(
        "publication ", QuoteIdentifier(name),
        " does not publish inserts; hint: ", AlterPublication(name, "SET (publish = 'insert')")));
  }
  return absl::OkStatus();
}

absl::Status CheckPublishesUpdates(const PublicationFacts& publication, std::string_view name) {
  if (publication.updates) return absl::OkStatus();
  return FailedPreconditionError(StrCat(
      "publication ", QuoteIdentifier(name),
      " does not publish updates, so relay.on_update (--on-update) 'halt' would see none; hint: ",
      AlterPublication(name, "SET (publish = 'insert, update')"),
      ", which the table needs a replica identity for, or leave relay.on_update at 'ignore'"));
}

absl::StatusOr<PublishedTable> RequirePublished(Connection& connection, std::string_view name,
                                                const PublicationFacts& publication,
                                                const QualifiedName& table_name,
                                                const TableFacts& table) {
  WALPOST_ASSIGN_OR_RETURN(std::optional<PublishedTable> published,
                           ReadPublishedTable(connection, name, table_name));
  if (published.has_value()) return *std::move(published);
  std::string object = StrCat("publication ", QuoteIdentifier(name));
  if (table.is_partition && publication.via_root) {
    return FailedPreconditionError(
        StrCat(object, " publishes table ", table_name.ToString(),
               " under the name of the table that it is a partition of, or not at all; hint: name "
               "that table in [[outbox]] table (--table)"));
  }
  if (table.kind == 'p') {
    WALPOST_ASSIGN_OR_RETURN(PublishedPartitions partitions,
                             ReadPublishedPartitions(connection, name, table));
    if (partitions.whole) return std::move(partitions.each);
    if (partitions.partitions > 0) {
      return FailedPreconditionError(
          StrCat(object, " publishes partitions of table ", table_name.ToString(),
                 ", but not the table itself: rows of any other partition would not be in the "
                 "stream; hint: ",
                 AlterPublication(name, ToStd(StrCat("ADD TABLE ", QuotedTable(table_name))))));
    }
  }
  return FailedPreconditionError(StrCat(
      object, " does not publish table ", table_name.ToString(),
      "; hint: ", AlterPublication(name, ToStd(StrCat("ADD TABLE ", QuotedTable(table_name)))),
      " (rows written before that are not in the stream)"));
}

absl::StatusOr<TableFacts> RequireTable(Connection& connection, const QualifiedName& name,
                                        std::string_view database) {
  WALPOST_ASSIGN_OR_RETURN(std::optional<TableFacts> table, ReadTable(connection, name));
  if (table.has_value()) {
    WALPOST_RETURN_IF_ERROR(CheckTableKind(name, *table));
    if (table->kind != 'p') return *std::move(table);
    WALPOST_ASSIGN_OR_RETURN(std::vector<PartitionFacts> partitions,
                             ReadPartitions(connection, *table));
    for (const PartitionFacts& partition : partitions) {
      WALPOST_RETURN_IF_ERROR(CheckTableKind(partition.name, partition.table));
    }
    return *std::move(table);
  }
  WALPOST_ASSIGN_OR_RETURN(std::vector<QualifiedName> similar, ReadSimilarTables(connection, name));
  std::string meant = absl::StrJoin(similar, " or ", [](std::string* out, const QualifiedName& n) {
    absl::StrAppend(out, n.ToString());
  });
  return FailedPreconditionError(
      StrCat("table ", name.ToString(), " does not exist in database ", QuoteIdentifier(database),
             meant.empty() ? "" : StrCat(", but there is ", meant),
             "; hint: correct [[outbox]] table (--table), or create it: walpost setup "
             "--create-table PRESET"));
}

namespace {

absl::Status CheckMapping(const StreamRequest& request, const QualifiedName& name,
                          const TableFacts& table) {
  if (!request.check_table) return absl::OkStatus();
  CatalogTable catalog;
  for (const ColumnFacts& column : table.columns) catalog.columns.push_back(column.ForMapping());
  return request.check_table(name, catalog);
}

}  // namespace

absl::StatusOr<PreflightResult> RunPreflight(Connection& connection,
                                             const ConnectionOptions& options,
                                             const StreamRequest& request) {
  WALPOST_RETURN_IF_ERROR(CheckSlotName(options.slot));
  PreflightResult result;
  WALPOST_ASSIGN_OR_RETURN(result.server, ReadServer(connection));
  WALPOST_RETURN_IF_ERROR(CheckServer(result.server));
  WALPOST_ASSIGN_OR_RETURN(std::optional<SlotFacts> slot, ReadSlot(connection, options.slot));
  WALPOST_RETURN_IF_ERROR(CheckSlot(slot, options.slot, result.server));
  result.slot = *std::move(slot);
  WALPOST_ASSIGN_OR_RETURN(std::optional<PublicationFacts> publication,
                           ReadPublication(connection, options.publication));
  const bool rows = !request.tables.empty();
  WALPOST_RETURN_IF_ERROR(CheckPublication(publication, options.publication, result.server, rows));
  if (rows && request.updates) {
    WALPOST_RETURN_IF_ERROR(CheckPublishesUpdates(*publication, options.publication));
  }
  for (const OutboxTable& wanted : request.tables) {
    WALPOST_ASSIGN_OR_RETURN(TableFacts table,
                             RequireTable(connection, wanted.name, result.server.database));
    WALPOST_ASSIGN_OR_RETURN(
        PublishedTable published,
        RequirePublished(connection, options.publication, *publication, wanted.name, table));
    WALPOST_RETURN_IF_ERROR(
        CheckColumns(wanted, table, published, options.publication, result.server.version));
    WALPOST_RETURN_IF_ERROR(CheckMapping(request, wanted.name, table));
    if (published.row_filter) result.filtered_tables.push_back(wanted.name.ToString());
  }
  return result;
}

}  // namespace walpost::postgres
