#include "outbox/column_template.h"

#include <absl/status/status.h>
#include <absl/strings/str_cat.h>

#include <cstddef>

#include "base/strings.h"

namespace walpost::outbox {
namespace {

absl::Status Bad(std::string_view setting, std::string_view text, std::string_view why) {
  return absl::InvalidArgumentError(absl::StrCat(ToAbsl(setting), ": '", ToAbsl(text),
                                                 "': ", ToAbsl(why),
                                                 "; hint: write text and ${column}, like "
                                                 "outbox.event.${aggregatetype}"));
}

}  // namespace

absl::StatusOr<ColumnTemplate> ColumnTemplate::Parse(std::string_view text,
                                                     std::string_view setting) {
  ColumnTemplate result;
  std::string_view rest = text;
  while (!rest.empty()) {
    const std::size_t open = rest.find("${");
    if (open != 0) result.parts.push_back({std::string(rest.substr(0, open)), false});
    if (open == std::string_view::npos) break;
    rest.remove_prefix(open + 2);
    const std::size_t close = rest.find('}');
    if (close == std::string_view::npos) return Bad(setting, text, "'${' without '}'");
    if (close == 0) return Bad(setting, text, "'${}' names no column");
    result.parts.push_back({std::string(rest.substr(0, close)), true});
    rest.remove_prefix(close + 1);
  }
  if (result.parts.empty()) return Bad(setting, text, "empty");
  return result;
}

}  // namespace walpost::outbox
