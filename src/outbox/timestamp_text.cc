#include "outbox/timestamp_text.h"

#include <absl/status/status.h>
#include <absl/time/civil_time.h>

#include <cmath>
#include <cstddef>
#include <optional>

#include "base/status_macros.h"

namespace walpost::outbox {
namespace {

constexpr std::int64_t kMicrosPerSecond = 1'000'000;
constexpr std::int64_t kMicrosPerDay = 86'400 * kMicrosPerSecond;
constexpr std::int64_t kMicrosPerMinute = 60'000'000;
constexpr double kDaysPerMonth = 365.25 / 12.0;
constexpr double kMostMicros = 9.2e18;
constexpr std::size_t kYearDigits = 7;        // the last year of a date is 5874897
constexpr std::size_t kIntervalDigits = 10;   // the most hours are 2562047788
constexpr std::int64_t kMaxOffsetHours = 15;  // as the server's MAX_TZDISP_HOUR

// Takes a text apart from its start. A Take that fails has taken nothing.
class Cursor {
 public:
  explicit Cursor(std::string_view text) : rest_(text) {}

  bool done() const { return rest_.empty(); }

  bool Take(std::string_view word) {
    if (rest_.substr(0, word.size()) != word) return false;
    rest_.remove_prefix(word.size());
    return true;
  }

  // All digits that follow, when they are `least` to `most`, of which 18 always fit.
  bool TakeNumber(std::size_t least, std::size_t most, std::int64_t& number) {
    const std::size_t size = DigitCount();
    if (size < least || size > most) return false;
    number = 0;
    for (const char digit : rest_.substr(0, size)) number = number * 10 + (digit - '0');
    rest_.remove_prefix(size);
    return true;
  }

  // What may follow the seconds: `.7` is 700000.
  bool TakeFraction(std::int64_t& micros) {
    micros = 0;
    if (!Take(".")) return true;
    const std::size_t size = DigitCount();
    if (!TakeNumber(1, 6, micros)) return false;
    for (std::size_t i = size; i < 6; ++i) micros *= 10;
    return true;
  }

 private:
  std::size_t DigitCount() const {
    std::size_t size = 0;
    while (size < rest_.size() && rest_[size] >= '0' && rest_[size] <= '9') ++size;
    return size;
  }

