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

// The words that cannot name a schema without quotes: reserved, or reserved but for functions and
// types. After a dot, so for a table, SQL takes any word. Each between two spaces.
// Source: https://www.postgresql.org/docs/current/sql-keywords-appendix.html
constexpr std::string_view kReservedWords =
    " "
    "all analyse analyze and any array as asc asymmetric authorization binary both case cast "
    "check collate collation column concurrently constraint create cross current_catalog "
    "current_date current_role current_schema current_time current_timestamp current_user "
    "default deferrable desc distinct do else end except false fetch for foreign freeze from "
    "full grant group having ilike in initially inner intersect into is isnull join lateral "
    "leading left like limit localtime localtimestamp natural not notnull null offset on only "
    "or order outer overlaps placing primary references returning right select session_user "
    "similar some symmetric system_user table tablesample then to trailing true union unique "
    "user using variadic verbose when where window with ";

// Letters beyond ASCII are allowed, as the server allows them.
bool IsPlainCharacter(char c) {
  auto u = static_cast<unsigned char>(c);
  return absl::ascii_isalnum(u) || c == '_' || c == '$' || u >= 0x80;
}

bool IsFirstCharacter(char c) {
  return IsPlainCharacter(c) && c != '$' && !absl::ascii_isdigit(static_cast<unsigned char>(c));
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
    // A name ends at a NUL for the server; what comes after must not get lost.
    return !out.empty() && out.find('\0') == std::string::npos;
  }
  std::size_t i = 0;
  while (i < rest.size() && IsPlainCharacter(rest[i])) {
    out.push_back(absl::ascii_tolower(static_cast<unsigned char>(rest[i])));
    ++i;
  }
  bool ok = i > 0 && IsFirstCharacter(rest.front());
  rest.remove_prefix(i);
  return ok;
}

// Takes `table` or `schema.table` from the front of `rest`; false when there is none.
bool TakeName(std::string_view& rest, QualifiedName& out) {
  std::string first;
  if (!TakeIdentifier(rest, first)) return false;
  if (rest.empty() || rest.front() != '.') {
    out = {"public", first};
    return true;
  }
  rest.remove_prefix(1);
  out.schema = first;
  return TakeIdentifier(rest, out.name);
}

void TakeSpaces(std::string_view& rest) {
  while (!rest.empty() && rest.front() == ' ') rest.remove_prefix(1);
}

absl::Status NotATableName(std::string_view text) {
  return absl::InvalidArgumentError(
      absl::StrCat("not a table name: '", ToAbsl(text),
                   "'; hint: write schema.table, with double quotes around names in mixed case"));
}

bool NeedsQuotes(std::string_view name) {
  if (name.empty() || !IsFirstCharacter(name.front())) return true;
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
  if (!TakeName(rest, result) || !rest.empty()) return NotATableName(text);
  return result;
}

absl::StatusOr<std::vector<QualifiedName>> QualifiedName::ParseList(std::string_view text) {
  std::vector<QualifiedName> names;
  std::string_view rest = text;
  TakeSpaces(rest);
  while (!rest.empty()) {
    if (!names.empty()) {
      if (rest.front() != ',') return NotATableName(text);
      rest.remove_prefix(1);
      TakeSpaces(rest);
    }
    if (!TakeName(rest, names.emplace_back())) return NotATableName(text);
    TakeSpaces(rest);
  }
  return names;
}

std::string QualifiedName::ToString() const {
  bool reserved = kReservedWords.find(absl::StrCat(" ", schema, " ")) != std::string_view::npos;
  return absl::StrCat(reserved ? QuoteIdentifier(schema) : QuoteIfNeeded(schema), ".",
                      QuoteIfNeeded(name));
}

std::string QuoteIdentifier(std::string_view name) { return Quote(name, '"'); }

std::string QuoteLiteral(std::string_view text) { return Quote(text, '\''); }

}  // namespace walpost
