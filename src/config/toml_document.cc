#include "config/toml_document.h"

#include <absl/status/status.h>
#include <absl/strings/str_cat.h>

#include <algorithm>

#include "base/strings.h"

#define TOML_HEADER_ONLY 1
#define TOML_EXCEPTIONS 0
#define TOML_ENABLE_FORMATTERS 0
#include <toml++/toml.h>

namespace walpost::config {
namespace {

SourcePosition PositionOf(const toml::source_region& region) {
  return {static_cast<int>(region.begin.line), static_cast<int>(region.begin.column)};
}

TomlNode::Type TypeOf(const toml::node& node) {
  switch (node.type()) {
    case toml::node_type::table:
      return TomlNode::Type::kTable;
    case toml::node_type::array:
      return TomlNode::Type::kArray;
    case toml::node_type::string:
      return TomlNode::Type::kText;
    case toml::node_type::integer:
      return TomlNode::Type::kInteger;
    case toml::node_type::floating_point:
      return TomlNode::Type::kFloat;
    case toml::node_type::boolean:
      return TomlNode::Type::kBoolean;
    default:
      return TomlNode::Type::kTime;
  }
}

// The parser limits the depth of a document, so the recursion is bounded.
TomlNode Convert(const toml::node& node) {
  TomlNode result;
  result.type = TypeOf(node);
  result.value_position = PositionOf(node.source());
  if (const auto* text = node.as_string()) result.text = text->get();
  if (const auto* integer = node.as_integer()) result.text = absl::StrCat(integer->get());
  if (const auto* boolean = node.as_boolean()) result.text = boolean->get() ? "true" : "false";
  if (const auto* array = node.as_array()) {
    for (const toml::node& element : *array) result.children.push_back(Convert(element));
  }
  if (const auto* table = node.as_table()) {
    for (auto&& [key, value] : *table) {
      TomlNode child = Convert(value);
      child.key = std::string(key.str());
      child.key_position = PositionOf(key.source());
      result.children.push_back(std::move(child));
    }
    // The library sorts a table by key.
    std::stable_sort(
        result.children.begin(), result.children.end(),
        [](const TomlNode& a, const TomlNode& b) { return a.key_position < b.key_position; });
  }
  return result;
}

}  // namespace

std::string_view TypeName(TomlNode::Type type) {
  switch (type) {
    case TomlNode::Type::kText:
      return "text";
    case TomlNode::Type::kInteger:
      return "an integer";
    case TomlNode::Type::kFloat:
      return "a number with a fraction";
    case TomlNode::Type::kBoolean:
      return "a boolean";
    case TomlNode::Type::kTime:
      return "a date or time";
    case TomlNode::Type::kArray:
      return "an array";
    case TomlNode::Type::kTable:
      return "a table";
  }
  return "a value";
}

absl::StatusOr<TomlNode> ParseToml(std::string_view text, std::string_view name) {
  toml::parse_result parsed = toml::parse(text);
  if (!parsed) {
    const toml::parse_error& error = parsed.error();
    SourcePosition at = PositionOf(error.source());
    // By far the most frequent slip.
    bool bare = error.description().find("determine value type") != std::string_view::npos;
    return absl::InvalidArgumentError(absl::StrCat(
        ToAbsl(name), ":", at.line, ":", at.column, ": not TOML: ", ToAbsl(error.description()),
        bare ? "; hint: text is written in double quotes" : ""));
  }
  return Convert(parsed.table());
}

}  // namespace walpost::config
