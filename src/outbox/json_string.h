#ifndef WALPOST_OUTBOX_JSON_STRING_H_
#define WALPOST_OUTBOX_JSON_STRING_H_

#include <string>
#include <string_view>

namespace walpost::outbox {

// Appends `text`, which is UTF-8, as a JSON string with its quotes, byte for byte as Jackson's
// UTF8JsonGenerator with its defaults writes it, and so as Kafka Connect's JsonConverter does:
// `\"` `\\` `\b` `\t` `\n` `\f` `\r`, other control characters as `\u001F`, characters above U+FFFF
// as the two escapes of their surrogates (`\uD83D\uDE00`), and nothing else: no `/`, no `<`, no
// U+007F, no U+2028. A surrogate in three bytes (ED A0..BF xx, which is no UTF-8) becomes its
// escape, too; all other bytes are copied.
void AppendJsonString(std::string_view text, std::string& out);

}  // namespace walpost::outbox

#endif  // WALPOST_OUTBOX_JSON_STRING_H_
