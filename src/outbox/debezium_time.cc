#include "outbox/debezium_time.h"

#include <absl/strings/str_cat.h>
#include <absl/strings/str_format.h>
#include <absl/time/civil_time.h>

#include "base/status_macros.h"
#include "outbox/timestamp_text.h"

namespace walpost::outbox {
namespace {

constexpr std::string_view kInfinity = "infinity";
constexpr std::string_view kMinusInfinity = "-infinity";
// What Debezium 3.6 makes of the JDBC driver's marks for infinity.
constexpr std::int64_t kInfinityMicros = 9'223'372'036'825'200'000;
constexpr std::int64_t kMinusInfinityMicros = -9'223'372'036'832'400'000;
constexpr std::int32_t kInfinityDays = -2'147'472'692;
constexpr std::int32_t kMinusInfinityDays = -2'147'472'691;

constexpr std::int64_t kMicrosPerSecond = 1'000'000;
constexpr std::int32_t kMicroDigits = 6;

// The first `digits` of the six that the microseconds have.
void AppendFraction(std::int64_t micros, std::int32_t digits, std::string& out) {
  if (digits == 0) return;
  for (std::int32_t i = digits; i < kMicroDigits; ++i) micros /= 10;
  absl::StrAppendFormat(&out, ".%0*d", digits, micros);
}

}  // namespace

absl::Status AppendDebeziumDate(std::string_view text, std::string& out) {
  if (text == kInfinity || text == kMinusInfinity) {
    absl::StrAppend(&out, text == kInfinity ? kInfinityDays : kMinusInfinityDays);
    return absl::OkStatus();
  }
  WALPOST_ASSIGN_OR_RETURN(const std::int32_t days, DaysOfDate(text));
  absl::StrAppend(&out, days);
  return absl::OkStatus();
}

absl::Status AppendDebeziumTime(std::string_view text, std::int64_t unit, std::string& out) {
  WALPOST_ASSIGN_OR_RETURN(const std::int64_t micros, MicrosOfTime(text));
  absl::StrAppend(&out, micros / unit);
  return absl::OkStatus();
}

absl::Status AppendDebeziumTimestamp(std::string_view text, std::int64_t unit, std::string& out) {
  if (text == kInfinity || text == kMinusInfinity) {
    absl::StrAppend(&out, (text == kInfinity ? kInfinityMicros : kMinusInfinityMicros) / unit);
    return absl::OkStatus();
  }
  WALPOST_ASSIGN_OR_RETURN(const Moment moment, MomentOfTimestamp(text));
  std::int64_t units = 0;
  if (__builtin_mul_overflow(moment.seconds, kMicrosPerSecond / unit, &units) ||
      __builtin_add_overflow(units, moment.micros / unit, &units)) {
    return absl::InvalidArgumentError("a timestamp that does not fit in 64 bits");
  }
  absl::StrAppend(&out, units);
  return absl::OkStatus();
}

absl::Status AppendDebeziumTimeTz(std::string_view text, std::string& out) {
  WALPOST_ASSIGN_OR_RETURN(const std::int64_t micros, MicrosOfTimeTz(text));
  const std::int64_t seconds = micros / kMicrosPerSecond;
  const std::int64_t fraction = micros % kMicrosPerSecond;
  absl::StrAppendFormat(&out, "%02d:%02d:%02d", seconds / 3600, seconds / 60 % 60, seconds % 60);
  std::int32_t digits = fraction == 0 ? 0 : kMicroDigits;
  for (std::int64_t rest = fraction; digits > 0 && rest % 10 == 0; rest /= 10) --digits;
  AppendFraction(fraction, digits, out);
  out.push_back('Z');
  return absl::OkStatus();
}

absl::Status AppendDebeziumTimestampTz(std::string_view text, std::int32_t digits,
                                       std::string& out) {
  if (text == kInfinity || text == kMinusInfinity) {
    out.append(text);
    return absl::OkStatus();
  }
  WALPOST_ASSIGN_OR_RETURN(const Moment moment, MomentOfTimestamp(text));
  const absl::CivilSecond at = absl::CivilSecond(1970, 1, 1) + moment.seconds;
  const absl::civil_year_t year = at.year();
  if (year < 0 || year > 9999) out.push_back(year < 0 ? '-' : '+');
  absl::StrAppendFormat(&out, "%04d-%02d-%02dT%02d:%02d:%02d", year < 0 ? -year : year, at.month(),
                        at.day(), at.hour(), at.minute(), at.second());
  AppendFraction(moment.micros, digits, out);
  out.push_back('Z');
  return absl::OkStatus();
}

absl::Status AppendDebeziumInterval(std::string_view text, std::string& out) {
  WALPOST_ASSIGN_OR_RETURN(const std::int64_t micros, MicrosOfInterval(text));
  absl::StrAppend(&out, micros);
  return absl::OkStatus();
}

}  // namespace walpost::outbox
