#ifndef WALPOST_CORE_QUALIFIED_NAME_H_
#define WALPOST_CORE_QUALIFIED_NAME_H_

#include <absl/status/statusor.h>

#include <compare>
#include <string>
#include <string_view>
#include <vector>

namespace walpost {

// A table's name as the catalog holds it: exact case, no quotes.
struct QualifiedName {
  std::string schema;
  std::string name;

  // Reads a name as SQL does: `orders`, `app.outbox`, `"My Schema"."OutboxMessages"`. What is not
  // quoted is folded to lower case; without a schema it is `public`. Error: kInvalidArgument.
  static absl::StatusOr<QualifiedName> Parse(std::string_view text);
  // Several of them with commas in between, which may have spaces around them; none of an empty
  // text. Error: kInvalidArgument.
  static absl::StatusOr<std::vector<QualifiedName>> ParseList(std::string_view text);

  // For people and for SQL: quoted where SQL needs it, `app."OutboxMessages"`.
  std::string ToString() const;

  auto operator<=>(const QualifiedName&) const = default;
};

// An identifier in double quotes, inner ones doubled. Right in SQL and in replication commands.
std::string QuoteIdentifier(std::string_view name);

// A string literal in single quotes, inner ones doubled. For servers with
// standard_conforming_strings on (the default), and for replication commands.
std::string QuoteLiteral(std::string_view text);

}  // namespace walpost

#endif  // WALPOST_CORE_QUALIFIED_NAME_H_
