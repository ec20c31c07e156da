#include "cli/report.h"

#include <absl/strings/str_split.h>

#include <ostream>
#include <string_view>

#include "base/strings.h"
#include "core/error_policy.h"

namespace walpost::cli {

int Report(const absl::Status& status, std::ostream& err) {
  constexpr std::string_view kHint = "; hint: ";
  int exit_code = PolicyFor(status.code()).exit_code;
  if (status.ok() || absl::IsCancelled(status)) return exit_code;
  for (absl::string_view part : absl::StrSplit(status.message(), '\n')) {
    std::string_view line = ToStd(part);
    std::size_t hint = line.find(kHint);
    err << "walpost: " << line.substr(0, hint) << '\n';
    if (hint != std::string_view::npos) err << "hint: " << line.substr(hint + kHint.size()) << '\n';
  }
  return exit_code;
}

}  // namespace walpost::cli
