#ifndef WALPOST_CORE_OUTBOX_SETTINGS_H_
#define WALPOST_CORE_OUTBOX_SETTINGS_H_

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/qualified_name.h"

namespace walpost {

// One [[outbox]] block as it was configured. What is absent comes from the preset.
struct OutboxSettings {
  std::string table = "public.outbox";
  std::string preset = "debezium";
  std::optional<std::string> topic;  // text and ${column}
  std::optional<std::string> key;    // a column, or payload:/json/pointer; empty for no key
  std::optional<std::string> value;  // format of the value: text
  // Header name to its source (a column, or payload:/json/pointer), in the order of the file.
  // Replaces the preset's.
  std::optional<std::vector<std::pair<std::string, std::string>>> headers;
};

// What the stream of one outbox table must carry, for the check before the relay starts.
struct OutboxTable {
  QualifiedName name;
  // Every column that the mapping reads.
  std::vector<std::string> columns;
};

}  // namespace walpost

#endif  // WALPOST_CORE_OUTBOX_SETTINGS_H_
