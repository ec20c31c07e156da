#ifndef WALPOST_POSTGRES_PREFLIGHT_H_
#define WALPOST_POSTGRES_PREFLIGHT_H_

#include <absl/status/status.h>
#include <absl/status/statusor.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/outbox_settings.h"
#include "postgres/catalog.h"
#include "postgres/connection_options.h"

namespace walpost::postgres {

// The preconditions of a stream. Each failure is one line: the object, the setting, and a hint.
// The single checks are pure, over what catalog.h has read.

// kInvalidArgument: the server accepts no such name (lower-case letters, digits, underscore).
absl::Status CheckSlotName(std::string_view slot);

// Version 14 or later and wal_level logical: kFailedPrecondition. A standby that cannot decode:
// kUnavailable, since it may be about to be promoted.
absl::Status CheckServer(const ServerFacts& server);

// A slot of pgoutput in this database that still has its WAL: kFailedPrecondition, or kDataLoss
// when the server has given it up. kAborted when another connection holds it.
absl::Status CheckSlot(const std::optional<SlotFacts>& slot, std::string_view name,
                       const ServerFacts& server);
// The same without regard to who holds it.
absl::Status CheckSlotIsOurs(const SlotFacts& slot, std::string_view name,
                             const ServerFacts& server);

// A table whose rows reach the write-ahead log under its own name.
absl::Status CheckTableKind(const QualifiedName& name, const TableFacts& table);

// That the stream carries every column. `published` as the server of `server_version` told it.
absl::Status CheckColumns(const OutboxTable& wanted, const TableFacts& table,
                          const PublishedTable& published, std::string_view publication,
                          int server_version);

// That a publication exists; and publishes inserts, where it is to bring `rows`. Logical decoding
// messages come whatever it holds.
absl::Status CheckPublication(const std::optional<PublicationFacts>& publication,
                              std::string_view name, const ServerFacts& server, bool rows = true);
// That it publishes updates, which relay.on_update = 'halt' needs.
absl::Status CheckPublishesUpdates(const PublicationFacts& publication, std::string_view name);

// The publication's view of one table, or an error with the statement that adds it.
absl::StatusOr<PublishedTable> RequirePublished(Connection& connection, std::string_view name,
                                                const PublicationFacts& publication,
                                                const QualifiedName& table_name,
                                                const TableFacts& table);

// The table, whose kind and whose partitions' kinds will do, or an error with the names that it may
// have been meant by.
absl::StatusOr<TableFacts> RequireTable(Connection& connection, const QualifiedName& name,
                                        std::string_view database);

// What a stream has to carry.
struct StreamRequest {
  std::vector<OutboxTable> tables = {};
  bool messages = false;  // logical decoding messages
  bool updates = false;   // an UPDATE of an outbox row is to be seen
  // Whether a table's columns will do for what is to be made of them; empty: not asked.
  std::function<absl::Status(const QualifiedName&, const CatalogTable&)> check_table = {};
};

// The names of types, for people; for the few that a mapping asks for.
std::string TypeNames(std::span<const std::uint32_t> types);

struct PreflightResult {
  ServerFacts server;
  SlotFacts slot;
  // Tables of which the publication sends some rows only.
  std::vector<std::string> filtered_tables;
};

// All of it. Never on the connection that then streams: see PgReplicationSource::Check().
absl::StatusOr<PreflightResult> RunPreflight(Connection& connection,
                                             const ConnectionOptions& options,
                                             const StreamRequest& request);

}  // namespace walpost::postgres

#endif  // WALPOST_POSTGRES_PREFLIGHT_H_
