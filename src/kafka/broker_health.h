#ifndef WALPOST_KAFKA_BROKER_HEALTH_H_
#define WALPOST_KAFKA_BROKER_HEALTH_H_

#include <absl/time/time.h>

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/strings.h"
#include "walpost/logger.h"
#include "walpost/relay_metrics.h"

namespace walpost::kafka {

// Turns the stream of connection errors and log lines that a Kafka client emits, several a second
// for as long as a broker is down, into few log lines and one gauge: the first failure with its
// reason, then a count at intervals, then one line when brokers are reachable again.
//
// For the relay thread alone; the references must outlive it.
class BrokerHealth {
 public:
  // A failure that goes on is logged this often.
  static constexpr absl::Duration kInterval = absl::Seconds(60);

  // `brokers` is what the log lines name: host:port, separated by commas.
  BrokerHealth(std::string brokers, RelayMetrics& metrics, Logger& logger, const Clock& clock);

  // A connection failed or could not be made; others may still work.
  void ConnectionFailed(std::string_view reason);
  // None works. Begins an outage, which Reachable() ends.
  void AllDown(std::string_view reason);
  // A broker answers: an event was delivered, or a connection is up. Cheap when there is no outage.
  void Reachable();
  // To be called now and then, so that an outage without new failures is logged as well.
  void Tick();

  // A line of the client's own log. `facility` is its kind in the client's words, few of them.
  void ClientLog(LogLevel level, std::string_view facility, std::string_view text);

  // Of the last failure since a broker was last reachable; empty when there was none.
  const std::string& last_reason() const { return last_reason_; }

 private:
  // Lets the first of a series pass, then one an interval.
  struct Repeats {
    absl::Duration last_logged = -absl::InfiniteDuration();
    std::int64_t unlogged = 0;
  };

  bool Due(const Repeats& repeats) const;
  void LogFailure();

  const std::string brokers_;
  RelayMetrics& metrics_;
  Logger& logger_;
  const Clock& clock_;

  Repeats failures_;
  std::string last_reason_;
  bool outage_ = false;
  absl::Duration outage_began_;
  std::int64_t outage_failures_ = 0;
  std::map<std::string, Repeats, std::less<>> client_logs_;  // by facility
};

}  // namespace walpost::kafka

#endif  // WALPOST_KAFKA_BROKER_HEALTH_H_
