#include "outbox/utf8.h"

#include <cstdint>
#include <cstring>

namespace walpost::outbox {
namespace {

bool IsContinuation(std::uint8_t byte) { return (byte & 0xC0) == 0x80; }

// The second byte alone tells an overlong form, a surrogate or a value above U+10FFFF.
bool IsSecond(std::uint8_t lead, std::uint8_t byte) {
  if (lead == 0xE0) return byte >= 0xA0 && byte <= 0xBF;
  if (lead == 0xED) return byte >= 0x80 && byte <= 0x9F;
  if (lead == 0xF0) return byte >= 0x90 && byte <= 0xBF;
  if (lead == 0xF4) return byte >= 0x80 && byte <= 0x8F;
  return IsContinuation(byte);
}

std::size_t LengthOfLead(std::uint8_t lead) {
  if (lead < 0x80) return 1;
  if (lead >= 0xC2 && lead <= 0xDF) return 2;
  if (lead >= 0xE0 && lead <= 0xEF) return 3;
  if (lead >= 0xF0 && lead <= 0xF4) return 4;
  return 0;
}

}  // namespace

std::size_t Utf8LengthAt(std::string_view text) {
  if (text.empty()) return 0;
  const auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(text[i]); };
  const std::size_t length = LengthOfLead(byte(0));
  if (length < 2) return length;
  if (text.size() < length || !IsSecond(byte(0), byte(1))) return 0;
  for (std::size_t i = 2; i < length; ++i) {
    if (!IsContinuation(byte(i))) return 0;
  }
  return length;
}

bool IsUtf8(std::string_view text) {
  constexpr std::uint64_t kHighBits = 0x8080'8080'8080'8080u;
  while (!text.empty()) {
    std::uint64_t word = kHighBits;
    if (text.size() >= sizeof word) std::memcpy(&word, text.data(), sizeof word);
    if ((word & kHighBits) == 0) {
      text.remove_prefix(sizeof word);
      continue;
    }
    const std::size_t length = Utf8LengthAt(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

}  // namespace walpost::outbox
