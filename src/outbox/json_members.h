#ifndef WALPOST_OUTBOX_JSON_MEMBERS_H_
#define WALPOST_OUTBOX_JSON_MEMBERS_H_

#include <absl/status/statusor.h>

#include <string>
#include <string_view>
#include <vector>

namespace walpost::outbox {

// One member of a JSON object.
struct JsonMember {
  enum class Kind { kNull, kText, kNumber, kBool, kNested };

  std::string name;  // without its quotes and escapes
  Kind kind = Kind::kNull;
  // The value as it stands in the source, which must outlive this.
  std::string_view raw;

  // A text without its quotes and escapes; a number with each of its digits; true or false; an
  // object or array as JSON without white space. Error: kInvalidArgument for a text that is no
  // Unicode.
  absl::StatusOr<std::string> Text() const;
};

// The members of the object that `json` holds, in their order, duplicates included. Nesting of any
// depth is read without recursion. Error: kInvalidArgument when it is not JSON, or no object.
absl::StatusOr<std::vector<JsonMember>> MembersOf(std::string_view json);

}  // namespace walpost::outbox

#endif  // WALPOST_OUTBOX_JSON_MEMBERS_H_
