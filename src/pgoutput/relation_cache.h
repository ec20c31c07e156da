#ifndef WALPOST_PGOUTPUT_RELATION_CACHE_H_
#define WALPOST_PGOUTPUT_RELATION_CACHE_H_

#include <cstdint>
#include <memory>
#include <unordered_map>

#include "pgoutput/message.h"

namespace walpost::pgoutput {

// The tables that one stream has described, by their id. A description replaces the one before it.
// Not thread-safe.
class RelationCache {
 public:
  // The stored relation keeps its address until it is replaced or the cache is cleared.
  const Relation* Put(Relation relation);

  // nullptr when the stream has not described it.
  const Relation* Find(std::uint32_t id);

  void Clear();

 private:
  std::unordered_map<std::uint32_t, std::unique_ptr<Relation>> relations_;
  // Rows come in runs of one table.
  const Relation* last_ = nullptr;
};

}  // namespace walpost::pgoutput

#endif  // WALPOST_PGOUTPUT_RELATION_CACHE_H_
