#include "postgres/guc_duration.h"

#include <absl/strings/numbers.h>
#include <absl/strings/str_cat.h>

#include <array>
#include <cstdint>
#include <utility>

#include "base/strings.h"

namespace walpost::postgres {

absl::StatusOr<absl::Duration> ParseGucDuration(std::string_view text) {
  static constexpr std::array<std::pair<std::string_view, std::int64_t>, 6> kUnitsInMs = {
      {{"", 1}, {"ms", 1}, {"s", 1000}, {"min", 60'000}, {"h", 3'600'000}, {"d", 86'400'000}}};
  std::size_t digits = text.find_first_not_of("0123456789");
  if (digits == std::string_view::npos) digits = text.size();
  std::string_view unit = text.substr(digits);
  std::int64_t number = 0;
  if (absl::SimpleAtoi(ToAbsl(text.substr(0, digits)), &number)) {
    for (const auto& [name, factor] : kUnitsInMs) {
      if (unit == name) return absl::Milliseconds(number) * factor;
    }
  }
  return absl::InternalError(absl::StrCat("not a duration of the server: '", ToAbsl(text), "'"));
}

}  // namespace walpost::postgres
