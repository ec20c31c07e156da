#ifndef WALPOST_OUTBOX_JSON_FIELD_H_
#define WALPOST_OUTBOX_JSON_FIELD_H_

#include <absl/status/statusor.h>

#include <optional>
#include <string>
#include <string_view>

namespace walpost::outbox {

// Whether `text` is a JSON pointer as RFC 6901 has it (`/a/b~1c/0`).
bool IsJsonPointer(std::string_view text);

// The scalar at `pointer` in the JSON text: a string without its quotes and escapes, a number with
// each of its digits, `true` or `false`; absent when there is none or it is null. Error:
// kInvalidArgument when the text is not JSON or the place holds an object or an array. Nesting of
// any depth is read without recursion.
absl::StatusOr<std::optional<std::string>> JsonScalarAt(std::string_view json,
                                                        const std::string& pointer);

}  // namespace walpost::outbox

#endif  // WALPOST_OUTBOX_JSON_FIELD_H_
