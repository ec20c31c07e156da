#include "outbox/json_field.h"

#include <absl/status/status.h>
#include <absl/strings/str_cat.h>
#include <rapidjson/document.h>
#include <rapidjson/pointer.h>

namespace walpost::outbox {

bool IsJsonPointer(std::string_view text) {
  return !text.empty() && text.front() == '/' &&
         rapidjson::Pointer(text.data(), text.size()).IsValid();
}

absl::StatusOr<std::optional<std::string>> JsonScalarAt(std::string_view json,
                                                        const std::string& pointer) {
  rapidjson::Document document;
  // Numbers stay text, so that no digit is lost; iterative, so that deep nesting cannot exhaust the
  // stack.
  document.Parse<rapidjson::kParseNumbersAsStringsFlag | rapidjson::kParseIterativeFlag>(
      json.data(), json.size());
  if (document.HasParseError()) {
    return absl::InvalidArgumentError(
        absl::StrCat("not JSON, at byte ", document.GetErrorOffset()));
  }
  const rapidjson::Value* value = rapidjson::Pointer(pointer.data(), pointer.size()).Get(document);
  if (value == nullptr || value->IsNull()) return std::nullopt;
  if (value->IsBool()) return value->GetBool() ? "true" : "false";
  if (value->IsString()) return std::string(value->GetString(), value->GetStringLength());
  return absl::InvalidArgumentError(absl::StrCat("no scalar at ", pointer));
}

}  // namespace walpost::outbox
