#ifndef WALPOST_APP_DEMO_REPORT_H_
#define WALPOST_APP_DEMO_REPORT_H_

#include <absl/time/time.h>

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace walpost::app {

// What the demo counts: events that were committed, and what arrived of them. Plain bookkeeping;
// not thread-safe.
class DemoTally {
 public:
  // The transaction of this event was committed at `at` (monotonic).
  void Committed(const std::string& id, absl::Duration at);
  // The transaction of this event was rolled back: it must never arrive.
  void RolledBack(const std::string& id);

  // An event arrived at `at`; answers how long after its commit. The second arrival of an event is
  // a duplicate, one that was rolled back or never written is foreign; neither gives a latency.
  enum class Arrival { kFirst, kDuplicate, kForeign };
  Arrival Arrived(const std::string& id, absl::Duration at, absl::Duration& latency);

  std::size_t committed() const { return committed_.size(); }
  std::size_t lost() const { return committed_.size() - latencies_.size(); }
  std::size_t duplicates() const { return duplicates_; }
  std::size_t foreign() const { return foreign_; }

  // The smallest latency that `share` of the events did not exceed; zero without any.
  absl::Duration Percentile(double share) const;

 private:
  struct Event {
    absl::Duration committed_at;
    bool arrived = false;
  };
  std::map<std::string, Event> committed_;
  std::vector<absl::Duration> latencies_;
  std::size_t duplicates_ = 0;
  std::size_t foreign_ = 0;
};

// `1.35 ms`.
std::string InMilliseconds(absl::Duration duration);

}  // namespace walpost::app

#endif  // WALPOST_APP_DEMO_REPORT_H_
