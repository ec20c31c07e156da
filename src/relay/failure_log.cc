#include "relay/failure_log.h"

namespace walpost {

void FailureLog::Failed(std::string_view reason) {
  const absl::Duration now = clock_.Monotonic();
  if (failures_ == 0) since_ = now;
  ++failures_;
  if (reason != reason_) {
    reason_ = std::string(reason);
    last_line_ = now;
    logger_.Warn("lost; trying again until it is back", {{"peer", peer_}, {"reason", reason}});
  } else if (now - last_line_ >= kInterval) {
    last_line_ = now;
    logger_.Warn("still lost", {{"peer", peer_},
                                {"failures", failures_},
                                {"seconds", absl::ToInt64Seconds(now - since_)},
                                {"reason", reason}});
  }
}

void FailureLog::Recovered() {
  if (failures_ == 0) return;
  logger_.Info("back", {{"peer", peer_},
                        {"failures", failures_},
                        {"seconds", absl::ToInt64Seconds(clock_.Monotonic() - since_)}});
  failures_ = 0;
  reason_.clear();
}

}  // namespace walpost
