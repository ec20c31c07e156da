#ifndef WALPOST_CORE_ERROR_POLICY_H_
#define WALPOST_CORE_ERROR_POLICY_H_

#include <absl/status/status.h>

#include <string_view>

namespace walpost {

// What an error means for the one who meets it; one row for each code that a module edge may hand
// out.
struct ErrorPolicy {
  // Whether the relay tries again by itself.
  bool retry;
  // The process's exit code when it does not.
  int exit_code;
  // Value of the metric label `reason`.
  std::string_view label;
};

// The exit codes of the contract.
inline constexpr int kExitOk = 0;
inline constexpr int kExitFailed = 1;        // trying again may help
inline constexpr int kExitUsage = 2;         // usage or configuration
inline constexpr int kExitPrecondition = 3;  // an operator must act
inline constexpr int kExitDataLoss = 4;      // going on could lose events
inline constexpr int kExitBug = 70;          // a bug of walpost's

// The one table from status code to behaviour. A code that no edge hands out is a bug of ours.
ErrorPolicy PolicyFor(absl::StatusCode code);

}  // namespace walpost

#endif  // WALPOST_CORE_ERROR_POLICY_H_
