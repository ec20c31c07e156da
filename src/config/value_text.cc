#include "config/value_text.h"

#include <absl/status/status.h>
#include <absl/strings/ascii.h>
#include <absl/strings/escaping.h>
#include <absl/strings/numbers.h>
#include <absl/strings/str_cat.h>
#include <absl/strings/str_format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>

#include "base/status_macros.h"
#include "base/strings.h"

namespace walpost::config {
namespace {

struct SizeUnit {
  std::string_view name;
  std::uint64_t bytes;
};

constexpr std::array<SizeUnit, 8> kSizeUnits = {{{"", 1},
                                                 {"b", 1},
                                                 {"kb", 1000},
                                                 {"kib", 1u << 10},
                                                 {"mb", 1000 * 1000},
                                                 {"mib", 1u << 20},
                                                 {"gb", 1000 * 1000 * 1000},
                                                 {"gib", 1u << 30}}};

absl::Status Wrong(std::string_view text, std::string_view rest) {
  return absl::InvalidArgumentError(absl::StrCat(Quoted(text), " ", ToAbsl(rest)));
}

std::string_view Trimmed(std::string_view text) {
  return ToStd(absl::StripAsciiWhitespace(ToAbsl(text)));
}

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

absl::StatusOr<std::size_t> ParseSize(std::string_view text) {
  constexpr std::string_view kHint =
      "is not a size; hint: write a whole number of bytes with B, KB, MB, GB, KiB, MiB or GiB, "
      "as 16MiB";
  std::string_view rest = Trimmed(text);
  std::size_t digits = 0;
  while (digits < rest.size() && IsDigit(rest[digits])) ++digits;
  std::uint64_t number = 0;
  if (!absl::SimpleAtoi(ToAbsl(rest.substr(0, digits)), &number)) return Wrong(text, kHint);
  std::string unit = absl::AsciiStrToLower(ToAbsl(Trimmed(rest.substr(digits))));
  for (const SizeUnit& known : kSizeUnits) {
    if (unit != known.name) continue;
    if (number == 0) return Wrong(text, "is too small; hint: it must be greater than zero");
    if (number > std::numeric_limits<std::int64_t>::max() / known.bytes) {
      return Wrong(text, "is more than any machine has; hint: write a size as 16MiB");
    }
    return static_cast<std::size_t>(number * known.bytes);
  }
  return Wrong(text, kHint);
}

absl::StatusOr<std::size_t> ParseCount(std::string_view text) {
  std::int64_t number = 0;
  if (!absl::SimpleAtoi(ToAbsl(text), &number) || number <= 0) {
    return Wrong(text, "is not a count; hint: write a whole number greater than zero");
  }
  return static_cast<std::size_t>(number);
}

absl::StatusOr<absl::Duration> ParseDuration(std::string_view text) {
  absl::Duration duration;
  if (!absl::ParseDuration(ToAbsl(Trimmed(text)), &duration) ||
      duration == absl::InfiniteDuration()) {
    return Wrong(text,
                 "is not a duration; hint: write a number with a unit of ms, s, m or h, as 100ms");
  }
  if (duration <= absl::ZeroDuration()) {
    return Wrong(text, "is too short; hint: it must be greater than zero");
  }
  return duration;
}

absl::StatusOr<std::pair<std::string, std::string>> ParseNamedText(std::string_view text) {
  std::size_t equals = text.find('=');
  std::string_view name = Trimmed(text.substr(0, equals));
  if (equals == std::string_view::npos || name.empty()) {
    // Not quoted: what was meant as a value may be a secret.
    return absl::InvalidArgumentError(
        "a name or its equals sign is missing; hint: write "
        "name=value");
  }
  return std::pair(std::string(name), std::string(text.substr(equals + 1)));
}

absl::StatusOr<NamedTexts> ParseNamedTexts(std::string_view text) {
  NamedTexts result;
  std::string part;
  auto finish = [&]() -> absl::Status {
    if (Trimmed(part).empty()) return absl::OkStatus();  // a comma at the end, or nothing at all
    WALPOST_ASSIGN_OR_RETURN(auto named, ParseNamedText(part));
    result.push_back(std::move(named));
    part.clear();
    return absl::OkStatus();
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    bool escaped =
        text[i] == '\\' && i + 1 < text.size() && (text[i + 1] == ',' || text[i + 1] == '\\');
    if (escaped) {
      part.push_back(text[++i]);
    } else if (text[i] == ',') {
      WALPOST_RETURN_IF_ERROR(finish());
    } else {
      part.push_back(text[i]);
    }
  }
  WALPOST_RETURN_IF_ERROR(finish());
  return result;
}

std::string Quoted(std::string_view text) {
  constexpr std::size_t kLongest = 80;
  std::string shown = absl::Utf8SafeCEscape(ToAbsl(text.substr(0, kLongest)));
  return absl::StrCat("'", shown, text.size() > kLongest ? "..." : "", "'");
}

std::string TomlString(std::string_view text) {
  std::string out = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') {
      out.push_back('\\');
      out.push_back(c);
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
      absl::StrAppendFormat(&out, "\\u%04x", static_cast<unsigned>(c));
    } else {
      out.push_back(c);
    }
  }
  out.push_back('"');
  return out;
}

std::string TomlTable(const NamedTexts& map) {
  std::string out;
  for (const auto& [name, text] : map) {
    bool bare = !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
      return absl::ascii_isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '-';
    });
    absl::StrAppend(&out, out.empty() ? "{ " : ", ", bare ? name : TomlString(name), " = ",
                    TomlString(text));
  }
  return out.empty() ? "{}" : out + " }";
}

}  // namespace walpost::config
