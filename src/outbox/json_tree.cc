#include "outbox/json_tree.h"

#include <absl/strings/numbers.h>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <optional>
#include <utility>

#include "base/strings.h"
#include "outbox/json_scanner.h"
#include "outbox/name_index.h"

namespace walpost::outbox {
namespace {

constexpr std::size_t kMaxDepth = 1000;
constexpr std::ptrdiff_t kMaxDigits = 1000;
constexpr std::size_t kMaxName = 50'000;
constexpr std::size_t kMaxString = 20'000'000;
constexpr std::size_t kMaxTokens = 4'000'000;

// Whether `text` has more than `limit` UTF-16 units, in which Java counts.
bool IsLonger(std::string_view text, std::size_t limit) {
  if (text.size() <= limit) return false;
  std::size_t units = 0;
  for (const char c : text) {
    const auto byte = static_cast<std::uint8_t>(c);
    units += (byte & 0xC0) == 0x80 ? 0 : byte >= 0xF0 ? 2 : 1;
  }
  return units > limit;
}

std::uint32_t HexValue(std::string_view digits) {
  std::uint32_t value = 0;
  for (const char c : digits) {
    const int low = c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10;
    value = value << 4 | static_cast<std::uint32_t>(low);
  }
  return value;
}

void AppendCode(std::uint32_t code, std::string& out) {
  const auto continuation = [&](int shift) {
    out.push_back(static_cast<char>(0x80 | ((code >> shift) & 0x3F)));
  };
  if (code < 0x80) {
    out.push_back(static_cast<char>(code));
    return;
  }
  if (code < 0x800) {
    out.push_back(static_cast<char>(0xC0 | code >> 6));
  } else if (code < 0x10000) {
    out.push_back(static_cast<char>(0xE0 | code >> 12));
    continuation(6);
  } else {
    out.push_back(static_cast<char>(0xF0 | code >> 18));
    continuation(12);
    continuation(6);
  }
  continuation(0);
}

// The UTF-16 unit of an escape `\uXXXX` at the front of `rest`, if there is one.
std::optional<std::uint32_t> UnitAt(std::string_view rest) {
  if (rest.size() < 6 || rest[0] != '\\' || rest[1] != 'u') return std::nullopt;
  return HexValue(rest.substr(2, 4));
}

// Appends what the escape at the front of `rest` means and says how long it is. The scanner has
// checked it.
std::size_t AppendEscape(std::string_view rest, std::string& out) {
  const auto unit = UnitAt(rest);
  if (!unit) {
    constexpr std::string_view kNames = "bfnrt";
    constexpr std::string_view kMeant = "\b\f\n\r\t";
    const std::size_t at = kNames.find(rest[1]);
    out.push_back(at == std::string_view::npos ? rest[1] : kMeant[at]);
    return 2;
  }
  if (*unit >= 0xD800 && *unit < 0xDC00) {
    const auto low = UnitAt(rest.substr(6));
    if (low && *low >= 0xDC00 && *low < 0xE000) {
      AppendCode(0x10000 + ((*unit - 0xD800) << 10) + (*low - 0xDC00), out);
      return 12;
    }
  }
  AppendCode(*unit, out);
  return 6;
}

void ReadInteger(std::string_view text, JsonNode& node) {
  if (!absl::SimpleAtoi(ToAbsl(text), &node.integer)) {
    node.kind = JsonKind::kBig;
    return;
  }
  const bool small = node.integer >= std::numeric_limits<std::int32_t>::min() &&
                     node.integer <= std::numeric_limits<std::int32_t>::max();
  node.kind = small ? JsonKind::kInt32 : JsonKind::kInt64;
}

bool ReadNumber(std::string_view text, JsonNode& node) {
  const bool is_integer = text.find_first_of(".eE") == std::string_view::npos;
  std::string_view counted = text.substr(text.front() == '-' ? 1 : 0);
  // Jackson does not count the 0 in front of a fraction.
  if (!is_integer && counted.front() == '0') counted.remove_prefix(1);
  const auto digits =
      std::count_if(counted.begin(), counted.end(), [](char c) { return c >= '0' && c <= '9'; });
  if (digits > kMaxDigits) return false;
  if (is_integer) {
    ReadInteger(text, node);
    return true;
  }
  node.kind = JsonKind::kDouble;
  return absl::SimpleAtod(ToAbsl(text), &node.real);
}

// Of members with one name the first keeps its place and the last its value.
void DropDuplicates(std::vector<JsonNode>& members) {
  NameIndex index;
  std::size_t kept = 0;
  for (JsonNode& member : members) {
    if (const auto first = index.Find(member.name)) {
      members[*first] = std::move(member);
      continue;
    }
    index.Add(member.name);
    if (&members[kept] != &member) members[kept] = std::move(member);
    ++kept;
  }
  members.erase(members.begin() + static_cast<std::ptrdiff_t>(kept), members.end());
}

JsonKind KindOf(JsonToken token) {
  switch (token) {
    case JsonToken::kObjectBegin:
      return JsonKind::kObject;
    case JsonToken::kArrayBegin:
      return JsonKind::kArray;
    case JsonToken::kString:
      return JsonKind::kString;
    case JsonToken::kTrue:
    case JsonToken::kFalse:
      return JsonKind::kBoolean;
    default:
      return JsonKind::kNull;
  }
}

}  // namespace

std::string_view JsonTree::Decoded(std::string_view token) {
  const std::string_view content = token.substr(1, token.size() - 2);
  std::size_t escape = content.find('\\');
  if (escape == std::string_view::npos) return content;
  std::string& text = decoded_.emplace_back();
  text.reserve(content.size());
  std::size_t at = 0;
  while (escape != std::string_view::npos) {
    text.append(content, at, escape - at);
    at = escape + AppendEscape(content.substr(escape), text);
    escape = content.find('\\', at);
  }
  text.append(content, at);
  return text;
}

bool JsonTree::Parse(std::string_view text) {
  decoded_.clear();
  JsonScanner scanner(text);
  std::vector<JsonNode> open;
  std::string_view name;
  std::size_t tokens = 0;
  for (;;) {
    const JsonToken token = scanner.Next();
    if (++tokens > kMaxTokens) return false;
    JsonNode node;
    switch (token) {
      case JsonToken::kError:
      case JsonToken::kEnd:
        return false;
      case JsonToken::kName:
        name = Decoded(scanner.slice());
        if (IsLonger(name, kMaxName)) return false;
        continue;
      case JsonToken::kObjectEnd:
      case JsonToken::kArrayEnd:
        node = std::move(open.back());
        open.pop_back();
        if (node.kind == JsonKind::kObject) DropDuplicates(node.children);
        break;
      default:
        node.kind = KindOf(token);
        node.name = std::exchange(name, {});
        if (token == JsonToken::kNumber && !ReadNumber(scanner.slice(), node)) return false;
        if (token == JsonToken::kString) node.text = Decoded(scanner.slice());
        if (node.kind == JsonKind::kBoolean) node.text = scanner.slice();
        if (IsLonger(node.text, kMaxString)) return false;
        if (node.kind != JsonKind::kObject && node.kind != JsonKind::kArray) break;
        if (scanner.depth() > kMaxDepth) return false;
        open.push_back(std::move(node));
        continue;
    }
    if (open.empty()) {
      root_ = std::move(node);
      return root_.kind == JsonKind::kObject || root_.kind == JsonKind::kArray;
    }
    open.back().children.push_back(std::move(node));
  }
}

}  // namespace walpost::outbox
