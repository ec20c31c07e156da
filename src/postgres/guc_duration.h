#ifndef WALPOST_POSTGRES_GUC_DURATION_H_
#define WALPOST_POSTGRES_GUC_DURATION_H_

#include <absl/status/statusor.h>
#include <absl/time/time.h>

#include <string_view>

namespace walpost::postgres {

// Reads a server setting in milliseconds as SHOW prints it: `60s`, `1min`, `500ms`, `0`. A bare
// number is in milliseconds. Error: kInternal, since the server wrote it. Pure.
// Source: https://www.postgresql.org/docs/current/config-setting.html
absl::StatusOr<absl::Duration> ParseGucDuration(std::string_view text);

}  // namespace walpost::postgres

#endif  // WALPOST_POSTGRES_GUC_DURATION_H_
