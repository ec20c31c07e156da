#include "app/demo_report.h"

#include <absl/strings/str_format.h>

#include <algorithm>
#include <cmath>

namespace walpost::app {

void DemoTally::Committed(const std::string& id, absl::Duration at) {
  committed_[id] = {at, false};
}

void DemoTally::RolledBack(const std::string& id) { committed_.erase(id); }

DemoTally::Arrival DemoTally::Arrived(const std::string& id, absl::Duration at,
                                      absl::Duration& latency) {
  auto found = committed_.find(id);
  if (found == committed_.end()) {
    ++foreign_;
    return Arrival::kForeign;
  }
  if (found->second.arrived) {
    ++duplicates_;
    return Arrival::kDuplicate;
  }
  found->second.arrived = true;
  latency = at - found->second.committed_at;
  latencies_.push_back(latency);
  return Arrival::kFirst;
}

absl::Duration DemoTally::Percentile(double share) const {
  if (latencies_.empty()) return absl::ZeroDuration();
  std::vector<absl::Duration> sorted = latencies_;
  std::sort(sorted.begin(), sorted.end());
  const auto rank = static_cast<std::size_t>(std::ceil(share * static_cast<double>(sorted.size())));
  return sorted[std::clamp<std::size_t>(rank, 1, sorted.size()) - 1];
}

std::string InMilliseconds(absl::Duration duration) {
  return absl::StrFormat("%.2f ms", absl::ToDoubleMilliseconds(duration));
}

}  // namespace walpost::app
