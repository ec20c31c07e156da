#include "outbox/bytea.h"

#include <absl/strings/escaping.h>
#include <absl/strings/str_cat.h>

#include <cstddef>

#include "base/strings.h"

namespace walpost::outbox {
namespace {

constexpr std::string_view kPrefix = "\\x";

int ValueOf(char digit) {
  if (digit >= '0' && digit <= '9') return digit - '0';
  if (digit >= 'a' && digit <= 'f') return digit - 'a' + 10;
  if (digit >= 'A' && digit <= 'F') return digit - 'A' + 10;
  return -1;
}

}  // namespace

absl::Status DecodeBytea(std::string_view text, std::string& out) {
  if (text.substr(0, kPrefix.size()) != kPrefix) {
    return absl::InvalidArgumentError(
        "no bytea in hex form; hint: the server's bytea_output must be hex");
  }
  const std::string_view digits = text.substr(kPrefix.size());
  if (digits.size() % 2 != 0) {
    return absl::InvalidArgumentError("a bytea with an odd number of digits");
  }
  const std::size_t before = out.size();
  out.reserve(before + digits.size() / 2);
  for (std::size_t i = 0; i < digits.size(); i += 2) {
    const int high = ValueOf(digits[i]);
    const int low = ValueOf(digits[i + 1]);
    if (high < 0 || low < 0) {
      out.resize(before);
      return absl::InvalidArgumentError(
          absl::StrCat("a bytea with a wrong digit, at byte ", kPrefix.size() + i));
    }
    out.push_back(static_cast<char>(high << 4 | low));
  }
  return absl::OkStatus();
}

void AppendBase64(std::string_view bytes, std::string& out) {
  out.append(absl::Base64Escape(ToAbsl(bytes)));
}

}  // namespace walpost::outbox
