#include "observability/log_line.h"

#include <absl/strings/ascii.h>
#include <absl/strings/str_cat.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <system_error>
#include <type_traits>
#include <variant>

#include "base/strings.h"

namespace walpost::observability {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";  // U+FFFD

std::uint8_t Byte(char c) { return static_cast<std::uint8_t>(c); }

bool InRange(std::uint8_t b, std::uint8_t low, std::uint8_t high) { return b >= low && b <= high; }

// Length of the UTF-8 sequence that a byte above 0x7F leads; 0 when it leads none.
std::size_t SequenceLength(std::uint8_t lead) {
  if (InRange(lead, 0xC2, 0xDF)) return 2;
  if (InRange(lead, 0xE0, 0xEF)) return 3;
  if (InRange(lead, 0xF0, 0xF4)) return 4;
  return 0;
}

// The second byte's range rules out overlong forms, surrogates and what is above U+10FFFF.
// Source: https://www.unicode.org/versions/Unicode15.0.0/ch03.pdf, table 3-7
bool SecondByteFits(std::uint8_t lead, std::uint8_t second) {
  if (lead == 0xE0) return InRange(second, 0xA0, 0xBF);
  if (lead == 0xED) return InRange(second, 0x80, 0x9F);
  if (lead == 0xF0) return InRange(second, 0x90, 0xBF);
  if (lead == 0xF4) return InRange(second, 0x80, 0x8F);
  return InRange(second, 0x80, 0xBF);
}

// Bytes of the valid character that `text`, which is not empty, begins with; 0 when it is none.
std::size_t ValidPrefix(std::string_view text) {
  std::uint8_t lead = Byte(text.front());
  if (lead < 0x80) return 1;
  std::size_t length = SequenceLength(lead);
  if (length == 0 || text.size() < length || !SecondByteFits(lead, Byte(text[1]))) return 0;
  for (std::size_t i = 2; i < length; ++i) {
    if (!InRange(Byte(text[i]), 0x80, 0xBF)) return 0;
  }
  return length;
}

// Calls `visit` with each character of `text`, a sequence of 1 to 4 bytes, U+FFFD for a bad byte.
template <typename Visit>
void ForEachCharacter(std::string_view text, Visit visit) {
  while (!text.empty()) {
    std::size_t length = ValidPrefix(text);
    visit(length == 0 ? kReplacement : text.substr(0, length));
    text.remove_prefix(length == 0 ? 1 : length);
  }
}

std::string ValidUtf8(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  ForEachCharacter(text, [&out](std::string_view c) { out.append(c); });
  return out;
}

// The code of a C0, DEL or C1 control character; -1 for any other. Terminals act on C1 too.
int ControlCode(std::string_view character) {
  std::uint8_t first = Byte(character.front());
  if (first < 0x20 || first == 0x7F) return first;
  if (first == 0xC2 && Byte(character[1]) < 0xA0) return Byte(character[1]);
  return -1;
}

void AppendEscaped(std::string_view character, std::string& out) {
  int control = ControlCode(character);
  if (control == '\n') {
    out.append("\\n");
  } else if (control == '\r') {
    out.append("\\r");
  } else if (control == '\t') {
    out.append("\\t");
  } else if (control >= 0) {
    absl::StrAppend(&out, "\\u", absl::Hex(control, absl::kZeroPad4));
  } else {
    if (character == "\"" || character == "\\") out.push_back('\\');
    out.append(character);
  }
}

void AppendQuoted(std::string_view text, std::string& out) {
  out.push_back('"');
  ForEachCharacter(text, [&out](std::string_view c) { AppendEscaped(c, out); });
  out.push_back('"');
}

bool NeedsQuotes(std::string_view text) {
  bool needed = text.empty();
  ForEachCharacter(text, [&needed](std::string_view c) {
    needed = needed || c == " " || c == "=" || c == "\"" || c == "\\" || ControlCode(c) >= 0;
  });
  return needed;
}

// Shortest text that reads back as the same number.
std::string NumberText(double value) {
  char buffer[32];
  auto [end, error] = std::to_chars(buffer, buffer + sizeof(buffer), value);
  return error == std::errc() ? std::string(buffer, end) : std::string("nan");
}

void AppendLogfmtValue(const std::string& value, std::string& out) {
  if (NeedsQuotes(value)) {
    AppendQuoted(value, out);
  } else {
    out.append(ValidUtf8(value));
  }
}
void AppendLogfmtValue(std::int64_t value, std::string& out) { absl::StrAppend(&out, value); }
void AppendLogfmtValue(double value, std::string& out) { out.append(NumberText(value)); }
void AppendLogfmtValue(bool value, std::string& out) { out.append(value ? "true" : "false"); }

// A key is a name in our source; whatever else it may hold must not end it early.
void AppendLogfmtKey(std::string_view key, std::string& out) {
  for (char c : key) {
    bool plain = absl::ascii_isalnum(Byte(c)) || c == '_' || c == '.' || c == '-';
    out.push_back(plain ? c : '_');
  }
}

std::string_view LevelName(LogLevel level) {
  switch (level) {
    case LogLevel::kDebug:
      return "debug";
    case LogLevel::kInfo:
      return "info";
    case LogLevel::kWarn:
      return "warn";
    case LogLevel::kError:
      return "error";
  }
  return "unknown";
}

std::string_view LevelColor(LogLevel level) {
  switch (level) {
    case LogLevel::kDebug:
      return "\x1b[36m";  // cyan
    case LogLevel::kInfo:
      return "\x1b[32m";  // green
    case LogLevel::kWarn:
      return "\x1b[33m";  // yellow
    case LogLevel::kError:
      return "\x1b[31m";  // red
  }
  return "";
}

std::string Timestamp(absl::Time time) {
  return absl::FormatTime("%Y-%m-%dT%H:%M:%E3SZ", time, absl::UTCTimeZone());
}

using JsonWriter = rapidjson::Writer<rapidjson::StringBuffer>;

void WriteJson(std::string_view text, JsonWriter& writer) {
  std::string valid = ValidUtf8(text);
  writer.String(valid.data(), static_cast<rapidjson::SizeType>(valid.size()));
}
void WriteJson(std::int64_t value, JsonWriter& writer) { writer.Int64(value); }
void WriteJson(bool value, JsonWriter& writer) { writer.Bool(value); }
void WriteJson(double value, JsonWriter& writer) {
  if (std::isfinite(value)) {
    writer.Double(value);
  } else {
    WriteJson(std::string_view(NumberText(value)), writer);
  }
}

}  // namespace

