#ifndef WALPOST_CONFIG_DEBEZIUM_ROUTER_H_
#define WALPOST_CONFIG_DEBEZIUM_ROUTER_H_

#include <absl/status/statusor.h>

#include <string>
#include <string_view>

#include "config/connector_reader.h"
#include "config/toml_draft.h"

namespace walpost::config {

struct RouterSection {
  // One [[outbox]] block for each table.
  TomlDraft blocks;
  // Whether values or keys carry a JSON schema.
  bool has_schemas = false;
  // Whether the schema is that of an envelope, which has a name.
  bool has_envelope_schema = false;
};

// Translates the options of the router, the converters and the list of tables. Error: an option
// that the connector would not start with.
// Source: io.debezium.transforms.outbox.EventRouterConfigDefinition
absl::StatusOr<RouterSection> WriteRouterSection(ConnectorReader& reader, std::string_view prefix);
}  // namespace walpost::config

#endif  // WALPOST_CONFIG_DEBEZIUM_ROUTER_H_
