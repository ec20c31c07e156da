#ifndef WALPOST_CONFIG_ROUTER_PLACEMENT_H_
#define WALPOST_CONFIG_ROUTER_PLACEMENT_H_

#include <absl/status/status.h>

#include <string>
#include <string_view>

#include "config/connector_reader.h"

namespace walpost::config {

// Where the router puts further columns: `table.fields.additional.placement`.
struct RouterPlacement {
  NamedTexts headers;     // name to column, in its order
  NamedTexts envelope;    // the same
  std::string partition;  // a column; empty for none
};

// Reads the property called `name`. What cannot be put where it says is left out and reported.
// Error: a part of it that the router refuses.
absl::StatusOr<RouterPlacement> ReadPlacement(ConnectorReader& reader, std::string_view name);

}  // namespace walpost::config

#endif  // WALPOST_CONFIG_ROUTER_PLACEMENT_H_
