#include "core/error_policy.h"

namespace walpost {

ErrorPolicy PolicyFor(absl::StatusCode code) {
  switch (code) {
    case absl::StatusCode::kOk:
      return {false, kExitOk, "none"};
    case absl::StatusCode::kCancelled:
      return {false, kExitOk, "stopped"};
    case absl::StatusCode::kUnavailable:
    case absl::StatusCode::kDeadlineExceeded:
      return {true, kExitFailed, "unavailable"};
    case absl::StatusCode::kResourceExhausted:
      return {true, kExitFailed, "full"};
    case absl::StatusCode::kAborted:
      return {true, kExitFailed, "slot_active"};
    case absl::StatusCode::kUnauthenticated:
      return {true, kExitPrecondition, "refused"};
    case absl::StatusCode::kInvalidArgument:
      return {false, kExitUsage, "configuration"};
    case absl::StatusCode::kNotFound:
    case absl::StatusCode::kFailedPrecondition:
      return {false, kExitPrecondition, "precondition"};
    case absl::StatusCode::kDataLoss:
      return {false, kExitDataLoss, "data_loss"};
    default:
      return {false, kExitBug, "bug"};
  }
}

}  // namespace walpost
