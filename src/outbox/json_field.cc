#include "outbox/json_field.h"

#include <absl/status/status.h>
#include <absl/strings/str_cat.h>
#include <rapidjson/document.h>
#include <rapidjson/pointer.h>

#include <cstddef>

#include "base/status_macros.h"
#include "outbox/json_scanner.h"

namespace walpost::outbox {
namespace {

using Token = rapidjson::Pointer::Token;

// A value where it stands in the source.
struct Place {
  JsonToken token;        // its first
  std::string_view text;  // all of it
};

absl::Status NotJson(std::size_t offset) {
  return absl::InvalidArgumentError(absl::StrCat("not JSON, at byte ", offset));
}

// Whether it says what stands between its quotes.
bool IsPlain(std::string_view quoted) { return quoted.find('\\') == std::string_view::npos; }

std::string_view Inside(std::string_view quoted) { return quoted.substr(1, quoted.size() - 2); }

// Whether `quoted`, the name of a member, is `name`.
absl::StatusOr<bool> IsName(std::string_view quoted, std::string_view name) {
  if (IsPlain(quoted)) return Inside(quoted) == name;
  const absl::StatusOr<std::string> text = JsonText(quoted);
  return text.ok() && *text == name;  // a name that is no Unicode is none that can be asked for
}

// Walks over the elements or members of one object or array.
class Walk {
 public:
  explicit Walk(std::string_view json) : scanner_(json) {}

  // What stands at `step`, of members of one name the last, as PostgreSQL's own operators have it;
  // absent when nothing does. Reads to the end, so that all of it is known to be JSON.
  absl::StatusOr<std::optional<Place>> Find(const Token& step) {
    const JsonToken outer = scanner_.Next();
    if (outer == JsonToken::kError) return NotJson(scanner_.offset());
    std::optional<Place> found;
    std::size_t index = 0;
    bool wanted = false;
    for (JsonToken token = scanner_.Next(); token != JsonToken::kEnd; token = scanner_.Next()) {
      if (token == JsonToken::kError) return NotJson(scanner_.offset());
      if (token == JsonToken::kName) {
        WALPOST_ASSIGN_OR_RETURN(
            wanted, IsName(scanner_.slice(), std::string_view(step.name, step.length)));
        continue;
      }
      // That of the outermost: what lies inside is read as a whole.
      if (token == JsonToken::kObjectEnd || token == JsonToken::kArrayEnd) continue;
      if (outer == JsonToken::kArrayBegin) wanted = index++ == step.index;
      const auto whole = scanner_.ReadWhole();
      if (!whole) return NotJson(scanner_.offset());
      if (wanted) found = Place{token, *whole};
    }
    return found;
  }

 private:
  JsonScanner scanner_;
};

}  // namespace

bool IsJsonPointer(std::string_view text) {
  return !text.empty() && text.front() == '/' &&
         rapidjson::Pointer(text.data(), text.size()).IsValid();
}

absl::StatusOr<std::string> JsonText(std::string_view quoted) {
  if (IsPlain(quoted)) return std::string(Inside(quoted));
  rapidjson::Document document;
  document.Parse(quoted.data(), quoted.size());
  if (document.HasParseError()) return absl::InvalidArgumentError("a text that is no Unicode");
  return std::string(document.GetString(), document.GetStringLength());
}

absl::StatusOr<std::optional<std::string>> JsonScalarAt(std::string_view json,
                                                        const std::string& pointer) {
  const rapidjson::Pointer steps(pointer.data(), pointer.size());
  Place place{JsonToken::kNull, json};
  for (std::size_t i = 0; i < steps.GetTokenCount(); ++i) {
    WALPOST_ASSIGN_OR_RETURN(const std::optional<Place> next,
                             Walk(place.text).Find(steps.GetTokens()[i]));
    if (!next) return std::nullopt;
    place = *next;
  }
  switch (place.token) {
    case JsonToken::kNull:
      return std::nullopt;
    case JsonToken::kString:
      return JsonText(place.text);
    case JsonToken::kNumber:
    case JsonToken::kTrue:
    case JsonToken::kFalse:
      return std::string(place.text);
    default:
      return absl::InvalidArgumentError(absl::StrCat("no scalar at ", pointer));
  }
}

}  // namespace walpost::outbox
