#include "core/topic_counters.h"

namespace walpost {

TopicCounters& TopicCounterTable::ForTopic(std::string_view topic) {
  MutexLock lock(mutex_);
  auto it = topics_.find(topic);
  if (it == topics_.end()) it = topics_.try_emplace(std::string(topic)).first;
  return it->second;
}

void TopicCounterTable::Visit(
    const std::function<void(std::string_view, const TopicCounters&)>& visit) const {
  MutexLock lock(mutex_);
  for (const auto& [topic, counters] : topics_) visit(topic, counters);
}

}  // namespace walpost