  std::string_view rest_;
};

struct Ymd {
  std::int64_t year = 0;
  std::int64_t month = 0;
  std::int64_t day = 0;
};

bool TakeDate(Cursor& text, Ymd& date) {
  return text.TakeNumber(4, kYearDigits, date.year) && text.Take("-") &&
         text.TakeNumber(2, 2, date.month) && text.Take("-") && text.TakeNumber(2, 2, date.day);
}

// Days since 1970-01-01; nothing for a day that is in no calendar.
std::optional<std::int64_t> DaysOf(const Ymd& date, bool before_christ) {
  if (date.year == 0) return std::nullopt;
  const absl::CivilDay day(before_christ ? 1 - date.year : date.year, date.month, date.day);
  if (day.month() != date.month || day.day() != date.day) return std::nullopt;  // was normalized
  return day - absl::CivilDay(1970, 1, 1);
}

// The minutes and seconds, `:34:56.789123`, as microseconds.
bool TakeMinutes(Cursor& text, std::int64_t& micros) {
  std::int64_t minutes = 0;
  std::int64_t seconds = 0;
  std::int64_t fraction = 0;
  if (!text.Take(":") || !text.TakeNumber(2, 2, minutes) || minutes > 59) return false;
  if (!text.Take(":") || !text.TakeNumber(2, 2, seconds) || seconds > 59) return false;
  if (!text.TakeFraction(fraction)) return false;
  micros = (minutes * 60 + seconds) * kMicrosPerSecond + fraction;
  return true;
}

bool TakeTime(Cursor& text, std::int64_t& micros) {
  std::int64_t hours = 0;
  if (!text.TakeNumber(2, 2, hours) || !TakeMinutes(text, micros)) return false;
  micros += hours * 3600 * kMicrosPerSecond;
  return micros <= kMicrosPerDay;
}

// `+02`, `-03:30` or `+05:53:28`, as seconds to the east.
bool TakeOffset(Cursor& text, std::int64_t& seconds) {
  const bool west = text.Take("-");
  if (!west && !text.Take("+")) return false;
  std::int64_t part = 0;
  if (!text.TakeNumber(2, 2, part) || part > kMaxOffsetHours) return false;
  seconds = part * 3600;
  for (const std::int64_t unit : {60, 1}) {
    if (!text.Take(":")) break;
    if (!text.TakeNumber(2, 2, part) || part > 59) return false;
    seconds += part * unit;
  }
  if (west) seconds = -seconds;
  return true;
}

bool IsInfinity(std::string_view text) { return text == "infinity" || text == "-infinity"; }

// The value itself stays out of it: it may be anything.
absl::Status NotOne(std::string_view text, const char* wanted) {
  if (IsInfinity(text)) return absl::InvalidArgumentError("infinity, which is no finite value");
  return absl::InvalidArgumentError(wanted);
}

absl::Status TooFar() {
  return absl::InvalidArgumentError("a value that does not fit in 64 bits of microseconds");
}

absl::StatusOr<std::int64_t> MicrosOf(std::int64_t seconds, std::int64_t micros) {
  std::int64_t sum = 0;
  if (__builtin_mul_overflow(seconds, kMicrosPerSecond, &sum) ||
      __builtin_add_overflow(sum, micros, &sum)) {
    return TooFar();
  }
  return sum;
}

// One of years, mons and days, `-3 days`, and the blank before the next part.
bool TakePart(Cursor& text, std::string_view unit, std::int64_t& number) {
  const Cursor before = text;
  const bool negative = text.Take("-");
  if (!negative) text.Take("+");
  if (!text.TakeNumber(1, kIntervalDigits, number) || !text.Take(" ") || !text.Take(unit)) {
    number = 0;
    text = before;
    return true;  // it is not there
  }
  text.Take("s");
  if (negative) number = -number;
  return text.done() || (text.Take(" ") && !text.done());
}

}  // namespace

absl::StatusOr<Moment> MomentOfTimestamp(std::string_view text) {
  constexpr char kWanted[] =
      "no timestamp as the server writes it; hint: its DateStyle must be ISO";
  Cursor cursor(text);
  Ymd date;
  std::int64_t time = 0;
  std::int64_t offset = 0;
  if (!TakeDate(cursor, date) || !cursor.Take(" ") || !TakeTime(cursor, time) ||
      time == kMicrosPerDay) {
    return NotOne(text, kWanted);
  }
  bool before_christ = cursor.Take(" BC");
  if (!before_christ && !cursor.done()) {
    if (!TakeOffset(cursor, offset)) return NotOne(text, kWanted);
    before_christ = cursor.Take(" BC");
  }
  const std::optional<std::int64_t> days = DaysOf(date, before_christ);
  if (!cursor.done() || !days) return NotOne(text, kWanted);
  return Moment{*days * 86'400 + time / kMicrosPerSecond - offset,
                static_cast<std::int32_t>(time % kMicrosPerSecond)};
}

absl::StatusOr<std::int64_t> MicrosOfTimestamp(std::string_view text) {
  WALPOST_ASSIGN_OR_RETURN(const Moment moment, MomentOfTimestamp(text));
  return MicrosOf(moment.seconds, moment.micros);
}

absl::StatusOr<std::int32_t> DaysOfDate(std::string_view text) {
  constexpr char kWanted[] = "no date as the server writes it; hint: its DateStyle must be ISO";
  Cursor cursor(text);
  Ymd date;
  if (!TakeDate(cursor, date)) return NotOne(text, kWanted);
  const std::optional<std::int64_t> days = DaysOf(date, cursor.Take(" BC"));
  if (!cursor.done() || !days) return NotOne(text, kWanted);
  const auto narrow = static_cast<std::int32_t>(*days);
  if (narrow != *days) return absl::InvalidArgumentError("a date too far to count its days");
  return narrow;
}

absl::StatusOr<std::int64_t> MicrosOfTime(std::string_view text) {
  Cursor cursor(text);
  std::int64_t micros = 0;
  if (!TakeTime(cursor, micros) || !cursor.done()) return NotOne(text, "no time of day");
  return micros;
}

absl::StatusOr<std::int64_t> MicrosOfTimeTz(std::string_view text) {
  Cursor cursor(text);
  std::int64_t micros = 0;
  std::int64_t offset = 0;
  if (!TakeTime(cursor, micros) || !TakeOffset(cursor, offset) || !cursor.done()) {
    return NotOne(text, "no time of day with an offset");
  }
  return (micros - offset * kMicrosPerSecond + kMicrosPerDay) % kMicrosPerDay;
}

absl::StatusOr<std::int64_t> MicrosOfInterval(std::string_view text) {
  constexpr char kWanted[] =
      "no interval as the server writes it; hint: its IntervalStyle must be postgres";
  Cursor cursor(text);
  std::int64_t years = 0;
  std::int64_t months = 0;
  std::int64_t days = 0;
  if (text.empty() || !TakePart(cursor, "year", years) || !TakePart(cursor, "mon", months) ||
      !TakePart(cursor, "day", days)) {
    return NotOne(text, kWanted);
  }
  std::int64_t hours = 0;
  std::int64_t micros = 0;
  bool negative = false;
  if (!cursor.done()) {
    negative = cursor.Take("-");
    if (!negative) cursor.Take("+");
    if (!cursor.TakeNumber(2, kIntervalDigits, hours) || !TakeMinutes(cursor, micros) ||
        !cursor.done()) {
      return NotOne(text, kWanted);
    }
  }
  // In doubles and in this order, since that is how Debezium loses a microsecond now and then.
  const double sign = negative ? -1.0 : 1.0;
  const auto minutes = static_cast<double>(micros / kMicrosPerMinute);
  const std::int64_t below = micros % kMicrosPerMinute;
  const double seconds = static_cast<double>(below / kMicrosPerSecond) +
                         static_cast<double>(below % kMicrosPerSecond) / 1e6;
  const double all_days =
      static_cast<double>(years * 12 + months) * kDaysPerMonth + static_cast<double>(days);
  const double all_hours = all_days * 24 + sign * static_cast<double>(hours);
  const double all_seconds = (all_hours * 60 + sign * minutes) * 60 + sign * seconds;
  const double all_micros = all_seconds * 1e6;
  if (std::abs(all_micros) >= kMostMicros) return TooFar();
  return static_cast<std::int64_t>(all_micros);
}

}  // namespace walpost::outbox
