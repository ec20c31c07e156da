#include "outbox/decimal_text.h"

#include <absl/strings/ascii.h>
#include <absl/strings/str_cat.h>

#include <algorithm>
#include <cstddef>

#include "base/strings.h"

namespace walpost::outbox {
namespace {

constexpr int kLeastPlainExponent = -6;  // of the first digit; below it BigDecimal writes an E

// bytes = bytes * 10 + digit, of an integer with its lowest byte first.
void AppendDigit(char digit, std::string& bytes) {
  unsigned carry = static_cast<unsigned>(digit - '0');
  for (char& byte : bytes) {
    carry += 10U * static_cast<unsigned char>(byte);
    byte = static_cast<char>(carry & 0xFFU);
    carry >>= 8;
  }
  if (carry != 0) bytes.push_back(static_cast<char>(carry));
}

void Negate(std::string& bytes) {
  unsigned carry = 1;
  for (char& byte : bytes) {
    carry += static_cast<unsigned char>(~byte);
    byte = static_cast<char>(carry & 0xFFU);
    carry >>= 8;
  }
}

bool IsNegative(char top_byte) { return (static_cast<unsigned char>(top_byte) & 0x80U) != 0; }

}  // namespace

absl::StatusOr<Decimal> Decimal::Of(std::string_view text, std::int32_t precision,
                                    std::int32_t scale) {
  if (text == "NaN") return absl::InvalidArgumentError("NaN, which is no decimal number");
  const bool negative = text.substr(0, 1) == "-";
  const std::string_view plain = negative ? text.substr(1) : text;
  const std::size_t point = plain.find('.');
  const bool has_point = point != std::string_view::npos;
  std::string digits(plain.substr(0, point));
  const std::size_t fraction = has_point ? plain.size() - point - 1 : 0;
  if (has_point) digits.append(plain.substr(point + 1));
  const bool right = std::all_of(digits.begin(), digits.end(), absl::ascii_isdigit);
  if (!right || digits.size() == fraction || has_point != (scale > 0) ||
      fraction != static_cast<std::size_t>(scale)) {
    return absl::InvalidArgumentError(
        absl::StrCat("no number with ", scale, " digits after the point"));
  }
  digits.erase(0, std::min(digits.find_first_not_of('0'), digits.size() - 1));
  if (digits.size() > static_cast<std::size_t>(precision) && digits != "0") {
    return absl::InvalidArgumentError(absl::StrCat("a number of more than ", precision, " digits"));
  }
  return Decimal{negative && digits != "0", std::move(digits), scale};
}

void Decimal::AppendText(std::string& out) const {
  if (negative) out.push_back('-');
  const auto size = static_cast<std::int32_t>(digits.size());
  const std::int32_t exponent = size - 1 - scale;
  if (exponent < kLeastPlainExponent) {
    out.push_back(digits.front());
    if (size > 1) absl::StrAppend(&out, ".", ToAbsl(std::string_view(digits).substr(1)));
    absl::StrAppend(&out, "E", exponent);
    return;
  }
  std::string plain = digits;
  if (size <= scale) plain.insert(0, static_cast<std::size_t>(scale + 1 - size), '0');
  if (scale > 0) plain.insert(plain.size() - static_cast<std::size_t>(scale), 1, '.');
  out.append(plain);
}

std::string Decimal::Bytes() const {
  std::string bytes;
  for (const char digit : digits) AppendDigit(digit, bytes);
  bytes.push_back('\0');  // room for the sign
  if (negative) Negate(bytes);
  // The top byte goes where the one below it says the sign as well.
  while (bytes.size() > 1 && (bytes.back() == '\0' || bytes.back() == '\xFF') &&
         IsNegative(bytes.back()) == IsNegative(bytes[bytes.size() - 2])) {
    bytes.pop_back();
  }
  std::reverse(bytes.begin(), bytes.end());
  return bytes;
}

}  // namespace walpost::outbox
