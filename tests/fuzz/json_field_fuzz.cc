// A JSON pointer into arbitrary text: the pointer is the first line of the input, the text is the
// rest.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "outbox/json_field.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const std::size_t line = input.find('\n');
  if (line == std::string_view::npos) return 0;
  const std::string pointer(input.substr(0, line));
  if (walpost::outbox::IsJsonPointer(pointer)) {
    static_cast<void>(walpost::outbox::JsonScalarAt(input.substr(line + 1), pointer));
  }
  return 0;
}
