#ifndef WALPOST_OUTBOX_BOUND_RULE_H_
#define WALPOST_OUTBOX_BOUND_RULE_H_

#include <absl/status/statusor.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/outbox_settings.h"
#include "outbox/column_format.h"
#include "outbox/outbox_rule.h"
#include "pgoutput/message.h"

namespace walpost::outbox {

// A column's place in the rows of a relation, and how its values are written.
struct BoundColumn {
  std::size_t index = 0;
  std::uint32_t type = 0;  // OID; that under a domain, when the catalog was asked
  ColumnFormat format;
  bool not_null = false;
};

struct BoundSource {
  enum class Kind {
    kVerbatim,  // a column, as the server writes it
    kRendered,  // a column, written in a style of its own
    kPointer,   // inside a column
    kConstant,
  };
  Kind kind = Kind::kVerbatim;
  BoundColumn column;
  std::string text;  // the pointer, or the constant
};

struct BoundTopicPart {
  std::string text;  // literal, or the column's name
  std::optional<std::size_t> column;
};

// A rule with the places of its columns in the rows of one relation. A value that points to the
// rule, which must outlive it.
struct BoundRule {
  const OutboxRule* rule = nullptr;
  std::string table;  // for errors: the name of the relation

  BoundColumn id;
  bool id_is_all = false;  // the only header, as the server writes it
  std::vector<BoundTopicPart> topic;
  std::optional<BoundSource> key;
  std::string key_schema;  // what stands before the key in kJsonSchema
  BoundColumn value;
  bool value_is_plain = false;  // the column as the server writes it, and NULL a tombstone
  std::string payload_schema;   // of the column, in kJsonSchema
  std::string envelope_schema;  // of the members of the envelope, each behind a comma
  std::vector<BoundColumn> envelope;
  std::optional<std::size_t> tracing;
  std::vector<BoundSource> headers;
  std::optional<std::size_t> headers_column;
  std::optional<std::size_t> partition;
  std::optional<std::size_t> timestamp;
  std::vector<BoundSource> cloudevents;

  // `catalog` may be null; without it the types of domains stay unknown, and no column is known to
  // be NOT NULL. Error: kFailedPrecondition for a column that the relation lacks, or whose type
  // will not do; the message names table, column and setting.
  static absl::StatusOr<BoundRule> Bind(const OutboxRule& rule, const pgoutput::Relation& relation,
                                        const CatalogTable* catalog);
};

}  // namespace walpost::outbox

#endif  // WALPOST_OUTBOX_BOUND_RULE_H_
