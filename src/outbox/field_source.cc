#include "outbox/field_source.h"

#include <absl/status/status.h>
#include <absl/strings/str_cat.h>

#include <cstddef>

#include "base/strings.h"
#include "outbox/json_field.h"

namespace walpost::outbox {

absl::StatusOr<FieldSource> FieldSource::Parse(std::string_view text, std::string_view setting) {
  FieldSource source;
  const std::size_t colon = text.find(":/");
  source.column = std::string(text.substr(0, colon));
  if (colon != std::string_view::npos) source.pointer = std::string(text.substr(colon + 1));
  if (source.column.empty() || (source.is_pointer() && !IsJsonPointer(source.pointer))) {
    return absl::InvalidArgumentError(absl::StrCat(
        ToAbsl(setting), " = '", ToAbsl(text), "' is neither a column nor column:/json/pointer",
        "; hint: write aggregateid, or payload:/order/id"));
  }
  return source;
}

}  // namespace walpost::outbox
