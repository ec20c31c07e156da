#ifndef WALPOST_OUTBOX_BYTEA_H_
#define WALPOST_OUTBOX_BYTEA_H_

#include <absl/status/status.h>

#include <string>
#include <string_view>

namespace walpost::outbox {

// Appends the bytes of a bytea in PostgreSQL's hex form, `\x0102ff`, with digits of either case.
// Error: kInvalidArgument for any other text, which it does not repeat; `out` is left as it was.
// https://www.postgresql.org/docs/current/datatype-binary.html
absl::Status DecodeBytea(std::string_view text, std::string& out);

// Appends `bytes` in base64 (RFC 4648, section 4), with padding and without line breaks.
void AppendBase64(std::string_view bytes, std::string& out);

}  // namespace walpost::outbox

#endif  // WALPOST_OUTBOX_BYTEA_H_
