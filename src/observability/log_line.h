#ifndef WALPOST_OBSERVABILITY_LOG_LINE_H_
#define WALPOST_OBSERVABILITY_LOG_LINE_H_

#include <absl/time/time.h>

#include <span>
#include <string>
#include <string_view>

#include "walpost/logger.h"

namespace walpost::observability {

// One log line as it is written, without its newline. Pure functions; safe on any thread.
//
// Whatever bytes the values hold, a line stays one line of valid UTF-8: newlines and other control
// characters are escaped, and bytes that are not UTF-8 become U+FFFD. So a value from a server can
// neither forge a line nor steer a terminal.

// `ts=2026-12-01T00:13:27.123Z level=info msg="..." key=value`; values are quoted where they must
// be. With `color` the level carries ANSI colour.
// Source: https://brandur.org/logfmt
std::string LogfmtLine(absl::Time time, LogLevel level, std::string_view message,
                       std::span<const LogField> fields, bool color);

// The same keys as one JSON object. Numbers and booleans keep their type; a number that JSON cannot
// hold (NaN, infinity) is a string.
std::string JsonLine(absl::Time time, LogLevel level, std::string_view message,
                     std::span<const LogField> fields);

}  // namespace walpost::observability

#endif  // WALPOST_OBSERVABILITY_LOG_LINE_H_
