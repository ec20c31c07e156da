#include "core/qualified_name.h"

#include <absl/status/status.h>
#include <absl/strings/ascii.h>
#include <absl/strings/str_cat.h>

#include <cstddef>

#include "base/strings.h"

namespace walpost {
namespace {

std::string Quote(std::string_view text, char quote) {
  std::string out(1, quote);
  for (char c : text) {
    if (c == quote) out.push_back(quote);
    out.push_back(c);
  }
  out.push_back(quote);
  return out;
}

// Letters beyond ASCII are allowed, as the server allows them.
bool IsPlainCharacter(char c) {
  auto u = static_cast<unsigned char>(c);
  return absl::ascii_isalnum(u) || c == '_' || c == '$' || u >= 0x80;
}

// Takes one identifier from the front of `rest`; false when there is none.
bool TakeIdentifier(std::string_view& rest, std::string& out) {
  out.clear();
  if (!rest.empty() && rest.front() == '"') {
    std::size_t i = 1;
    for (; i < rest.size(); ++i) {
      if (rest[i] == '"') {
        if (i + 1 < rest.size() && rest[i + 1] == '"') {
          ++i;
        } else {
          break;
        }
      }
      out.push_back(rest[i]);
    }
    if (i >= rest.size()) return false;
    rest.remove_prefix(i + 1);
    return !out.empty();
  }
  std::size_t i = 0;
  while (i < rest.size() && IsPlainCharacter(rest[i])) {
    out.push_back(absl::ascii_tolower(static_cast<unsigned char>(rest[i])));
    ++i;
  }
  bool starts_with_digit = i > 0 && absl::ascii_isdigit(static_cast<unsigned char>(rest[0]));
  rest.remove_prefix(i);
  return i > 0 && !starts_with_digit;
}

bool NeedsQuotes(std::string_view name) {
  if (name.empty() || absl::ascii_isdigit(static_cast<unsigned char>(name.front()))) return true;
  for (char c : name) {
    if (!IsPlainCharacter(c) || absl::ascii_isupper(static_cast<unsigned char>(c))) return true;
  }
  return false;
}

std::string QuoteIfNeeded(std::string_view name) {
  return NeedsQuotes(name) ? QuoteIdentifier(name) : std::string(name);
}

}  // namespace

absl::StatusOr<QualifiedName> QualifiedName::Parse(std::string_view text) {
  QualifiedName result;
  std::string_view rest = text;
  std::string first;
  bool ok = TakeIdentifier(rest, first);
  if (ok && !rest.empty() && rest.front() == '.') {
    rest.remove_prefix(1);
    result.schema = first;
    ok = TakeIdentifier(rest, result.name);
  } else {
    result.schema = "public";
    result.name = first;
  }
  if (!ok || !rest.empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat("not a table name: '", ToAbsl(text),
                     "'; hint: write schema.table, with double quotes around names in mixed case"));
  }
  return result;
}

std::string QualifiedName::ToString() const {
  return absl::StrCat(QuoteIfNeeded(schema), ".", QuoteIfNeeded(name));
}

std::string QuoteIdentifier(std::string_view name) { return Quote(name, '"'); }

std::string QuoteLiteral(std::string_view text) { return Quote(text, '\''); }

}  // namespace walpost
