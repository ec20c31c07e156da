#include "postgres/catalog.h"

#include <absl/strings/numbers.h>
#include <absl/strings/str_cat.h>

#include <map>
#include <set>
#include <utility>

#include "base/status_macros.h"
#include "base/strings.h"
#include "postgres/connection.h"

namespace walpost::postgres {
namespace {

// A catalog query that takes longer than this waits for a lock, or for a server that is gone.
constexpr absl::Duration kLimit = absl::Seconds(30);
// Column lists, row filters and schemas of a publication came with it.
constexpr int kColumnLists = 150000;

int ToInt(std::string_view text) {
  int value = 0;
  return absl::SimpleAtoi(ToAbsl(text), &value) ? value : 0;
}

std::uint32_t ToOid(std::string_view text) {
  std::uint32_t value = 0;
  return absl::SimpleAtoi(ToAbsl(text), &value) ? value : 0;
}

// The columns of a table, in their order. The type under a domain is found through as many domains
// as there are.
absl::StatusOr<std::vector<ColumnFacts>> ReadColumns(Connection& connection, std::string_view oid,
                                                     absl::Duration limit) {
  WALPOST_ASSIGN_OR_RETURN(
      SqlResult result,
      connection.Execute(
          ToStd(absl::StrCat(
              "SELECT a.attname, a.attgenerated <> '' AS generated, a.attnotnull, "
              "format_type(a.atttypid, a.atttypmod) AS type_name, "
              "b.oid AS base_type, b.modifier, b.structured "
              "FROM pg_attribute a CROSS JOIN LATERAL ("
              "WITH RECURSIVE under(oid, kind, base, modifier) AS ("
              "SELECT t.oid, t.typtype, t.typbasetype, "
              "CASE WHEN t.typtype = 'd' THEN t.typtypmod ELSE a.atttypmod END "
              "FROM pg_type t WHERE t.oid = a.atttypid UNION ALL "
              "SELECT t.oid, t.typtype, t.typbasetype, CASE WHEN t.typtype = 'd' AND t.typtypmod "
              "<> -1 THEN t.typtypmod ELSE u.modifier END "
              "FROM under u JOIN pg_type t ON t.oid = u.base WHERE u.kind = 'd') "
              "SELECT u.oid, u.modifier, u.kind <> 'e' AND t.typname NOT IN ('citext', 'ltree') "
              "AND u.oid >= ",
              kFirstUserOid,
              " AS structured FROM under u JOIN pg_type t ON t.oid = u.oid WHERE u.kind <> 'd') b "
              "WHERE a.attrelid = ",
              ToAbsl(oid), " AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum")),
          limit));
  std::vector<ColumnFacts> columns;
  for (std::size_t i = 0; i < result.row_count(); ++i) {
    ColumnFacts column;
    column.name = result.Text(i, "attname");
    column.generated = result.IsTrue(i, "generated");
    column.not_null = result.IsTrue(i, "attnotnull");
    column.type_name = result.Text(i, "type_name");
    column.base_type = ToOid(result.Text(i, "base_type"));
    column.base_modifier = ToInt(result.Text(i, "modifier"));
    column.is_structured = result.IsTrue(i, "structured");
    columns.push_back(std::move(column));
  }
  return columns;
}

char FirstOf(std::string_view text) { return text.empty() ? ' ' : text.front(); }

std::string WhereTable(const QualifiedName& table, std::string_view schema_column,
                       std::string_view name_column) {
  return absl::StrCat(ToAbsl(schema_column), " = ", QuoteLiteral(table.schema), " AND ",
                      ToAbsl(name_column), " = ", QuoteLiteral(table.name));
}

// Or that publication `p` has the schema of the table, or of one that it is a partition of.
std::string PublishesASchemaOf(std::string_view oid) {
  return absl::StrCat(
      " OR EXISTS (SELECT FROM pg_publication_namespace s JOIN pg_class c ON c.relnamespace = "
      "s.pnnspid WHERE s.pnpubid = p.oid AND c.oid IN (SELECT relid FROM pg_partition_ancestors(",
      ToAbsl(oid), ")))");
}

absl::StatusOr<std::vector<std::string>> ReadGeneratedInPartitions(Connection& connection,
                                                                   const TableFacts& table) {
  WALPOST_ASSIGN_OR_RETURN(
      SqlResult result,
      connection.Execute(
          ToStd(absl::StrCat("SELECT DISTINCT a.attname FROM pg_partition_tree(", table.oid,
                             ") t JOIN pg_attribute a ON a.attrelid = t.relid WHERE t.isleaf AND "
                             "a.attgenerated <> '' AND NOT a.attisdropped")),
          kLimit));
  std::vector<std::string> out;
  for (std::size_t i = 0; i < result.row_count(); ++i) {
    out.emplace_back(result.Text(i, "attname"));
  }
  return out;
}

}  // namespace

absl::StatusOr<ServerFacts> ReadServer(Connection& connection) {
  WALPOST_ASSIGN_OR_RETURN(
      SqlResult result,
      connection.Execute("SELECT current_database() AS database, current_user AS user_name, "
                         "current_setting('wal_level') AS wal_level, "
                         "pg_is_in_recovery() AS in_recovery, "
                         "current_setting('wal_sender_timeout') AS wal_sender_timeout, "
                         "current_setting('max_replication_slots') AS max_slots, "
                         "(SELECT count(*) FROM pg_replication_slots) AS used_slots, "
                         "(SELECT rolsuper OR rolreplication FROM pg_roles "
                         "WHERE rolname = current_user) AS may_replicate",
                         kLimit));
  ServerFacts facts;
  facts.version = PQserverVersion(connection.get());
  facts.database = result.Text(0, "database");
  facts.user = result.Text(0, "user_name");
  facts.wal_level = result.Text(0, "wal_level");
  facts.in_recovery = result.IsTrue(0, "in_recovery");
  facts.wal_sender_timeout = result.Text(0, "wal_sender_timeout");
  facts.max_slots = ToInt(result.Text(0, "max_slots"));
  facts.used_slots = ToInt(result.Text(0, "used_slots"));
  facts.may_replicate = result.IsTrue(0, "may_replicate");
  return facts;
}

absl::StatusOr<std::optional<SlotFacts>> ReadSlot(Connection& connection, std::string_view slot) {
  // The view gains columns with versions, so they are looked up by name.
  WALPOST_ASSIGN_OR_RETURN(
      SqlResult result,
      connection.Execute(ToStd(absl::StrCat("SELECT * FROM pg_replication_slots WHERE slot_name = ",
                                            QuoteLiteral(slot))),
                         kLimit));
  if (result.empty()) return std::optional<SlotFacts>();
  SlotFacts facts;
  facts.type = result.Text(0, "slot_type");
  facts.plugin = result.Text(0, "plugin");
  facts.database = result.Text(0, "database");
  facts.active_pid = ToInt(result.Text(0, "active_pid"));
  facts.wal_status = result.Text(0, "wal_status");
  facts.invalidation_reason = result.Text(0, "invalidation_reason");
  facts.conflicting = result.IsTrue(0, "conflicting");
  facts.synced = result.IsTrue(0, "synced");
  if (auto position = result.Get(0, "confirmed_flush_lsn")) {
    WALPOST_ASSIGN_OR_RETURN(facts.confirmed_flush, Lsn::Parse(*position));
  }
  return std::optional<SlotFacts>(std::move(facts));
}

absl::StatusOr<std::optional<TableFacts>> ReadTable(Connection& connection,
                                                    const QualifiedName& table) {
  std::string where = WhereTable(table, "n.nspname", "c.relname");
  WALPOST_ASSIGN_OR_RETURN(
      SqlResult head,
      connection.Execute(ToStd(absl::StrCat("SELECT c.oid, c.relkind, c.relpersistence, "
                                            "c.relispartition FROM pg_class c JOIN pg_namespace n "
                                            "ON n.oid = c.relnamespace WHERE ",
                                            where)),
                         kLimit));
  if (head.empty()) return std::optional<TableFacts>();
  TableFacts facts;
  facts.oid = head.Text(0, "oid");
  facts.kind = FirstOf(head.Text(0, "relkind"));
  facts.persistence = FirstOf(head.Text(0, "relpersistence"));
  facts.is_partition = head.IsTrue(0, "relispartition");
  WALPOST_ASSIGN_OR_RETURN(facts.columns, ReadColumns(connection, facts.oid, kLimit));
  return std::optional<TableFacts>(std::move(facts));
}

absl::StatusOr<std::vector<QualifiedName>> ReadSimilarTables(Connection& connection,
                                                             const QualifiedName& table) {
  WALPOST_ASSIGN_OR_RETURN(
      SqlResult result,
      connection.Execute(
          ToStd(absl::StrCat(
              "SELECT n.nspname, c.relname FROM pg_class c JOIN pg_namespace n "
              "ON n.oid = c.relnamespace WHERE c.relkind IN ('r', 'p') AND lower(c.relname) = "
              "lower(",
              QuoteLiteral(table.name), ") ORDER BY 1, 2 LIMIT 3")),
          kLimit));
  std::vector<QualifiedName> out;
  for (std::size_t i = 0; i < result.row_count(); ++i) {
    out.push_back({std::string(result.Text(i, "nspname")), std::string(result.Text(i, "relname"))});
  }
  return out;
}

absl::StatusOr<std::optional<PublicationFacts>> ReadPublication(Connection& connection,
                                                                std::string_view publication) {
  WALPOST_ASSIGN_OR_RETURN(
      SqlResult result,
      connection.Execute(
          ToStd(absl::StrCat("SELECT puballtables, pubinsert, pubupdate, pubviaroot FROM "
                             "pg_publication WHERE pubname = ",
                             QuoteLiteral(publication))),
          kLimit));
  if (result.empty()) return std::optional<PublicationFacts>();
  PublicationFacts facts;
  facts.inserts = result.IsTrue(0, "pubinsert");
  facts.updates = result.IsTrue(0, "pubupdate");
  facts.all_tables = result.IsTrue(0, "puballtables");
  facts.via_root = result.IsTrue(0, "pubviaroot");
  return std::optional<PublicationFacts>(facts);
}

absl::StatusOr<std::optional<PublishedTable>> ReadPublishedTable(Connection& connection,
                                                                 std::string_view publication,
                                                                 const QualifiedName& table) {
  bool has_lists = PQserverVersion(connection.get()) >= kColumnLists;
  std::string from =
      absl::StrCat(" FROM pg_publication_tables WHERE pubname = ", QuoteLiteral(publication),
                   " AND ", WhereTable(table, "schemaname", "tablename"));
  // One row for each column; a publication may hold a table without any.
  std::string select = has_lists ? "SELECT rowfilter IS NOT NULL AS filtered, unnest(attnames) "
                                   "AS attname"
                                 : "SELECT false AS filtered";
  WALPOST_ASSIGN_OR_RETURN(SqlResult result, connection.Execute(select + from, kLimit));
  if (result.empty()) return std::optional<PublishedTable>();
  PublishedTable facts;
  facts.row_filter = result.IsTrue(0, "filtered");
  if (has_lists) {
    facts.columns.emplace();
    for (std::size_t i = 0; i < result.row_count(); ++i) {
      facts.columns->emplace_back(result.Text(i, "attname"));
    }
  }
  return std::optional<PublishedTable>(std::move(facts));
}

absl::StatusOr<std::vector<PartitionFacts>> ReadPartitions(Connection& connection,
                                                           const TableFacts& table) {
  WALPOST_ASSIGN_OR_RETURN(
      SqlResult result,
      connection.Execute(
          ToStd(absl::StrCat("SELECT c.oid, n.nspname, c.relname, c.relkind, c.relpersistence FROM "
                             "pg_partition_tree(",
                             table.oid,
                             ") t JOIN pg_class c ON c.oid = t.relid JOIN pg_namespace n ON n.oid "
                             "= c.relnamespace WHERE c.relkind <> 'p' ORDER BY 2, 3")),
          kLimit));
  std::vector<PartitionFacts> out;
  for (std::size_t i = 0; i < result.row_count(); ++i) {
    PartitionFacts facts;
    facts.name = {std::string(result.Text(i, "nspname")), std::string(result.Text(i, "relname"))};
    facts.table.oid = result.Text(i, "oid");
    facts.table.kind = FirstOf(result.Text(i, "relkind"));
    facts.table.persistence = FirstOf(result.Text(i, "relpersistence"));
    facts.table.is_partition = true;
    out.push_back(std::move(facts));
  }
  return out;
}

absl::StatusOr<PublishedPartitions> ReadPublishedPartitions(Connection& connection,
                                                            std::string_view publication,
                                                            const TableFacts& table) {
  const bool has_lists = PQserverVersion(connection.get()) >= kColumnLists;
  const std::string name = QuoteLiteral(publication);
  WALPOST_ASSIGN_OR_RETURN(
      SqlResult whole,
      connection.Execute(
          ToStd(absl::StrCat(
              "SELECT p.puballtables OR EXISTS (SELECT FROM pg_publication_rel r WHERE "
              "r.prpubid = p.oid AND r.prrelid IN (SELECT relid FROM pg_partition_ancestors(",
              table.oid, ")))", has_lists ? PublishesASchemaOf(table.oid) : std::string(),
              " AS whole FROM pg_publication p WHERE p.pubname = ", name)),
          kLimit));
  WALPOST_ASSIGN_OR_RETURN(
      SqlResult leaves,
      connection.Execute(
          ToStd(absl::StrCat(
              "SELECT c.oid, ",
              has_lists ? "p.rowfilter IS NOT NULL AS filtered, a.attname"
                        : "false AS filtered, NULL AS attname",
              " FROM pg_partition_tree(", table.oid,
              ") t JOIN pg_class c ON c.oid = t.relid JOIN pg_namespace n ON n.oid = "
              "c.relnamespace JOIN pg_publication_tables p ON p.schemaname = n.nspname AND "
              "p.tablename = c.relname ",
              has_lists ? "LEFT JOIN LATERAL unnest(p.attnames) AS a(attname) ON true " : "",
              "WHERE t.isleaf AND p.pubname = ", name)),
          kLimit));
  PublishedPartitions facts;
  facts.whole = !whole.empty() && whole.IsTrue(0, "whole");
  std::set<std::string> oids;
  std::map<std::string, std::size_t> seen;
  for (std::size_t i = 0; i < leaves.row_count(); ++i) {
    oids.emplace(leaves.Text(i, "oid"));
    facts.each.row_filter |= leaves.IsTrue(i, "filtered");
    ++seen[std::string(leaves.Text(i, "attname"))];
  }
  facts.partitions = oids.size();
  WALPOST_ASSIGN_OR_RETURN(facts.each.generated_in_partitions,
                           ReadGeneratedInPartitions(connection, table));
  if (!has_lists || oids.empty()) return facts;
  facts.each.columns.emplace();
  for (const auto& [column, times] : seen) {
    if (times == oids.size()) facts.each.columns->push_back(column);
  }
  return facts;
}

absl::StatusOr<std::optional<CatalogTable>> ReadStreamedTable(Connection& connection,
                                                              std::uint32_t oid,
                                                              absl::Duration limit) {
  // Before the rest: a partition that is detached meanwhile is still known for one.
  WALPOST_ASSIGN_OR_RETURN(
      SqlResult names,
      connection.Execute(
          ToStd(absl::StrCat(
              "WITH RECURSIVE up(relid, place) AS (SELECT ", oid,
              "::oid, 0 UNION ALL SELECT i.inhparent, up.place + 1 FROM pg_inherits i JOIN up ON "
              "i.inhrelid = up.relid WHERE NOT i.inhdetachpending) SELECT n.nspname, c.relname, "
              "c.relispartition "
              "FROM up JOIN pg_class c ON c.oid = up.relid JOIN pg_namespace n ON n.oid = "
              "c.relnamespace ORDER BY up.place")),
          limit));
  if (names.empty()) return std::optional<CatalogTable>();
  const auto name = [&names](std::size_t i) {
    return QualifiedName{std::string(names.Text(i, "nspname")),
                         std::string(names.Text(i, "relname"))};
  };
  CatalogTable table;
  table.name = name(0);
  table.is_partition = names.IsTrue(0, "relispartition");
  for (std::size_t i = 1; i < names.row_count(); ++i) table.ancestors.push_back(name(i));
  WALPOST_ASSIGN_OR_RETURN(const std::vector<ColumnFacts> columns,
                           ReadColumns(connection, absl::StrCat(oid), limit));
  for (const ColumnFacts& column : columns) table.columns.push_back(column.ForMapping());
  return std::optional<CatalogTable>(std::move(table));
}

}  // namespace walpost::postgres
