#ifndef WALPOST_OBSERVABILITY_HEALTH_H_
#define WALPOST_OBSERVABILITY_HEALTH_H_

#include <absl/time/time.h>

#include <string>
#include <vector>

#include "base/clock.h"
#include "walpost/relay_metrics.h"

namespace walpost::observability {

struct HealthLimits {
  // A server that has been silent for longer is not alive, nor are brokers that have acknowledged
  // none of the events in flight; the relay's own stall_timeout.
  absl::Duration stall_limit = absl::Seconds(60);
};

// What the probes of an orchestrator ask for. A plain value.
struct HealthReport {
  // The process can recover by itself: restarting it would be of no use.
  bool live = false;
  // Events flow, or would if there were any.
  bool ready = false;
  RelayState state = RelayState::kStarting;
  // Why it is not ready, for people; empty when it is.
  std::vector<std::string> reasons;

  // {"live":true,"state":"standby"}
  std::string LiveJson() const;
  // {"ready":false,"state":"standby","reasons":["..."]}
  std::string ReadyJson() const;
};

// Judges a relay by its figures. A standby instance is live and not ready. Safe on any thread.
HealthReport Evaluate(const RelayMetrics& metrics, const Clock& clock, const HealthLimits& limits);

}  // namespace walpost::observability

#endif  // WALPOST_OBSERVABILITY_HEALTH_H_
