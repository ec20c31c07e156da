#include "outbox/json_string.h"

#include <array>
#include <cstddef>
#include <cstdint>

#include "outbox/utf8.h"

namespace walpost::outbox {
namespace {

// Bytes that end a run which is copied as it is: those that JSON escapes, and the leads of
// characters above U+FFFF and of surrogates.
constexpr std::array<bool, 256> StopTable() {
  std::array<bool, 256> stops{};
  for (std::size_t byte = 0; byte < 0x20; ++byte) stops[byte] = true;
  for (std::size_t byte = 0xF0; byte < 0xF5; ++byte) stops[byte] = true;
  stops[0xED] = true;
  stops['"'] = true;
  stops['\\'] = true;
  return stops;
}
constexpr std::array<bool, 256> kStops = StopTable();

void AppendUnicodeEscape(std::uint32_t unit, std::string& out) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  out.append("\\u");
  for (int shift = 12; shift >= 0; shift -= 4) out.push_back(kDigits[(unit >> shift) & 0xF]);
}

void AppendAsciiEscape(char c, std::string& out) {
  constexpr std::string_view kNamed = "\"\\\b\t\n\f\r";
  constexpr std::string_view kNames = "\"\\btnfr";
  if (const std::size_t at = kNamed.find(c); at != std::string_view::npos) {
    out.push_back('\\');
    out.push_back(kNames[at]);
    return;
  }
  AppendUnicodeEscape(static_cast<std::uint8_t>(c), out);
}

std::uint32_t LowBits(char c) { return static_cast<std::uint8_t>(c) & 0x3Fu; }

// The surrogate that `rest` begins with, in three bytes; 0 when it begins with none.
std::uint32_t SurrogateAt(std::string_view rest) {
  if (rest.size() < 3 || rest[0] != '\xED') return 0;
  if ((rest[1] & 0xE0) != 0xA0 || (rest[2] & 0xC0) != 0x80) return 0;
  return 0xD000u | LowBits(rest[1]) << 6 | LowBits(rest[2]);
}

// Appends what stands at a stop and says how many bytes it was.
std::size_t AppendStop(std::string_view rest, std::string& out) {
  if (static_cast<std::uint8_t>(rest[0]) < 0x80) {
    AppendAsciiEscape(rest[0], out);
    return 1;
  }
  if (const std::uint32_t surrogate = SurrogateAt(rest); surrogate != 0) {
    AppendUnicodeEscape(surrogate, out);
    return 3;
  }
  if (Utf8LengthAt(rest) == 4) {
    const std::uint32_t code = (static_cast<std::uint8_t>(rest[0]) & 0x07u) << 18 |
                               LowBits(rest[1]) << 12 | LowBits(rest[2]) << 6 | LowBits(rest[3]);
    AppendUnicodeEscape(0xD800u + ((code - 0x10000u) >> 10), out);
    AppendUnicodeEscape(0xDC00u + (code & 0x3FFu), out);
    return 4;
  }
  out.push_back(rest[0]);
  return 1;
}

}  // namespace

void AppendJsonString(std::string_view text, std::string& out) {
  out.reserve(out.size() + text.size() + 2);
  out.push_back('"');
  std::size_t run = 0;
  std::size_t at = 0;
  while (at < text.size()) {
    if (!kStops[static_cast<std::uint8_t>(text[at])]) {
      ++at;
      continue;
    }
    out.append(text, run, at - run);
    at += AppendStop(text.substr(at), out);
    run = at;
  }
  out.append(text, run, text.size() - run);
  out.push_back('"');
}

}  // namespace walpost::outbox