std::string LogfmtLine(absl::Time time, LogLevel level, std::string_view message,
                       std::span<const LogField> fields, bool color) {
  std::string line = absl::StrCat("ts=", Timestamp(time), " level=");
  if (color) line.append(LevelColor(level));
  line.append(LevelName(level));
  if (color) line.append("\x1b[0m");
  line.append(" msg=");
  AppendQuoted(message, line);
  for (const LogField& field : fields) {
    line.push_back(' ');
    AppendLogfmtKey(field.key, line);
    line.push_back('=');
    std::visit([&line](const auto& value) { AppendLogfmtValue(value, line); }, field.value);
  }
  return line;
}

std::string JsonLine(absl::Time time, LogLevel level, std::string_view message,
                     std::span<const LogField> fields) {
  rapidjson::StringBuffer buffer;
  JsonWriter writer(buffer);
  writer.StartObject();
  writer.Key("ts");
  WriteJson(std::string_view(Timestamp(time)), writer);
  writer.Key("level");
  WriteJson(LevelName(level), writer);
  writer.Key("msg");
  WriteJson(message, writer);
  for (const LogField& field : fields) {
    // A key is a string to the writer, which does not tell the two apart.
    WriteJson(field.key, writer);
    std::visit(
        [&writer](const auto& value) {
          if constexpr (std::is_same_v<std::decay_t<decltype(value)>, std::string>) {
            WriteJson(std::string_view(value), writer);
          } else {
            WriteJson(value, writer);
          }
        },
        field.value);
  }
  writer.EndObject();
  return std::string(buffer.GetString(), buffer.GetSize());
}

}  // namespace walpost::observability
