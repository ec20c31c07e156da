#ifndef WALPOST_RELAY_POISON_LOG_H_
#define WALPOST_RELAY_POISON_LOG_H_

#include <absl/status/status.h>
#include <absl/time/time.h>

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "base/clock.h"
#include "walpost/logger.h"
#include "walpost/lsn.h"
#include "walpost/poison.h"
#include "walpost/relay_metrics.h"
#include "walpost/relay_options.h"

namespace walpost {

// Two reasons as one message, with the hints of both at its end: "first; LINK second; hint: ...".
std::string JoinReasons(std::string_view first, std::string_view link, std::string_view second);

// The message with the position before its hint: "message (LSN 0/10); hint: ...".
std::string WithPosition(std::string_view message, Lsn position);

// Counts poison events by reason and action, and tells of them: the first of each reason at once,
// and while more of them come, how many there were at intervals. Relay thread only.
class PoisonLog {
 public:
  // Everything must outlive the log.
  PoisonLog(const RelayOptions& options, RelayMetrics& metrics, Logger& logger, const Clock& clock)
      : options_(options), metrics_(metrics), logger_(logger), clock_(clock) {}

  // What is told from here on is of the transaction that commits at `commit`. One that comes again,
  // after a stream was lost, tells of the same events in the same order: they are counted once.
  void BeginTransaction(Lsn commit) {
    transaction_ = commit;
    event_ = 0;
  }

  // Positions mean something else from here on: another timeline.
  void OnNewTimeline() { counted_to_ = {}; }

  // The relay goes on after this poison event, which was skipped, or is on its way to the
  // dead-letter topic. `poison` names it and says what is wrong with it; see core/poison.h.
  void Handled(PoisonAction action, const absl::Status& poison, Lsn position);

  // The relay ends with this one. Answers with the kDataLoss to end with, which says all that is
  // known, then the hint of `poison` itself, then `hint`. A position of zero is not known.
  absl::Status Halted(const absl::Status& poison, Lsn position, std::string_view hint);

  // Says the counts that are due. To be called often.
  void Tick() {
    if (unsaid_ > 0) SayCounts(kInterval);
  }
  // Says the counts that are left, due or not; at the end.
  void Flush() {
    if (unsaid_ > 0) SayCounts(absl::ZeroDuration());
  }

 private:
  static constexpr absl::Duration kInterval = absl::Minutes(1);

  struct OfReason {
    absl::Duration last_line = -absl::InfiniteDuration();
    std::int64_t events = 0;  // since the last line
    Lsn last;
  };

  void SayInFull(PoisonAction action, const absl::Status& poison, Lsn position);
  void SayCounts(absl::Duration silent_for);

  const RelayOptions& options_;
  RelayMetrics& metrics_;
  Logger& logger_;
  const Clock& clock_;
  std::array<OfReason, kPoisonReasons.size()> reasons_;
  std::int64_t unsaid_ = 0;  // events of all reasons

  Lsn transaction_;
  std::int64_t event_ = 0;                        // how many poison ones it has had
  std::pair<Lsn, std::int64_t> counted_to_ = {};  // the last transaction and event
};

}  // namespace walpost

#endif  // WALPOST_RELAY_POISON_LOG_H_
