#ifndef WALPOST_OUTBOX_DEBEZIUM_TIME_H_
#define WALPOST_OUTBOX_DEBEZIUM_TIME_H_

#include <absl/status/status.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace walpost::outbox {

// Dates and times as Debezium's PostgreSQL connector has them with its defaults. All take the
// server's text, append to `out`, and leave it alone on an error, which is kInvalidArgument for
// what no server writes and for what does not fit. Infinity is what Debezium makes of it: odd
// numbers, or the word for a timestamptz.
// https://debezium.io/documentation/reference/stable/connectors/postgresql.html#postgresql-temporal-types

// Days since 1970-01-01.
absl::Status AppendDebeziumDate(std::string_view text, std::string& out);

// The time of day, and the time since 1970-01-01, in units of so many microseconds.
absl::Status AppendDebeziumTime(std::string_view text, std::int64_t unit, std::string& out);
absl::Status AppendDebeziumTimestamp(std::string_view text, std::int64_t unit, std::string& out);

// A timetz in UTC, with as many digits of the second as it has: `16:04:56.7Z`.
absl::Status AppendDebeziumTimeTz(std::string_view text, std::string& out);

// A timestamptz in UTC with `digits` of the second: `2024-02-29T12:34:56.700000Z`. A year of more
// than four digits has a sign, and 1 BC is 0000.
absl::Status AppendDebeziumTimestampTz(std::string_view text, std::int32_t digits,
                                       std::string& out);

// Microseconds, with months of 365.25 / 12 days.
absl::Status AppendDebeziumInterval(std::string_view text, std::string& out);

}  // namespace walpost::outbox

#endif  // WALPOST_OUTBOX_DEBEZIUM_TIME_H_
