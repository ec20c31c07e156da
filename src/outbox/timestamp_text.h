#ifndef WALPOST_OUTBOX_TIMESTAMP_TEXT_H_
#define WALPOST_OUTBOX_TIMESTAMP_TEXT_H_

#include <absl/status/statusor.h>

#include <cstdint>
#include <string_view>

namespace walpost::outbox {

// A moment of any year that the server knows; in microseconds alone, 64 bits end in the year
// 294247.
struct Moment {
  std::int64_t seconds = 0;  // since 1970-01-01 UTC, rounded down
  std::int32_t micros = 0;   // after that, 0..999999
};

// The moment that a timestamp or timestamptz says, in microseconds since 1970-01-01 UTC. `text` is
// the server's, with DateStyle ISO: `2024-02-29 12:34:56.789123+02`, a year may have more than four
// digits or end with ` BC`, an offset may have minutes and seconds; without an offset it is taken
// as UTC. Error: kInvalidArgument for infinity, for what does not fit, and for any other text.
// Source: https://www.postgresql.org/docs/current/datatype-datetime.html
absl::StatusOr<std::int64_t> MicrosOfTimestamp(std::string_view text);
// The same of a year that may not fit.
absl::StatusOr<Moment> MomentOfTimestamp(std::string_view text);

// Days since 1970-01-01 of a date, as `2024-02-29`. Errors as above.
absl::StatusOr<std::int32_t> DaysOfDate(std::string_view text);

// Microseconds since midnight of a time, as `12:34:56.789123`; `24:00:00` is one. Errors as above.
absl::StatusOr<std::int64_t> MicrosOfTime(std::string_view text);
// The same of a time with time zone, as `12:34:56.7-03:30`, at UTC: less than a day, 24:00:00 is 0.
absl::StatusOr<std::int64_t> MicrosOfTimeTz(std::string_view text);

// The length of an interval in microseconds, with months of 365.25 / 12 days. `text` is the
// server's, with IntervalStyle postgres: `1 year 2 mons -3 days +04:05:06.789`. Errors as above.
absl::StatusOr<std::int64_t> MicrosOfInterval(std::string_view text);

}  // namespace walpost::outbox

#endif  // WALPOST_OUTBOX_TIMESTAMP_TEXT_H_
