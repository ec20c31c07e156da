#ifndef WALPOST_CORE_TOPIC_COUNTERS_H_
#define WALPOST_CORE_TOPIC_COUNTERS_H_

#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "base/mutex.h"
#include "walpost/relay_metrics.h"

namespace walpost {

// What was published to one topic: acknowledged by the broker. One writer, the relay thread.
struct TopicCounters {
  RelaxedCell events;
  RelaxedCell bytes;
};

// The counters of every topic that was published to. Thread-safe; the lock is taken for a new topic
// and for a look at all, never for an event.
class TopicCounterTable {
 public:
  // The counters of one topic, made on first use; valid for the table's life.
  TopicCounters& ForTopic(std::string_view topic);

  // Calls `visit` for each topic in order of name, with the table locked.
  void Visit(const std::function<void(std::string_view, const TopicCounters&)>& visit) const;

 private:
  mutable Mutex mutex_;
  std::map<std::string, TopicCounters, std::less<>> topics_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace walpost

#endif  // WALPOST_CORE_TOPIC_COUNTERS_H_
