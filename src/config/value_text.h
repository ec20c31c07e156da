#ifndef WALPOST_CONFIG_VALUE_TEXT_H_
#define WALPOST_CONFIG_VALUE_TEXT_H_

#include <absl/status/statusor.h>
#include <absl/time/time.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace walpost::config {

// How values are written, in a file, in the environment and in flags alike. Every error is
// kInvalidArgument and begins with the value, so that the caller puts the place and the option's
// name before it.

using NamedTexts = std::vector<std::pair<std::string, std::string>>;

// Bytes: "1000", "500KB" (1000 each), "16MiB" (1024 each); up to GB and GiB; greater than zero.
absl::StatusOr<std::size_t> ParseSize(std::string_view text);

// A whole number greater than zero.
absl::StatusOr<std::size_t> ParseCount(std::string_view text);

// "100ms", "10s", "1m30s", "2h"; greater than zero, and a unit is required.
absl::StatusOr<absl::Duration> ParseDuration(std::string_view text);

// `name=value`, split at the first equals sign; the name must not be empty.
absl::StatusOr<std::pair<std::string, std::string>> ParseNamedText(std::string_view text);

// Several of them with commas between; `\,` is a comma inside a value, `\\` a backslash.
absl::StatusOr<NamedTexts> ParseNamedTexts(std::string_view text);

// In single quotes for an error message: shortened, and free of control characters. Not for
// secrets.
std::string Quoted(std::string_view text);

// As a TOML basic string, in double quotes.
std::string TomlString(std::string_view text);

// As a TOML inline table, names quoted where they must be.
std::string TomlTable(const NamedTexts& map);

}  // namespace walpost::config

#endif  // WALPOST_CONFIG_VALUE_TEXT_H_
