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
  JsonToken token = JsonToken::kNull;  // its first
  std::string_view text;               // all of it
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
  explicit Walk(std::string_view json) : json_(json), scanner_(json) {}

  // What stands at `step`, of members of one name the last, as PostgreSQL's own operators have it;
  // absent when nothing does. Reads to the end, so that all of it is known to be JSON.
  absl::StatusOr<std::optional<Place>> Find(const Token& step) {
    std::optional<Place> found;
    const JsonToken outer = scanner_.Next();
    std::size_t index = 0;
    bool wanted = false;
    for (JsonToken token = outer; token != JsonToken::kEnd; token = scanner_.Next()) {
      if (token == JsonToken::kError) return NotJson(scanner_.offset());
      if (token == JsonToken::kName && scanner_.depth() == 1) {
        WALPOST_ASSIGN_OR_RETURN(
            wanted, IsName(scanner_.slice(), std::string_view(step.name, step.length)));
        continue;
      }
      if (!BeginsValue(token)) continue;
      if (outer == JsonToken::kArrayBegin) wanted = index++ == step.index;
      WALPOST_ASSIGN_OR_RETURN(const Place place, Rest(token));
      if (wanted) found = place;
    }
    return found;
  }

  // All of what the text holds.
  absl::StatusOr<Place> Whole() {
    const JsonToken token = scanner_.Next();
    if (token == JsonToken::kError) return NotJson(scanner_.offset());
    WALPOST_ASSIGN_OR_RETURN(const Place place, Rest(token));
    if (scanner_.Next() != JsonToken::kEnd) return NotJson(scanner_.offset());
    return place;
  }

 private:
  // Whether an element or the value of a member of the outermost begins with `token`.
  bool BeginsValue(JsonToken token) const {
    const bool opens = token == JsonToken::kObjectBegin || token == JsonToken::kArrayBegin;
    const bool closes = token == JsonToken::kObjectEnd || token == JsonToken::kArrayEnd;
    return !closes && scanner_.depth() == (opens ? 2u : 1u);
  }

  // The value that begins with the token that was just read.
  absl::StatusOr<Place> Rest(JsonToken first) {
    const std::size_t begin = scanner_.offset() - scanner_.slice().size();
    const bool opens = first == JsonToken::kObjectBegin || first == JsonToken::kArrayBegin;
    const std::size_t outside = scanner_.depth() - (opens ? 1 : 0);
    while (scanner_.depth() > outside) {
      if (scanner_.Next() == JsonToken::kError) return NotJson(scanner_.offset());
    }
    return Place{first, json_.substr(begin, scanner_.offset() - begin)};
  }

  std::string_view json_;
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
  WALPOST_ASSIGN_OR_RETURN(Place place, Walk(json).Whole());
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
