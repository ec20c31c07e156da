#ifndef WALPOST_OUTBOX_JSON_FIELD_H_
#define WALPOST_OUTBOX_JSON_FIELD_H_

#include <absl/status/statusor.h>

#include <optional>
#include <string>
#include <string_view>

namespace walpost::outbox {

// Whether `text` is a JSON pointer as RFC 6901 has it (`/a/b~1c/0`).
bool IsJsonPointer(std::string_view text);

// What a string or name of JSON says, given with its quotes and escapes as JsonScanner finds it.
// Error: kInvalidArgument for half a surrogate pair, which the scanner lets pass and which is no
// text that can be sent.
absl::StatusOr<std::string> JsonText(std::string_view quoted);

// The scalar at `pointer`, of which IsJsonPointer() holds, in the JSON text: a string without its
// quotes and escapes, a number with each of its digits, `true` or `false`; absent when there is
// none or it is null. Of members of one name the last counts. Error: kInvalidArgument when the text
// is not JSON or the place holds an object, an array or a text that is no Unicode; what stands
// elsewhere may be any JSON that PostgreSQL takes. Nesting of any depth is read without recursion.
absl::StatusOr<std::optional<std::string>> JsonScalarAt(std::string_view json,
                                                        const std::string& pointer);

}  // namespace walpost::outbox

#endif  // WALPOST_OUTBOX_JSON_FIELD_H_
