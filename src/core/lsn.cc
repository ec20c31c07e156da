#include "walpost/lsn.h"

#include <absl/status/status.h>
#include <absl/strings/str_cat.h>
#include <absl/strings/str_format.h>

#include <charconv>

#include "base/strings.h"

namespace walpost {
namespace {

bool ParseHalf(std::string_view text, std::uint32_t& out) {
  if (text.empty() || text.size() > 8) return false;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out, 16);
  return error == std::errc() && end == text.data() + text.size();
}

}  // namespace

absl::StatusOr<Lsn> Lsn::Parse(std::string_view text) {
  std::size_t slash = text.find('/');
  std::uint32_t high = 0;
  std::uint32_t low = 0;
  if (slash == std::string_view::npos || !ParseHalf(text.substr(0, slash), high) ||
      !ParseHalf(text.substr(slash + 1), low)) {
    return absl::InvalidArgumentError(
        absl::StrCat("not an LSN: '", ToAbsl(text), "'; hint: write it as 16/B374D848"));
  }
  return Lsn((std::uint64_t{high} << 32) | low);
}

std::string Lsn::ToString() const {
  return absl::StrFormat("%X/%X", value_ >> 32, value_ & 0xffffffffu);
}

}  // namespace walpost
