#ifndef WALPOST_CONFIG_DEBEZIUM_CONVERTERS_H_
#define WALPOST_CONFIG_DEBEZIUM_CONVERTERS_H_

#include <absl/status/statusor.h>

#include <string>
#include <string_view>

#include "config/connector_reader.h"

namespace walpost::config {

// What a converter makes of a value, as far as walpost can do the same.
enum class ConverterKind {
  kNotSet,  // the worker's counts, which is not known
  kText,    // StringConverter, SimpleHeaderConverter
  kJson,    // JsonConverter without schemas
  kJsonSchema,
  kBytes,  // the bytes of a bytea
  kOther,  // none of these; was reported
};

// Reads the converter under `name` (`key.converter`) and its settings, and reports those but the
// class itself and, for JSON, `schemas.enable`, which the caller carries over. Error: a setting
// that the converter would not start with.
absl::StatusOr<ConverterKind> ReadConverter(ConnectorReader& reader, std::string_view name);

}  // namespace walpost::config

#endif  // WALPOST_CONFIG_DEBEZIUM_CONVERTERS_H_
