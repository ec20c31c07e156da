#include "outbox/json_compact.h"

#include <absl/strings/str_cat.h>

#include <cstddef>

#include "outbox/json_scanner.h"

namespace walpost::outbox {

absl::Status AppendCompactJson(std::string_view json, std::string& out) {
  const std::size_t before = out.size();
  out.reserve(before + json.size());
  JsonScanner scanner(json);
  bool separated = true;  // nothing stands in front that a comma would have to follow
  for (;;) {
    const JsonToken token = scanner.Next();
    switch (token) {
      case JsonToken::kEnd:
        return absl::OkStatus();
      case JsonToken::kError:
        out.resize(before);
        return absl::InvalidArgumentError(absl::StrCat("not JSON, at byte ", scanner.offset()));
      case JsonToken::kObjectEnd:
      case JsonToken::kArrayEnd:
        break;
      default:
        if (!separated) out.push_back(',');
        break;
    }
    out.append(scanner.slice());
    if (token == JsonToken::kName) out.push_back(':');
    separated = token == JsonToken::kName || token == JsonToken::kObjectBegin ||
                token == JsonToken::kArrayBegin;
  }
}

}  // namespace walpost::outbox
