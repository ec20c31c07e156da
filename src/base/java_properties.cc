#include "base/java_properties.h"

#include <absl/status/status.h>
#include <absl/strings/str_cat.h>

#include <cstddef>
#include <cstdint>
#include <utility>

#include "base/status_macros.h"

namespace walpost {
namespace {

bool IsBlank(char c) { return c == ' ' || c == '\t' || c == '\f'; }
bool IsLineEnd(char c) { return c == '\n' || c == '\r'; }
bool IsHighSurrogate(std::uint32_t unit) { return unit >= 0xd800 && unit < 0xdc00; }
bool IsLowSurrogate(std::uint32_t unit) { return unit >= 0xdc00 && unit < 0xe000; }

int HexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

void AppendUtf8(std::uint32_t code, std::string& out) {
  const auto put = [&out](std::uint32_t byte) { out.push_back(static_cast<char>(byte)); };
  if (code < 0x80) {
    put(code);
  } else if (code < 0x800) {
    put(0xc0 | code >> 6);
    put(0x80 | (code & 0x3f));
  } else if (code < 0x10000) {
    put(0xe0 | code >> 12);
    put(0x80 | (code >> 6 & 0x3f));
    put(0x80 | (code & 0x3f));
  } else {
    put(0xf0 | code >> 18);
    put(0x80 | (code >> 12 & 0x3f));
    put(0x80 | (code >> 6 & 0x3f));
    put(0x80 | (code & 0x3f));
  }
}

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  absl::StatusOr<std::vector<std::pair<std::string, std::string>>> Read() {
    std::vector<std::pair<std::string, std::string>> properties;
    while (SkipToEntry()) {
      std::string key;
      WALPOST_RETURN_IF_ERROR(ReadPart(/*is_key=*/true, key));
      SkipSeparator();
      std::string value;
      WALPOST_RETURN_IF_ERROR(ReadPart(/*is_key=*/false, value));
      properties.emplace_back(std::move(key), std::move(value));
    }
    return properties;
  }

 private:
  bool done() const { return at_ >= text_.size(); }
  char Now() const { return text_[at_]; }

  void SkipLineEnd() {
    if (done()) return;
    const char first = text_[at_++];
    if (first == '\r' && !done() && Now() == '\n') ++at_;
    ++line_;
  }

  // Passes over blanks, also those that a backslash continues on the next line.
  void SkipBlanks() {
    while (!done()) {
      if (IsBlank(Now())) {
        ++at_;
      } else if (AtContinuation()) {
        ++at_;
        SkipLineEnd();
      } else {
        return;
      }
    }
  }

  bool AtContinuation() const {
    return Now() == '\\' && at_ + 1 < text_.size() && IsLineEnd(text_[at_ + 1]);
  }

  bool SkipToEntry() {
    for (;;) {
      SkipBlanks();
      if (done()) return false;
      if (IsLineEnd(Now())) {
        SkipLineEnd();
      } else if (Now() == '#' || Now() == '!') {
        while (!done() && !IsLineEnd(Now())) ++at_;
      } else {
        return true;
      }
    }
  }

  void SkipSeparator() {
    SkipBlanks();
    if (done() || (Now() != '=' && Now() != ':')) return;
    ++at_;
    SkipBlanks();
  }

  absl::Status ReadPart(bool is_key, std::string& out) {
    while (!done() && !IsLineEnd(Now())) {
      if (is_key && (IsBlank(Now()) || Now() == '=' || Now() == ':')) break;
      if (AtContinuation()) {
        ++at_;
        SkipLineEnd();
        SkipBlanks();
      } else if (Now() == '\\') {
        ++at_;
        WALPOST_RETURN_IF_ERROR(ReadEscape(out));
      } else {
        out.push_back(text_[at_++]);
      }
    }
    return absl::OkStatus();
  }

  absl::Status ReadEscape(std::string& out) {
    if (done()) return absl::OkStatus();
    const char c = text_[at_++];
    switch (c) {
      case 'n':
        out.push_back('\n');
        break;
      case 't':
        out.push_back('\t');
        break;
      case 'r':
        out.push_back('\r');
        break;
      case 'f':
        out.push_back('\f');
        break;
      case 'u':
        return ReadUnicode(out);
      default:
        out.push_back(c);
    }
    return absl::OkStatus();
  }

  absl::Status ReadUnicode(std::string& out) {
    WALPOST_ASSIGN_OR_RETURN(std::uint32_t code, ReadUnit());
    if (IsHighSurrogate(code) && text_.substr(at_, 2) == "\\u") {
      at_ += 2;
      WALPOST_ASSIGN_OR_RETURN(const std::uint32_t low, ReadUnit());
      if (!IsLowSurrogate(low)) return Malformed("half a surrogate pair");
      code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
    } else if (IsHighSurrogate(code) || IsLowSurrogate(code)) {
      return Malformed("half a surrogate pair");
    }
    AppendUtf8(code, out);
    return absl::OkStatus();
  }

  absl::StatusOr<std::uint32_t> ReadUnit() {
    std::uint32_t unit = 0;
    for (int i = 0; i < 4; ++i) {
      const int digit = done() ? -1 : HexDigit(text_[at_++]);
      if (digit < 0) return Malformed("\\u without four hexadecimal digits");
      unit = unit << 4 | static_cast<std::uint32_t>(digit);
    }
    return unit;
  }

  absl::Status Malformed(absl::string_view what) const {
    return absl::InvalidArgumentError(absl::StrCat("line ", line_, ": ", what));
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int line_ = 1;
};

}  // namespace

absl::StatusOr<std::vector<std::pair<std::string, std::string>>> ParseJavaProperties(
    std::string_view text) {
  return Reader(text).Read();
}

}  // namespace walpost
