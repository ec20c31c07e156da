#ifndef WALPOST_OUTBOX_JSON_COMPACT_H_
#define WALPOST_OUTBOX_JSON_COMPACT_H_

#include <absl/status/status.h>

#include <string>
#include <string_view>

namespace walpost::outbox {

// Appends `json` without its insignificant white space: strings, escapes and numbers stay byte for
// byte as they are, and so do duplicate members and the order of all. Any value will do, a scalar
// too. Nesting of any depth is read without recursion. Error: kInvalidArgument when the whole text
// is not one JSON value in UTF-8; it says at which byte, and `out` is left as it was.
absl::Status AppendCompactJson(std::string_view json, std::string& out);

}  // namespace walpost::outbox

#endif  // WALPOST_OUTBOX_JSON_COMPACT_H_
