// Arbitrary text as a payload. What comes out must be JSON, and the scanner must take what
// RapidJSON takes, which it is checked against.
#include <rapidjson/document.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "outbox/bytea.h"
#include "outbox/json_compact.h"
#include "outbox/json_expand.h"

namespace {

using walpost::outbox::AppendCompactJson;
using walpost::outbox::ExpandColumn;
using walpost::outbox::ExpandOptions;

void Require(bool claim) {
  if (!claim) std::abort();
}

bool IsJson(std::string_view text) {
  std::string out;
  return AppendCompactJson(text, out).ok();
}

// RapidJSON refuses escapes of lone surrogates, takes a NUL for the end of the text, and skips any
// byte of a byte order mark.
bool IsComparable(std::string_view text) {
  return text.find("\\u") == std::string_view::npos && text.find('\0') == std::string_view::npos &&
         !text.starts_with('\xEF') && !text.starts_with('\xBB') && !text.starts_with('\xBF');
}

void CheckCompact(std::string_view text) {
  std::string compact = "[";
  const bool ok = AppendCompactJson(text, compact).ok();
  if (IsComparable(text)) {
    rapidjson::Document document;
    document.Parse<rapidjson::kParseIterativeFlag | rapidjson::kParseNumbersAsStringsFlag |
                   rapidjson::kParseValidateEncodingFlag>(text.data(), text.size());
    // It reads no number beyond a double, even where it makes none of them.
    if (document.GetParseError() != rapidjson::kParseErrorNumberTooBig) {
      Require(ok == !document.HasParseError());
    }
  }
  if (!ok) {
    Require(compact == "[");
    return;
  }
  // Once compact, for good.
  std::string again = "[";
  Require(AppendCompactJson(std::string_view(compact).substr(1), again).ok());
  Require(again == compact);
}

void CheckExpanded(std::string_view text, const ExpandOptions& options) {
  std::string out;
  const bool ok = AppendExpandedJson(text, options, out).ok();
  Require(ok ? IsJson(out) : out.empty());
  out.clear();
  Require(AppendExpandedStruct(text, options, out).ok());
  ExpandColumn column;
  column.schema = R"({"type":"string","optional":true})";
  out.clear();
  Require(AppendExpandedSchemaJson(text, options, column, out).ok() == ok);
  Require(ok ? IsJson(out) : out.empty());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  CheckCompact(text);
  ExpandOptions options;
  CheckExpanded(text, options);
  options.keep_nulls = true;
  CheckExpanded(text, options);
  options.keep_empty_arrays = true;
  CheckExpanded(text, options);
  std::string bytes;
  static_cast<void>(walpost::outbox::DecodeBytea(text, bytes));
  return 0;
}
