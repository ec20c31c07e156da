#include "outbox/column_format.h"

#include <absl/strings/str_cat.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <system_error>

#include "base/status_macros.h"
#include "base/strings.h"
#include "core/outbox_settings.h"
#include "outbox/bytea.h"
#include "outbox/debezium_time.h"
#include "outbox/decimal_text.h"
#include "outbox/java_number.h"
#include "outbox/json_string.h"
#include "outbox/utf8.h"

namespace walpost::outbox {
namespace {

// https://github.com/postgres/postgres/blob/master/src/include/catalog/pg_type.dat
struct TypeOid {
  std::uint32_t oid;
  ColumnType type;
};
constexpr TypeOid kTypes[] = {
    {16, ColumnType::kBool},          {17, ColumnType::kBytea},
    {18, ColumnType::kString},  // "char"
    {19, ColumnType::kString},  // name
    {20, ColumnType::kInt64},         {21, ColumnType::kInt16},
    {23, ColumnType::kInt32},         {25, ColumnType::kString},  // text
    {26, ColumnType::kInt64},                                     // oid
    {114, ColumnType::kJson},         {142, ColumnType::kXml},
    {650, ColumnType::kString},  // cidr
    {700, ColumnType::kFloat32},      {701, ColumnType::kFloat64},
    {774, ColumnType::kString},   // macaddr8
    {829, ColumnType::kString},   // macaddr
    {869, ColumnType::kString},   // inet
    {1042, ColumnType::kString},  // char(n)
    {1043, ColumnType::kString},  // varchar
    {1082, ColumnType::kDate},        {1083, ColumnType::kTimeUs},
    {1114, ColumnType::kTimestampUs}, {1184, ColumnType::kTimestampTz},
    {1186, ColumnType::kInterval},    {1266, ColumnType::kTimeTz},
    {1700, ColumnType::kNumeric},     {2950, ColumnType::kUuid},
    {3802, ColumnType::kJson},    // jsonb
    {3904, ColumnType::kString},  // int4range
    {3906, ColumnType::kString},  // numrange
    {3908, ColumnType::kString},  // tsrange
    {3910, ColumnType::kString},  // tstzrange
    {3912, ColumnType::kString},  // daterange
    {3926, ColumnType::kString},  // int8range
};

constexpr std::int32_t kMicroDigits = 6;
constexpr std::int32_t kMilliDigits = 3;
constexpr std::int64_t kMicrosPerMilli = 1'000;

ColumnType TypeOf(std::uint32_t oid) {
  if (oid >= kFirstUserOid) return ColumnType::kString;
  const auto* const found = std::find_if(std::begin(kTypes), std::end(kTypes),
                                         [oid](const TypeOid& known) { return known.oid == oid; });
  return found == std::end(kTypes) ? ColumnType::kOther : found->type;
}

void SetNumeric(std::int32_t modifier, ColumnFormat& format) {
  constexpr std::int32_t kHeader = 4;  // VARHDRSZ, which the server adds
  if (modifier < kHeader) {
    format.type = ColumnType::kNumericAny;
    return;
  }
  const std::int32_t bits = modifier - kHeader;
  format.precision = (bits >> 16) & 0xFFFF;
  format.scale = ((bits & 0x7FF) ^ 0x400) - 0x400;  // signed, from PostgreSQL 15 on
}

absl::Status NotOne(std::string_view wanted) {
  return absl::InvalidArgumentError(absl::StrCat("no ", ToAbsl(wanted)));
}

absl::Status NotWritten(const ColumnFormat& format) {
  return absl::InvalidArgumentError(absl::StrCat("a value that is ", ToAbsl(format.fault())));
}

bool IsSpecialNumber(std::string_view text) {
  return text == "NaN" || text == "Infinity" || text == "-Infinity";
}

// The grammar of a number in JSON, or of one without a fraction and an exponent.
bool IsJsonNumber(std::string_view text, bool whole) {
  std::size_t at = 0;
  auto digits = [&text, &at] {
    const std::size_t first = at;
    while (at < text.size() && text[at] >= '0' && text[at] <= '9') ++at;
    return at - first;
  };
  auto take = [&text, &at](std::string_view any) {
    if (at == text.size() || any.find(text[at]) == std::string_view::npos) return false;
    ++at;
    return true;
  };
  take("-");
  const std::size_t first = at;
  const std::size_t count = digits();
  if (count == 0 || (count > 1 && text[first] == '0')) return false;
  if (whole) return at == text.size();
  if (take(".") && digits() == 0) return false;
  if (take("eE")) {
    take("+-");
    if (digits() == 0) return false;
  }
  return at == text.size();
}

// The server's own digits; JSON knows no NaN and no infinity, which become strings.
absl::Status AppendJsonNumber(std::string_view text, std::string& out) {
  if (IsJsonNumber(text, /*whole=*/false)) {
    out.append(text);
  } else if (IsSpecialNumber(text)) {
    AppendJsonString(text, out);
  } else {
    return NotOne("number");
  }
  return absl::OkStatus();
}

absl::Status AppendInteger(std::string_view text, std::string& out) {
  if (!IsJsonNumber(text, /*whole=*/true)) return NotOne("integer");
  out.append(text);
  return absl::OkStatus();
}

absl::Status AppendBool(std::string_view text, std::string& out) {
  if (text != "t" && text != "f") return NotOne("bool");
  out.append(text == "t" ? "true" : "false");
  return absl::OkStatus();
}

absl::Status AppendBytea(std::string_view text, std::string& out) {
  std::string bytes;
  WALPOST_RETURN_IF_ERROR(DecodeBytea(text, bytes));
  AppendBase64(bytes, out);
  return absl::OkStatus();
}

void AppendJava(double value, std::string& out) { AppendJavaDouble(value, out); }
void AppendJava(float value, std::string& out) { AppendJavaFloat(value, out); }

template <typename Float>
absl::Status AppendFloat(std::string_view text, std::string& out) {
  if (IsSpecialNumber(text)) {  // Java spells them as the server does
    out.append(text);
    return absl::OkStatus();
  }
  Float value = 0;
  const char* const end = text.data() + text.size();
  const std::from_chars_result read = std::from_chars(text.data(), end, value);
  if (read.ec != std::errc() || read.ptr != end || !std::isfinite(value)) return NotOne("number");
  AppendJava(value, out);
  return absl::OkStatus();
}

// All types that Debezium has in another form than the server, but for numeric.
absl::Status AppendDebezium(const ColumnFormat& format, std::string_view text, std::string& out) {
  switch (format.type) {
    case ColumnType::kBool:
      return AppendBool(text, out);
    case ColumnType::kFloat32:
      return AppendFloat<float>(text, out);
    case ColumnType::kFloat64:
      return AppendFloat<double>(text, out);
    case ColumnType::kDate:
      return AppendDebeziumDate(text, out);
    case ColumnType::kTimeMs:
      return AppendDebeziumTime(text, kMicrosPerMilli, out);
    case ColumnType::kTimeUs:
      return AppendDebeziumTime(text, 1, out);
    case ColumnType::kTimeTz:
      return AppendDebeziumTimeTz(text, out);
    case ColumnType::kTimestampMs:
      return AppendDebeziumTimestamp(text, kMicrosPerMilli, out);
    case ColumnType::kTimestampUs:
      return AppendDebeziumTimestamp(text, 1, out);
    case ColumnType::kTimestampTz:
      return AppendDebeziumTimestampTz(text, format.scale, out);
    case ColumnType::kInterval:
      return AppendDebeziumInterval(text, out);
    case ColumnType::kBytea:
      return AppendBytea(text, out);
    case ColumnType::kInt16:
    case ColumnType::kInt32:
    case ColumnType::kInt64:
      return AppendInteger(text, out);
    default:
      return NotWritten(format);
  }
}

absl::StatusOr<Decimal> DecimalOf(const ColumnFormat& format, std::string_view text) {
  if (!format.fault().empty()) return NotWritten(format);
  return Decimal::Of(text, format.precision, format.scale);
}

// As the JsonConverter of Kafka Connect: a decimal in bytes, all bytes in base64.
absl::Status AppendDebeziumJson(const ColumnFormat& format, std::string_view text,
                                std::string& out) {
  switch (format.type) {
    case ColumnType::kNumeric: {
      WALPOST_ASSIGN_OR_RETURN(const Decimal decimal, DecimalOf(format, text));
      out.push_back('"');
      AppendBase64(decimal.Bytes(), out);
      out.push_back('"');
      return absl::OkStatus();
    }
    case ColumnType::kFloat32:
    case ColumnType::kFloat64:
      if (!IsSpecialNumber(text)) return AppendDebezium(format, text, out);
      AppendJsonString(text, out);
      return absl::OkStatus();
    case ColumnType::kTimeTz:
    case ColumnType::kTimestampTz:
    case ColumnType::kBytea: {
      std::string value;
      WALPOST_RETURN_IF_ERROR(AppendDebezium(format, text, value));
      AppendJsonString(value, out);
      return absl::OkStatus();
    }
    case ColumnType::kString:
    case ColumnType::kUuid:
    case ColumnType::kJson:
    case ColumnType::kXml:
      AppendJsonString(text, out);
      return absl::OkStatus();
    default:
      return AppendDebezium(format, text, out);
  }
}

// With the server's own digits, and its own text for all that JSON has no type for.
absl::Status AppendPostgresJson(ColumnType type, std::string_view text, std::string& out) {
  switch (type) {
    case ColumnType::kBool:
      return AppendBool(text, out);
    case ColumnType::kInt16:
    case ColumnType::kInt32:
    case ColumnType::kInt64:
      return AppendInteger(text, out);
    case ColumnType::kFloat32:
    case ColumnType::kFloat64:
    case ColumnType::kNumeric:
    case ColumnType::kNumericAny:
      return AppendJsonNumber(text, out);
    case ColumnType::kBytea: {
      std::string value;
      WALPOST_RETURN_IF_ERROR(AppendBytea(text, value));
      AppendJsonString(value, out);
      return absl::OkStatus();
    }
    default:
      AppendJsonString(text, out);
      return absl::OkStatus();
  }
}

}  // namespace

ColumnFormat ColumnFormat::Of(std::uint32_t type_oid, std::int32_t type_modifier, bool debezium) {
  ColumnFormat format;
  format.type = TypeOf(type_oid);
  format.debezium = debezium;
  // Of a time or timestamp, the type modifier is how many digits the seconds have.
  const bool in_ms = type_modifier >= 0 && type_modifier <= kMilliDigits;
  if (format.type == ColumnType::kNumeric) SetNumeric(type_modifier, format);
  if (format.type == ColumnType::kTimeUs && in_ms) format.type = ColumnType::kTimeMs;
  if (format.type == ColumnType::kTimestampUs && in_ms) format.type = ColumnType::kTimestampMs;
  if (format.type == ColumnType::kTimestampTz) {
    const bool given = type_modifier >= 0 && type_modifier <= kMicroDigits;
    format.scale = given ? type_modifier : kMicroDigits;
  }
  return format;
}

bool ColumnFormat::is_verbatim() const {
  if (!debezium) return true;
  switch (type) {
    case ColumnType::kString:
    case ColumnType::kUuid:
    case ColumnType::kJson:
    case ColumnType::kXml:
    case ColumnType::kInt16:
    case ColumnType::kInt32:
    case ColumnType::kInt64:
      return true;
    default:
      return false;
  }
}

std::string_view ColumnFormat::fault() const {
  if (!debezium) return {};
  if (type == ColumnType::kOther) {
    return "of a type that is not written as Debezium does; hint: make it text or jsonb, or set "
           "outbox.column_text = 'postgres'";
  }
  if (type == ColumnType::kNumericAny) {
    return "numeric without a scale, which Debezium writes as a structure; hint: make it "
           "numeric(precision, scale), or set outbox.column_text = 'postgres'";
  }
  if (type == ColumnType::kNumeric && scale < 0) {
    return "numeric with a negative scale, which is not written as Debezium does; hint: make the "
           "scale 0, or set outbox.column_text = 'postgres'";
  }
  return {};
}

absl::Status ColumnFormat::AppendText(std::string_view text, std::string& out) const {
  if (is_verbatim()) {
    out.append(text);
    return absl::OkStatus();
  }
  if (type != ColumnType::kNumeric) return AppendDebezium(*this, text, out);
  WALPOST_ASSIGN_OR_RETURN(const Decimal decimal, DecimalOf(*this, text));
  decimal.AppendText(out);
  return absl::OkStatus();
}

absl::Status ColumnFormat::AppendJson(std::string_view text, std::string& out) const {
  // As a database in SQL_ASCII may have it.
  if (!IsUtf8(text)) return absl::InvalidArgumentError("a text that is not UTF-8");
  return debezium ? AppendDebeziumJson(*this, text, out) : AppendPostgresJson(type, text, out);
}

}  // namespace walpost::outbox
