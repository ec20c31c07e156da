#ifndef WALPOST_POSTGRES_CATALOG_H_
#define WALPOST_POSTGRES_CATALOG_H_

#include <absl/status/statusor.h>
#include <absl/time/time.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/outbox_settings.h"
#include "core/qualified_name.h"
#include "walpost/lsn.h"

namespace walpost::postgres {

class Connection;

// What the catalogs say of the things that a relay depends on. Every role may read all of it.
// Source: https://www.postgresql.org/docs/current/catalogs.html

struct ServerFacts {
  int version = 0;  // as server_version_num
  std::string database;
  std::string user;
  std::string wal_level;
  bool in_recovery = false;
  std::string wal_sender_timeout;  // as SHOW prints it
  int max_slots = 0;
  int used_slots = 0;
  bool may_replicate = false;  // superuser, or has REPLICATION; managed servers have other ways
};

struct SlotFacts {
  std::string type;  // logical or physical
  std::string plugin;
  std::string database;
  int active_pid = 0;               // 0 when nobody holds it
  std::string wal_status;           // empty before the server has a position for it
  std::string invalidation_reason;  // empty when valid, and before 17
  bool conflicting = false;         // 16 and later
  bool synced = false;              // a copy on a standby; 17 and later
  std::optional<Lsn> confirmed_flush;
};

struct ColumnFacts {
  std::string name;
  bool generated = false;
  bool not_null = false;
  std::string type_name;        // as people write it: character varying(255)
  std::uint32_t base_type = 0;  // OID; that under a domain, like its modifier
  std::int32_t base_modifier = -1;
  bool is_structured = false;  // see CatalogColumn

  CatalogColumn ForMapping() const {
    return {name, base_type, not_null, base_modifier, is_structured};
  }
};

struct TableFacts {
  std::string oid;         // in digits
  char kind = 'r';         // pg_class.relkind
  char persistence = 'p';  // pg_class.relpersistence
  bool is_partition = false;
  std::vector<ColumnFacts> columns;
};

struct PublicationFacts {
  bool inserts = false;
  bool updates = false;
  bool all_tables = false;
  bool via_root = false;
};

// One table as a publication sends it, under its own name.
struct PublishedTable {
  bool row_filter = false;
  // Nothing before 15, when a publication always has all columns but the generated ones.
  std::optional<std::vector<std::string>> columns;
  // Of a table that is sent under the names of its partitions: what any of them generates, which
  // 14 and 15 allow where the table itself does not.
  std::vector<std::string> generated_in_partitions = {};
};

absl::StatusOr<ServerFacts> ReadServer(Connection& connection);
absl::StatusOr<std::optional<SlotFacts>> ReadSlot(Connection& connection, std::string_view slot);
absl::StatusOr<std::optional<TableFacts>> ReadTable(Connection& connection,
                                                    const QualifiedName& table);
// Tables whose name differs in case or in schema alone; a few.
absl::StatusOr<std::vector<QualifiedName>> ReadSimilarTables(Connection& connection,
                                                             const QualifiedName& table);
absl::StatusOr<std::optional<PublicationFacts>> ReadPublication(Connection& connection,
                                                                std::string_view publication);
absl::StatusOr<std::optional<PublishedTable>> ReadPublishedTable(Connection& connection,
                                                                 std::string_view publication,
                                                                 const QualifiedName& table);

struct PartitionFacts {
  QualifiedName name;
  TableFacts table;  // without columns
};
// The partitions of a partitioned table that hold its rows.
absl::StatusOr<std::vector<PartitionFacts>> ReadPartitions(Connection& connection,
                                                           const TableFacts& table);

// How a publication sends the rows of a partitioned table under the names of its partitions.
struct PublishedPartitions {
  // The publication holds the table, by name, by its schema or as one of all, and so every
  // partition that it will ever have.
  bool whole = false;
  // Of partitions that hold rows and are published now.
  std::size_t partitions = 0;
  // What holds for each of them.
  PublishedTable each;
};
absl::StatusOr<PublishedPartitions> ReadPublishedPartitions(Connection& connection,
                                                            std::string_view publication,
                                                            const TableFacts& table);

// What is to be known of a table that a stream has described; nothing when it is no more. Each
// query may take `limit`.
absl::StatusOr<std::optional<CatalogTable>> ReadStreamedTable(Connection& connection,
                                                              std::uint32_t oid,
                                                              absl::Duration limit);

}  // namespace walpost::postgres

#endif  // WALPOST_POSTGRES_CATALOG_H_
