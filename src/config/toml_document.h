#ifndef WALPOST_CONFIG_TOML_DOCUMENT_H_
#define WALPOST_CONFIG_TOML_DOCUMENT_H_

#include <absl/status/statusor.h>

#include <string>
#include <string_view>
#include <vector>

namespace walpost::config {

// Line and column, both from 1, the column in characters.
struct SourcePosition {
  int line = 1;
  int column = 1;
  auto operator<=>(const SourcePosition&) const = default;
};

// One key of a TOML document with its value; also the document itself, and the elements of an
// array, which have no key. A plain value, so that only one file knows the TOML library.
struct TomlNode {
  enum class Type { kText, kInteger, kFloat, kBoolean, kTime, kArray, kTable };

  std::string key;
  SourcePosition key_position;
  Type type = Type::kTable;
  std::string text;  // of kText and kInteger
  SourcePosition value_position;
  // Of kArray and kTable, in the order in which they were written.
  std::vector<TomlNode> children;
};

// "text", "an integer", ...
std::string_view TypeName(TomlNode::Type type);

// Parses a document; the result is its root, a table. `name` stands for the file in errors. Error:
// kInvalidArgument, `NAME:LINE:COLUMN: ...`.
// Source: https://toml.io/en/v1.0.0
absl::StatusOr<TomlNode> ParseToml(std::string_view text, std::string_view name);

}  // namespace walpost::config

#endif  // WALPOST_CONFIG_TOML_DOCUMENT_H_
