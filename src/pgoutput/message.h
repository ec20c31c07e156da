#ifndef WALPOST_PGOUTPUT_MESSAGE_H_
#define WALPOST_PGOUTPUT_MESSAGE_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "walpost/lsn.h"

// The messages of pgoutput, protocol version 1, as values. Views point into the decoded bytes and
// into the decoder's scratch space; both are valid until the decoder's next call. Source:
// https://www.postgresql.org/docs/current/protocol-logicalrep-message-formats.html
namespace walpost::pgoutput {

struct Begin {
  Lsn final_lsn;                    // start of the commit record
  std::int64_t commit_time_us = 0;  // microseconds since 2000-01-01 UTC
  std::uint32_t xid = 0;
};

struct Commit {
  Lsn commit_lsn;
  Lsn end_lsn;  // what is confirmed once the transaction is done
  std::int64_t commit_time_us = 0;
};

struct Origin {
  Lsn commit_lsn;  // on the origin server
  std::string_view name;
};

struct RelationColumn {
  std::string name;
  bool is_key = false;
  std::uint32_t type_oid = 0;
  std::int32_t type_modifier = -1;
};

// A table as the rows that follow are laid out. Sent before its first row, and again after every
// change.
struct Relation {
  std::uint32_t id = 0;
  std::string schema;
  std::string name;
  char replica_identity = 'd';
  std::vector<RelationColumn> columns;
};

struct Type {
  std::uint32_t oid = 0;
  std::string_view schema;
  std::string_view name;
};

enum class ValueKind : std::uint8_t {
  kNull,
  kUnchanged,  // a TOASTed value that an UPDATE did not touch and the server does not send
  kText,
  kBinary,
};

struct ColumnValue {
  ValueKind kind = ValueKind::kNull;
  std::string_view bytes;
};

using Tuple = std::span<const ColumnValue>;

// `relation` is valid until the next Relation message.
struct Insert {
  const Relation* relation = nullptr;
  Tuple row;
};

struct Update {
  const Relation* relation = nullptr;
  Tuple row;
};

struct Delete {
  const Relation* relation = nullptr;
};

struct Truncate {
  bool cascade = false;
  bool restart_identity = false;
  std::span<const std::uint32_t> relation_ids;
};

struct LogicalMessage {
  bool transactional = false;
  Lsn lsn;
  std::string_view prefix;
  std::string_view content;
};

using Message = std::variant<Begin, Commit, Origin, const Relation*, Type, Insert, Update, Delete,
                             Truncate, LogicalMessage>;

}  // namespace walpost::pgoutput

#endif  // WALPOST_PGOUTPUT_MESSAGE_H_
