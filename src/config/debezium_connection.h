#ifndef WALPOST_CONFIG_DEBEZIUM_CONNECTION_H_
#define WALPOST_CONFIG_DEBEZIUM_CONNECTION_H_

#include <absl/status/status.h>

#include "config/connector_reader.h"
#include "config/toml_draft.h"

// The sections of the file that say where events come from and go to. Each takes its properties
// from the reader, and says there what became of them.
namespace walpost::config {

// [postgres]
absl::Status WritePostgresSection(ConnectorReader& reader, TomlDraft& draft);

// [kafka], from `producer.override.*` of the connector and `producer.*` of its worker.
absl::Status WriteKafkaSection(ConnectorReader& reader, TomlDraft& draft);

}  // namespace walpost::config

#endif  // WALPOST_CONFIG_DEBEZIUM_CONNECTION_H_
