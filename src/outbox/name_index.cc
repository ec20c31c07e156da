#include "outbox/name_index.h"

#include <algorithm>

namespace walpost::outbox {
namespace {

constexpr std::size_t kLongest = 16;  // that is searched

}  // namespace

void NameIndex::Add(std::string_view name) {
  names_.push_back(name);
  if (names_.size() <= kLongest) return;
  if (places_.empty()) {
    for (std::size_t i = 0; i + 1 < names_.size(); ++i) places_.emplace(names_[i], i);
  }
  places_.emplace(name, names_.size() - 1);
}

std::optional<std::size_t> NameIndex::Find(std::string_view name) const {
  if (!places_.empty()) {
    const auto found = places_.find(name);
    return found == places_.end() ? std::nullopt : std::optional<std::size_t>(found->second);
  }
  const auto found = std::find(names_.begin(), names_.end(), name);
  if (found == names_.end()) return std::nullopt;
  return static_cast<std::size_t>(found - names_.begin());
}

}  // namespace walpost::outbox
