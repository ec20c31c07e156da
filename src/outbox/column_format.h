#ifndef WALPOST_OUTBOX_COLUMN_FORMAT_H_
#define WALPOST_OUTBOX_COLUMN_FORMAT_H_

#include <absl/status/status.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace walpost::outbox {

// What the values of a column are, as far as that changes how they are written.
enum class ColumnType : std::uint8_t {
  kString,  // the server's own text: text, varchar, char, enum, inet, ...
  kUuid,
  kJson,  // json and jsonb
  kXml,
  kBool,
  kInt16,
  kInt32,
  kInt64,  // bigint and oid
  kFloat32,
  kFloat64,
  kNumeric,     // with a precision and scale
  kNumericAny,  // without
  kDate,
  kTimeMs,  // of at most three digits
  kTimeUs,
  kTimeTz,
  kTimestampMs,  // of at most three digits
  kTimestampUs,
  kTimestampTz,
  kInterval,
  kBytea,
  kOther,  // arrays, ranges, geometry, ...
};

// How the values of one column are written: its type, and in whose style. A value.
struct ColumnFormat {
  ColumnType type = ColumnType::kString;
  bool debezium = false;       // as Debezium's connector with its defaults does, not as the server
  std::int32_t scale = 0;      // of kNumeric; of kTimestampTz the digits of the fraction
  std::int32_t precision = 0;  // of kNumeric

  // From what a Relation message says; `type_oid` is that of the base type for a domain.
  static ColumnFormat Of(std::uint32_t type_oid, std::int32_t type_modifier, bool debezium);

  // Whether AppendText() copies the server's text as it is.
  bool is_verbatim() const;
  // Why no value of such a column can be written, to follow "a column that is", or empty when it
  // can: of types that Debezium turns into structures, and of some rare ones.
  std::string_view fault() const;

  // The value as text (a header, a key). `text` is the server's. Error: kInvalidArgument for a text
  // that no server writes for the type, and for a value that the style cannot write.
  absl::Status AppendText(std::string_view text, std::string& out) const;

  // The value as JSON: numbers and booleans are JSON's own, all else is a string. Errors as above.
  absl::Status AppendJson(std::string_view text, std::string& out) const;

  // What a JsonConverter with schemas says of such a column: {"type":"string","optional":true}.
  // With `field`, as a member of a struct of that name.
  std::string SchemaJson(bool optional, std::string_view field = {}) const;
};

}  // namespace walpost::outbox

#endif  // WALPOST_OUTBOX_COLUMN_FORMAT_H_
