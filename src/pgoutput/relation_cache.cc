#include "pgoutput/relation_cache.h"

#include <utility>

namespace walpost::pgoutput {

const Relation* RelationCache::Put(Relation relation) {
  const std::uint32_t id = relation.id;
  auto stored = std::make_unique<Relation>(std::move(relation));
  last_ = stored.get();
  relations_[id] = std::move(stored);
  return last_;
}

const Relation* RelationCache::Find(std::uint32_t id) {
  if (last_ != nullptr && last_->id == id) return last_;
  auto it = relations_.find(id);
  if (it == relations_.end()) return nullptr;
  last_ = it->second.get();
  return last_;
}

void RelationCache::Clear() {
  last_ = nullptr;
  relations_.clear();
}

}  // namespace walpost::pgoutput
