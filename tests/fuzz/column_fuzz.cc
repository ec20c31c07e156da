// A column of any type in either style, out of arbitrary text. Nothing may crash or read out of
// bounds; what is accepted must be valid JSON where JSON is asked for.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "base/byte_reader.h"
#include "outbox/column_format.h"
#include "outbox/json_compact.h"
#include "outbox/timestamp_text.h"
#include "outbox/utf8.h"

using walpost::outbox::AppendCompactJson;
using walpost::outbox::ColumnFormat;

// The input is a type, a modifier, a style, and the text.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::uint32_t kTypes[] = {16,  17,   20,   21,   23,   25,   26,   114,  142,  700,
                                      701, 1082, 1083, 1114, 1184, 1186, 1266, 1700, 2950, 3802};
  walpost::ByteReader input(std::string_view(reinterpret_cast<const char*>(data), size));
  const auto type = kTypes[input.Read<std::uint8_t>() % std::size(kTypes)];
  const auto modifier = input.Read<std::int32_t>();
  const bool debezium = (input.Read<std::uint8_t>() & 1) != 0;
  if (!input.ok()) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data) + input.offset(),
                              size - input.offset());
  const ColumnFormat format = ColumnFormat::Of(type, modifier, debezium);
  static_cast<void>(walpost::outbox::MicrosOfTimestamp(text));
  if (!format.fault().empty()) return 0;
  std::string out;
  static_cast<void>(format.AppendText(text, out));
  std::string json;
  if (format.AppendJson(text, json).ok() && walpost::outbox::IsUtf8(text)) {
    std::string compact;
    if (!AppendCompactJson(json, compact).ok()) std::abort();
  }
  std::string schema;
  if (!AppendCompactJson(format.SchemaJson(true, "f"), schema).ok()) std::abort();
  return 0;
}
