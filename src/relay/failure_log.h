#ifndef WALPOST_RELAY_FAILURE_LOG_H_
#define WALPOST_RELAY_FAILURE_LOG_H_

#include <absl/time/time.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "walpost/logger.h"

namespace walpost {

// Writes a failure that repeats as one line at first and then a count at intervals, and a line when
// it is over. Relay thread only.
class FailureLog {
 public:
  // `peer` is what fails, for the log: "postgres".
  FailureLog(std::string_view peer, Logger& logger, const Clock& clock)
      : peer_(peer), logger_(logger), clock_(clock) {}

  // One more failure. A reason that differs from the last is a first again.
  void Failed(std::string_view reason);

  // It works. Says so when it had failed.
  void Recovered();

 private:
  static constexpr absl::Duration kInterval = absl::Minutes(1);

  const std::string peer_;
  Logger& logger_;
  const Clock& clock_;
  std::string reason_;
  std::int64_t failures_ = 0;
  absl::Duration since_;
  absl::Duration last_line_;
};

}  // namespace walpost

#endif  // WALPOST_RELAY_FAILURE_LOG_H_
