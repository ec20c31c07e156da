#include "config/table_list.h"

#include <absl/strings/ascii.h>

#include <algorithm>
#include <cstddef>
#include <optional>

#include "config/connector_reader.h"

namespace walpost::config {
namespace {

// A comma after a backslash belongs to the expression.
std::vector<std::string> SplitExpressions(std::string_view text) {
  std::vector<std::string> parts(1);
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == ',') {
      parts.emplace_back();
      continue;
    }
    parts.back().push_back(text[i]);
    if (text[i] == '\\' && i + 1 < text.size()) parts.back().push_back(text[++i]);
  }
  return parts;
}

bool IsNameByte(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return absl::ascii_isalnum(byte) || c == '_' || c == '-' || c == ' ' || byte >= 0x80;
}

std::optional<QualifiedName> NameIn(std::string_view expression) {
  // Of no effect, since the whole name has to match.
  if (expression.starts_with('^')) expression.remove_prefix(1);
  if (expression.ends_with('$') && !expression.ends_with("\\$")) expression.remove_suffix(1);
  std::vector<std::string> parts(1);
  for (std::size_t i = 0; i < expression.size(); ++i) {
    char c = expression[i];
    const bool escaped = c == '\\';
    if (escaped) {
      if (++i == expression.size()) return std::nullopt;
      c = expression[i];
      // A backslash before a letter or digit is a class or a reference, not that letter.
      if (absl::ascii_isalnum(static_cast<unsigned char>(c))) return std::nullopt;
    }
    if (c == '.') {
      parts.emplace_back();
    } else if (escaped || IsNameByte(c)) {
      parts.back().push_back(c);
    } else {
      return std::nullopt;
    }
  }
  if (parts.size() != 2 || parts[0].empty() || parts[1].empty()) return std::nullopt;
  return QualifiedName{parts[0], parts[1]};
}

}  // namespace

TableList ReadTableList(std::string_view text) {
  TableList list;
  for (const std::string& part : SplitExpressions(text)) {
    const std::string expression = Trimmed(part);
    if (expression.empty()) continue;
    const std::optional<QualifiedName> name = NameIn(expression);
    if (!name.has_value()) {
      list.expressions.push_back(expression);
    } else if (std::find(list.tables.begin(), list.tables.end(), *name) == list.tables.end()) {
      list.tables.push_back(*name);
    }
  }
  return list;
}

}  // namespace walpost::config
