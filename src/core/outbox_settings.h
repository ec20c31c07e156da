#ifndef WALPOST_CORE_OUTBOX_SETTINGS_H_
#define WALPOST_CORE_OUTBOX_SETTINGS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/qualified_name.h"

namespace walpost {

// One [[outbox]] block as it was configured. What is absent comes from the preset; `walpost config
// reference` explains each by its name.
struct OutboxSettings {
  // Names with texts, in the order of the file.
  using Texts = std::vector<std::pair<std::string, std::string>>;

  std::string table = "public.outbox";  // of no meaning to the preset `message`
  std::string preset = "debezium";
  std::optional<std::string> id;       // the column of the header `id`
  std::optional<std::string> payload;  // the column of the value

  std::optional<std::string> topic;  // text and ${column}
  std::string topic_regex;           // on the rendered topic; empty: none
  std::string topic_replacement;     // with $1 and ${name}, where the regex matches

  // A source is a column, column:/json/pointer, or 'constant'.
  std::optional<std::string> key;  // a source; empty for no key
  std::string key_format = "text";

  std::optional<std::string> value;
  std::string json_style = "lossless";
  std::string json_nulls = "drop";
  std::string json_empty_arrays = "drop";
  Texts envelope;  // member to column
  std::string empty_payload = "publish";

  std::optional<Texts> headers;  // name to source; replaces the preset's
  std::string header_format = "text";
  std::optional<std::string> headers_from;  // a column with a JSON object; empty for none
  std::string tracing;                      // a column in the format of java.util.Properties

  std::string partition;  // a column; empty: the partitioner
  std::string timestamp = "commit";
  std::string column_text = "postgres";

  std::string cloudevents_mode = "binary";
  Texts cloudevents;  // attribute to source

  std::string prefix = "walpost";               // of the preset `message`
  std::string message_scope = "transactional";  // of the preset `message`
};

// A column that a mapping reads.
struct OutboxColumn {
  std::string name;
  // The setting that names it, for errors: "outbox.partition".
  std::string setting;
  // The types that do, as type OIDs; empty: any.
  std::vector<std::uint32_t> types;
};

// What the stream of one outbox table must carry, for the check before the relay starts.
struct OutboxTable {
  QualifiedName name;
  std::vector<OutboxColumn> columns;
};

// Types from here on are made by users: domains, enums, citext, ... Source: FirstNormalObjectId in
// src/include/access/transam.h of PostgreSQL.
inline constexpr std::uint32_t kFirstUserOid = 16384;

struct CatalogColumn {
  std::string name;
  // OID and modifier; those of the base type for a domain.
  std::uint32_t type = 0;
  bool not_null = false;
  std::int32_t modifier = -1;
  // Of a type made by users or an extension whose text is not all that is to it: a composite, an
  // array, hstore, geometry, ...; not of enums, citext and ltree.
  bool is_structured = false;
};

// What the catalogs say now of a table that the stream has described.
struct CatalogTable {
  QualifiedName name;
  bool is_partition = false;
  // The tables that it is a partition of, or inherits from, the nearest first.
  std::vector<QualifiedName> ancestors;
  std::vector<CatalogColumn> columns;

  // Null when there is none of that name. Valid as long as the table.
  const CatalogColumn* Find(std::string_view column) const {
    for (const CatalogColumn& one : columns) {
      if (one.name == column) return &one;
    }
    return nullptr;
  }
};

}  // namespace walpost

#endif  // WALPOST_CORE_OUTBOX_SETTINGS_H_
