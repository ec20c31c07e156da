#ifndef WALPOST_CONFIG_DEBEZIUM_IMPORT_H_
#define WALPOST_CONFIG_DEBEZIUM_IMPORT_H_

#include <absl/status/statusor.h>

#include <string>
#include <string_view>
#include <vector>

#include "config/value_text.h"

namespace walpost::config {

// What became of one property of a connector.
enum class ImportOutcome {
  kCarriedOver,    // it is in the TOML
  kNothingToDo,    // walpost does the same anyway, or has no need of it
  kAssumed,        // not set, so the worker or the database decides; the text says what is assumed
  kDropped,        // cannot be honoured; consumers see no difference
  kChangesEvents,  // cannot be honoured, and consumers may see it
  kUnknown,        // no property that Debezium or Kafka Connect has
};

struct ImportedProperty {
  std::string name;
  ImportOutcome outcome = ImportOutcome::kUnknown;
  // The option that it became, or the reason. Never its value where that may be a secret.
  std::string text;
};

struct DebeziumImport {
  // A configuration file, with a comment on each property.
  std::string toml;
  // In the order of the connector's; behind them those that matter by their absence. One may come
  // twice, when it does two things.
  std::vector<ImportedProperty> properties;

  bool changes_events() const;
};

// Translates the configuration of a Debezium connector for PostgreSQL whose Outbox Event Router
// makes the events. `connector` is what the REST API calls its `config`, in UTF-8; of a name that
// comes twice the last one counts. `worker` has the properties of the Connect worker, as far as
// they are known: its converters and its producer's settings count where the connector is silent.
// Without `connector.class` the text is taken for a part of a connector, and what is not there for
// unimportant. `source` stands for the file in the TOML.
//
// Secrets are never carried over. Pure.
//
// Error: kInvalidArgument, in a message that begins with the property, when it is no such connector
// or a value is one that it would not start with.
// Source:
// https://debezium.io/documentation/reference/stable/transformations/outbox-event-router.html
absl::StatusOr<DebeziumImport> ImportDebezium(const NamedTexts& connector, const NamedTexts& worker,
                                              std::string_view source);

}  // namespace walpost::config

#endif  // WALPOST_CONFIG_DEBEZIUM_IMPORT_H_
