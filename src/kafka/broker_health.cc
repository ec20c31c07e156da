#include "kafka/broker_health.h"

#include <array>
#include <atomic>
#include <utility>

namespace walpost::kafka {

BrokerHealth::BrokerHealth(std::string brokers, RelayMetrics& metrics, Logger& logger,
                           const Clock& clock)
    : brokers_(std::move(brokers)), metrics_(metrics), logger_(logger), clock_(clock) {}

bool BrokerHealth::Due(const Repeats& repeats) const {
  return clock_.Monotonic() - repeats.last_logged >= kInterval;
}

void BrokerHealth::ConnectionFailed(std::string_view reason) {
  last_reason_ = reason;
  ++failures_.unlogged;
  if (outage_) ++outage_failures_;
  if (Due(failures_)) LogFailure();
}

void BrokerHealth::AllDown(std::string_view reason) {
  metrics_.broker_up.store(false, std::memory_order_relaxed);
  // "all brokers are down" explains nothing where the cause of the last one is known.
  if (last_reason_.empty()) last_reason_ = reason;
  if (outage_) return;
  outage_ = true;
  outage_began_ = clock_.Monotonic();
  outage_failures_ = failures_.unlogged + 1;
  if (Due(failures_)) LogFailure();
}

void BrokerHealth::Tick() {
  if (outage_ && Due(failures_)) LogFailure();
}

void BrokerHealth::LogFailure() {
  const std::string_view message =
      outage_ ? "kafka: no broker reachable" : "kafka: broker connection failed";
  logger_.Warn(message,
               {{"brokers", brokers_}, {"reason", last_reason_}, {"failures", failures_.unlogged}});
  failures_.last_logged = clock_.Monotonic();
  failures_.unlogged = 0;
}

void BrokerHealth::Reachable() {
  metrics_.broker_up.store(true, std::memory_order_relaxed);
  if (!outage_) return;
  outage_ = false;
  logger_.Info("kafka: reachable again",
               {{"brokers", brokers_},
                {"after_seconds", absl::ToDoubleSeconds(clock_.Monotonic() - outage_began_)},
                {"failures", outage_failures_}});
  failures_ = Repeats();
  last_reason_.clear();
}

void BrokerHealth::ClientLog(LogLevel level, std::string_view facility, std::string_view text) {
  auto it = client_logs_.find(facility);
  if (it == client_logs_.end()) it = client_logs_.try_emplace(std::string(facility)).first;
  Repeats& repeats = it->second;
  if (!Due(repeats)) {
    ++repeats.unlogged;
    return;
  }
  const std::array<LogField, 3> fields = {LogField("facility", facility), LogField("text", text),
                                          LogField("suppressed", repeats.unlogged)};
  logger_.Log(level, "kafka: client log", fields);
  repeats.last_logged = clock_.Monotonic();
  repeats.unlogged = 0;
}

}  // namespace walpost::kafka
