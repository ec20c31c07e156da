#ifndef WALPOST_OUTBOX_OUTBOX_RULE_H_
#define WALPOST_OUTBOX_OUTBOX_RULE_H_

#include <absl/status/statusor.h>

#include <optional>
#include <string>
#include <vector>

#include "core/outbox_settings.h"
#include "core/qualified_name.h"
#include "outbox/column_template.h"
#include "outbox/field_source.h"

namespace walpost::outbox {

struct HeaderRule {
  std::string name;
  FieldSource source;
};

// How the rows of one table become events, by column name: a preset with what the configuration
// overrides. A value.
struct OutboxRule {
  QualifiedName table;
  std::string id_column;
  ColumnTemplate topic;
  std::optional<FieldSource> key;
  std::string value_column;
  std::vector<HeaderRule> headers;  // after the header `id`, which every event has

  // Error: kInvalidArgument, naming the setting.
  static absl::StatusOr<OutboxRule> Compile(const OutboxSettings& settings);

  // Each column that the rule reads, once, in order of first use.
  std::vector<std::string> Columns() const;
};

}  // namespace walpost::outbox

#endif  // WALPOST_OUTBOX_OUTBOX_RULE_H_
