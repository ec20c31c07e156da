#include "postgres/catalog.h"

#include <absl/strings/numbers.h>
#include <absl/strings/str_cat.h>

#include <utility>

#include "base/status_macros.h"
#include "base/strings.h"
#include "postgres/connection.h"

namespace walpost::postgres {
namespace {

// A catalog query that takes longer than this waits for a lock, or for a server that is gone.
constexpr absl::Duration kLimit = absl::Seconds(30);

int ToInt(std::string_view text) {
  int value = 0;
  return absl::SimpleAtoi(ToAbsl(text), &value) ? value : 0;
}

char FirstOf(std::string_view text) { return text.empty() ? ' ' : text.front(); }

std::string WhereTable(const QualifiedName& table, std::string_view schema_column,
                       std::string_view name_column) {
  return absl::StrCat(ToAbsl(schema_column), " = ", QuoteLiteral(table.schema), " AND ",
                      ToAbsl(name_column), " = ", QuoteLiteral(table.name));
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
  WALPOST_ASSIGN_OR_RETURN(
      SqlResult columns,
      connection.Execute(
          ToStd(absl::StrCat("SELECT attname, attgenerated <> '' AS generated FROM pg_attribute "
                             "WHERE attrelid = ",
                             facts.oid, " AND attnum > 0 AND NOT attisdropped ORDER BY attnum")),
          kLimit));
  for (std::size_t i = 0; i < columns.row_count(); ++i) {
    facts.columns.push_back(
        {std::string(columns.Text(i, "attname")), columns.IsTrue(i, "generated")});
  }
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
      connection.Execute(ToStd(absl::StrCat("SELECT puballtables, pubinsert, pubviaroot FROM "
                                            "pg_publication WHERE pubname = ",
                                            QuoteLiteral(publication))),
                         kLimit));
  if (result.empty()) return std::optional<PublicationFacts>();
  PublicationFacts facts;
  facts.inserts = result.IsTrue(0, "pubinsert");
  facts.all_tables = result.IsTrue(0, "puballtables");
  facts.via_root = result.IsTrue(0, "pubviaroot");
  return std::optional<PublicationFacts>(facts);
}

absl::StatusOr<std::optional<PublishedTable>> ReadPublishedTable(Connection& connection,
                                                                 std::string_view publication,
                                                                 const QualifiedName& table) {
  bool has_lists = PQserverVersion(connection.get()) >= 150000;
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

absl::StatusOr<bool> IsPublishedByPartitions(Connection& connection, std::string_view publication,
                                             const TableFacts& table) {
  std::string name = QuoteLiteral(publication);
  WALPOST_ASSIGN_OR_RETURN(
      SqlResult result,
      connection.Execute(
          ToStd(absl::StrCat(
              "SELECT EXISTS (SELECT FROM pg_publication_rel r JOIN pg_publication p "
              "ON p.oid = r.prpubid WHERE p.pubname = ",
              name, " AND r.prrelid = ", table.oid, ") OR EXISTS (SELECT FROM pg_partition_tree(",
              table.oid,
              ") t JOIN pg_class c ON c.oid = t.relid JOIN pg_namespace n ON n.oid = "
              "c.relnamespace JOIN pg_publication_tables p ON p.schemaname = n.nspname AND "
              "p.tablename = c.relname WHERE t.isleaf AND p.pubname = ",
              name, ") AS by_partitions")),
          kLimit));
  return result.IsTrue(0, "by_partitions");
}

}  // namespace walpost::postgres
