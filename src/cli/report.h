#ifndef WALPOST_CLI_REPORT_H_
#define WALPOST_CLI_REPORT_H_

#include <absl/status/status.h>

#include <iosfwd>

namespace walpost::cli {

// Writes an error for people, `walpost: ...` and its hint on a line of its own, for each line of
// the message; nothing for kOk and kCancelled. Answers with the exit code for `status`.
int Report(const absl::Status& status, std::ostream& err);

}  // namespace walpost::cli

#endif  // WALPOST_CLI_REPORT_H_
