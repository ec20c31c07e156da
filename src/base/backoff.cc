#include "base/backoff.h"

#include <algorithm>

namespace walpost {

absl::Duration Backoff::Next() {
  std::uniform_real_distribution<double> share(0.5, 1.0);
  absl::Duration delay = current_ * share(random_);
  current_ = std::min(current_ * 2, max_);
  return delay;
}

}  // namespace walpost
