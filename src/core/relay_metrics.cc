#include "walpost/relay_metrics.h"

namespace walpost {

std::string_view RelayStateName(RelayState state) {
  switch (state) {
    case RelayState::kStarting:
      return "starting";
    case RelayState::kConnecting:
      return "connecting";
    case RelayState::kStandby:
      return "standby";
    case RelayState::kStreaming:
      return "streaming";
    case RelayState::kDraining:
      return "draining";
    case RelayState::kStopped:
      return "stopped";
  }
  return "unknown";
}

void DurationHistogram::Observe(double seconds, std::int64_t count) {
  // A sum that went down would look like a restart to Prometheus.
  if (!(seconds > 0)) seconds = 0;
  std::size_t i = 0;
  while (i < kBounds.size() && seconds > kBounds[i]) ++i;
  buckets_[i].Add(count);
  sum_seconds_.store(SumSeconds() + seconds * static_cast<double>(count),
                     std::memory_order_relaxed);
}

}  // namespace walpost
