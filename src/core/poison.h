#ifndef WALPOST_CORE_POISON_H_
#define WALPOST_CORE_POISON_H_

#include <absl/status/status.h>

#include <string_view>

#include "walpost/poison.h"

namespace walpost {

// kInvalidArgument, and the reason with it.
absl::Status PoisonError(PoisonReason reason, std::string_view message);

// The same error with its reason set and at the front of its message, unless it has one already, or
// is not about the event: only kInvalidArgument is.
absl::Status AsPoison(PoisonReason reason, const absl::Status& error);

// The reason that came with the error; kRefused when none did.
PoisonReason PoisonReasonOf(const absl::Status& error);

}  // namespace walpost

#endif  // WALPOST_CORE_POISON_H_
