#ifndef WALPOST_CLI_CONNECTOR_FILE_H_
#define WALPOST_CLI_CONNECTOR_FILE_H_

#include <absl/status/statusor.h>

#include <string_view>

#include "config/value_text.h"

namespace walpost::cli {

// The properties of a Kafka Connect connector, in the order of the text, which is one of
//   - what PUT /connectors takes, or GET /connectors/NAME gives: {"name":..., "config":{...}};
//   - what GET /connectors/NAME/config gives: an object of properties;
//   - the text of a .properties file.
// JSON begins with a brace. Numbers and booleans count as their text, null as not set.
//
// Error: kInvalidArgument, `FILE:LINE:COLUMN: ...` for what is not JSON, else `FILE: ...` with the
// property or the line; no message repeats a value. `file` is the name for it.
// Source: https://docs.confluent.io/platform/current/connect/references/restapi.html
absl::StatusOr<config::NamedTexts> ParseConnectorFile(std::string_view text, std::string_view file);

}  // namespace walpost::cli

#endif  // WALPOST_CLI_CONNECTOR_FILE_H_
