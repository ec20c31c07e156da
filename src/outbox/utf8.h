#ifndef WALPOST_OUTBOX_UTF8_H_
#define WALPOST_OUTBOX_UTF8_H_

#include <cstddef>
#include <string_view>

namespace walpost::outbox {

// Length in bytes of the UTF-8 sequence that `text` begins with; 0 when it begins with none:
// overlong forms, surrogates and what lies above U+10FFFF are no UTF-8.
std::size_t Utf8LengthAt(std::string_view text);

bool IsUtf8(std::string_view text);

}  // namespace walpost::outbox

#endif  // WALPOST_OUTBOX_UTF8_H_
