#include "outbox/json_members.h"

#include <absl/status/status.h>
#include <absl/strings/str_cat.h>

#include <cstddef>
#include <utility>

#include "base/status_macros.h"
#include "outbox/json_compact.h"
#include "outbox/json_field.h"
#include "outbox/json_scanner.h"

namespace walpost::outbox {
namespace {

JsonMember::Kind KindOf(JsonToken token) {
  switch (token) {
    case JsonToken::kString:
      return JsonMember::Kind::kText;
    case JsonToken::kNumber:
      return JsonMember::Kind::kNumber;
    case JsonToken::kTrue:
    case JsonToken::kFalse:
      return JsonMember::Kind::kBool;
    case JsonToken::kNull:
      return JsonMember::Kind::kNull;
    default:
      return JsonMember::Kind::kNested;
  }
}

// The members of the top level, as slices of the source.
class MemberReader {
 public:
  explicit MemberReader(std::string_view json) : scanner_(json) {}

  absl::StatusOr<std::vector<JsonMember>> Read() {
    const JsonToken first = scanner_.Next();
    if (first != JsonToken::kObjectBegin) {
      // Not JSON at all is worth more to know than that it is no object.
      for (JsonToken token = first; token != JsonToken::kEnd; token = scanner_.Next()) {
        if (token == JsonToken::kError) return NotJson();
      }
      return absl::InvalidArgumentError("not a JSON object");
    }
    std::vector<JsonMember> members;
    for (JsonToken token = scanner_.Next(); token != JsonToken::kEnd; token = scanner_.Next()) {
      if (token == JsonToken::kError) return NotJson();
      if (token != JsonToken::kName) continue;  // the end of the object
      JsonMember member;
      WALPOST_ASSIGN_OR_RETURN(member.name, JsonText(scanner_.slice()));
      WALPOST_RETURN_IF_ERROR(ReadValue(member));
      members.push_back(std::move(member));
    }
    return members;
  }

 private:
  absl::Status ReadValue(JsonMember& member) {
    const JsonToken token = scanner_.Next();
    if (token == JsonToken::kError) return NotJson();
    member.kind = KindOf(token);
    const auto whole = scanner_.ReadWhole();
    if (!whole) return NotJson();
    member.raw = *whole;
    return absl::OkStatus();
  }

  absl::Status NotJson() const {
    return absl::InvalidArgumentError(absl::StrCat("not JSON, at byte ", scanner_.offset()));
  }

  JsonScanner scanner_;
};

}  // namespace

absl::StatusOr<std::string> JsonMember::Text() const {
  if (kind == Kind::kText) return JsonText(raw);
  if (kind != Kind::kNested) return std::string(raw);
  std::string text;
  WALPOST_RETURN_IF_ERROR(AppendCompactJson(raw, text));
  return text;
}

absl::StatusOr<std::vector<JsonMember>> MembersOf(std::string_view json) {
  return MemberReader(json).Read();
}

}  // namespace walpost::outbox
