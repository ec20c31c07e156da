#include "outbox/field_source.h"

#include <absl/status/status.h>
#include <absl/strings/str_cat.h>

#include <cstddef>

#include "base/strings.h"
#include "outbox/json_field.h"

namespace walpost::outbox {

absl::StatusOr<FieldSource> FieldSource::Parse(std::string_view text, std::string_view setting) {
  FieldSource source;
  if (text.size() >= 2 && text.front() == '\'' && text.back() == '\'') {
    source.constant = std::string(text.substr(1, text.size() - 2));
    return source;
  }
  const std::size_t colon = text.find(":/");
  source.column = std::string(text.substr(0, colon));
  if (colon != std::string_view::npos) source.pointer = std::string(text.substr(colon + 1));
  // Meant as a pointer, most likely.
  const bool half_pointer = source.column.find("payload:") == 0;
  const bool half_constant = text.substr(0, 1) == "'";
  if (source.column.empty() || half_pointer || half_constant ||
      (source.is_pointer() && !IsJsonPointer(source.pointer))) {
    return absl::InvalidArgumentError(absl::StrCat(
        ToAbsl(setting), ": '", ToAbsl(text),
        "' is neither a column, nor column:/json/pointer, nor a 'constant'",
        "; hint: write aggregateid, or payload:/order/id, or 'shop' in single quotes"));
  }
  return source;
}

}  // namespace walpost::outbox
