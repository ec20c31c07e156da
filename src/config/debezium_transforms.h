#ifndef WALPOST_CONFIG_DEBEZIUM_TRANSFORMS_H_
#define WALPOST_CONFIG_DEBEZIUM_TRANSFORMS_H_

#include <absl/status/statusor.h>

#include <string>
#include <string_view>

#include "config/connector_reader.h"

namespace walpost::config {

// Whether Connect would take `name` for this class: by its whole name, by the last part of it, and
// by that without `suffix` at its end.
bool NamesClass(std::string_view name, std::string_view class_name, std::string_view suffix);

// The beginning of the Outbox Event Router's options, `transforms.outbox.`. Error: the connector
// has no such transform.
absl::StatusOr<std::string> FindRouter(const ConnectorReader& reader);

// Says of every other transform, and of the predicates, that they are not there.
void ReportOtherTransforms(ConnectorReader& reader, std::string_view router);

}  // namespace walpost::config

#endif  // WALPOST_CONFIG_DEBEZIUM_TRANSFORMS_H_
