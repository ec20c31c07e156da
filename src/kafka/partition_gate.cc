#include "kafka/partition_gate.h"

#include <algorithm>
#include <utility>

namespace walpost::kafka {

bool PartitionGate::WantsPartitions(absl::Duration now) const {
  return states_.empty() ? first_.has_value() && waiting_ == 0 : now >= ask_at_;
}

void PartitionGate::SetPartitions(std::int32_t count, absl::Duration now) {
  if (AwaitsTopic()) return;
  if (now >= trust_ends_) {
    // What is waited for stays so: it is the first one all the same.
    std::replace(states_.begin(), states_.end(), State::kTrusted, State::kUnknown);
    trust_ends_ = now + kTrust;
  }
  ask_at_ = now + kAskEvery;
  states_.resize(static_cast<std::size_t>(std::max(count, 1)), State::kUnknown);
  waiting_ = static_cast<std::size_t>(std::count(states_.begin(), states_.end(), State::kWaits));
  Reopen();
  if (const auto first = std::exchange(first_, std::nullopt); first) OnDelivered(*first);
}

PartitionGate::State* PartitionGate::StateOf(std::optional<std::int32_t> partition) {
  if (!partition || *partition < 0 || *partition >= partitions()) return nullptr;
  return &states_[static_cast<std::size_t>(*partition)];
}

bool PartitionGate::Admits(std::optional<std::int32_t> partition) const {
  if (states_.empty()) return waiting_ == 0;
  if (!partition || *partition < 0 || *partition >= partitions()) return true;
  return states_[static_cast<std::size_t>(*partition)] != State::kWaits;
}

void PartitionGate::OnTaken(std::optional<std::int32_t> partition) {
  State* state = StateOf(partition);
  if (state != nullptr && *state == State::kUnknown) *state = State::kWaits;
  if (states_.empty() || (state != nullptr && *state == State::kWaits)) ++waiting_;
}

void PartitionGate::OnDelivered(std::int32_t partition) {
  if (states_.empty()) {
    // Nothing else was under way.
    first_ = partition;
    waiting_ = 0;
    return;
  }
  State* state = StateOf(partition);
  if (state == nullptr || *state == State::kTrusted) return;
  if (*state == State::kWaits) --waiting_;
  *state = State::kTrusted;
  Reopen();
}

void PartitionGate::Reopen() {
  const bool all = !states_.empty() && std::all_of(states_.begin(), states_.end(), [](State one) {
    return one == State::kTrusted;
  });
  open_until_ = all ? std::min(trust_ends_, ask_at_) : -absl::InfiniteDuration();
}

void PartitionGate::OnNothingUnderWay() {
  if (waiting_ == 0) return;
  states_.clear();
  waiting_ = 0;
  first_ = -1;
}

}  // namespace walpost::kafka
