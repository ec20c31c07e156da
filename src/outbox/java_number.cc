#include "outbox/java_number.h"

#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <string>
#include <string_view>
#include <system_error>

namespace walpost::outbox {
namespace {

struct Decimal {
  std::string digits;  // the first one is not 0, unless it is the only one
  int exponent = 0;    // of the first digit
};

Decimal Parsed(const char* begin, const char* end) {
  Decimal decimal;
  const char* at = begin;
  for (; at < end && *at != 'e'; ++at) {
    if (*at != '.') decimal.digits.push_back(*at);
  }
  ++at;
  if (at < end && *at == '+') ++at;  // which from_chars does not take
  std::from_chars(at, end, decimal.exponent);
  return decimal;
}

// The digits of a finite value that is not negative.
template <typename Float>
Decimal DigitsOf(Float value) {
  std::array<char, 64> buffer;
  const auto shortest = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                                      std::chars_format::scientific);
  Decimal decimal = Parsed(buffer.data(), shortest.ptr);
  if (decimal.digits.size() > 1 || value == 0) return decimal;
  // Java writes two digits at the least and takes the nearest two: 4.9E-324, not 5.0E-324.
  const auto two = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                                 std::chars_format::scientific, 1);
  Float back = 0;
  const auto read = std::from_chars(buffer.data(), two.ptr, back);
  if (read.ec != std::errc() || back != value) return decimal;
  return Parsed(buffer.data(), two.ptr);
}

void AppendPlain(const Decimal& decimal, std::string& out) {
  const std::string& digits = decimal.digits;
  if (decimal.exponent < 0) {
    out.append("0.");
    out.append(static_cast<std::size_t>(-decimal.exponent - 1), '0');
    out.append(digits);
    return;
  }
  const auto whole = static_cast<std::size_t>(decimal.exponent) + 1;
  if (digits.size() <= whole) {
    out.append(digits);
    out.append(whole - digits.size(), '0');
    out.append(".0");
    return;
  }
  out.append(digits, 0, whole);
  out.push_back('.');
  out.append(digits, whole);
}

void AppendScientific(const Decimal& decimal, std::string& out) {
  out.push_back(decimal.digits[0]);
  out.push_back('.');
  out.append(decimal.digits.size() > 1 ? std::string_view(decimal.digits).substr(1) : "0");
  out.push_back('E');
  out.append(std::to_string(decimal.exponent));
}

template <typename Float>
void AppendJava(Float value, std::string& out) {
  if (std::isnan(value)) {
    out.append("NaN");
    return;
  }
  if (std::signbit(value)) out.push_back('-');
  if (std::isinf(value)) {
    out.append("Infinity");
    return;
  }
  Decimal decimal = DigitsOf(std::abs(value));
  // A second digit that is 0 says nothing.
  if (decimal.digits.size() == 2 && decimal.digits[1] == '0') decimal.digits.pop_back();
  if (decimal.exponent >= -3 && decimal.exponent < 7) {
    AppendPlain(decimal, out);
  } else {
    AppendScientific(decimal, out);
  }
}

}  // namespace

void AppendJavaDouble(double value, std::string& out) { AppendJava(value, out); }

void AppendJavaFloat(float value, std::string& out) { AppendJava(value, out); }

}  // namespace walpost::outbox
