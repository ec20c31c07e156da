#ifndef WALPOST_RELAY_METRICS_H_
#define WALPOST_RELAY_METRICS_H_

#include <absl/time/time.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "walpost/poison.h"

namespace walpost {

// What the relay is doing, for /readyz and the log.
enum class RelayState : int {
  kStarting,
  kConnecting,  // to PostgreSQL, also after a loss
  kStandby,     // another instance holds the slot; waiting for it
  kStreaming,
  kDraining,
  kStopped,
};

std::string_view RelayStateName(RelayState state);

// A counter or gauge with one writer, the relay thread, and any number of readers. Relaxed: a
// reader sees each value soon, not several together.
class RelaxedCell {
 public:
  void Set(std::int64_t v) { value_.store(v, std::memory_order_relaxed); }
  // Cheaper than a locked add; right because there is one writer.
  void Add(std::int64_t n) { Set(Get() + n); }
  std::int64_t Get() const { return value_.load(std::memory_order_relaxed); }

 private:
  std::atomic<std::int64_t> value_{0};
};

// A histogram of durations with fixed bounds; one writer.
class DurationHistogram {
 public:
  // Upper bounds in seconds, ascending; one more bucket takes what is above.
  static constexpr std::array<double, 14> kBounds = {
      0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0, 30.0, 300.0};

  // `count` observations of the same duration. A negative one (the clock that stamped the commit is
  // ahead of ours) counts as zero.
  void Observe(double seconds, std::int64_t count);

  // Observations in bucket i alone, not cumulative; i up to and including kBounds.size().
  std::int64_t BucketCount(std::size_t i) const { return buckets_[i].Get(); }
  double SumSeconds() const { return sum_seconds_.load(std::memory_order_relaxed); }

 private:
  std::array<RelaxedCell, kBounds.size() + 1> buckets_;
  // Not an integer of microseconds: the backlog of a long outage would overflow it.
  std::atomic<double> sum_seconds_{0};
};

// The figures of a relay. Written by the relay thread, read by any; never locked, never on the hot
// path more than once for each turn of the loop.
struct RelayMetrics {
  std::atomic<RelayState> state{RelayState::kStarting};
  // Microseconds since 1970 of the last byte from the server; 0 before the first.
  RelaxedCell last_server_message_us;
  // Whether a broker is reachable, as far as the producer knows.
  std::atomic<bool> broker_up{false};
  // Whether the sink did not take, or lost, what the stream brought, and nothing of that has been
  // acknowledged since.
  std::atomic<bool> sink_failing{false};
  // Microseconds since 1970 when the sink last owed no acknowledgement, or gave one; 0 before.
  RelaxedCell last_sink_progress_us;

  RelaxedCell received_lsn;
  RelaxedCell confirmed_lsn;
  // Where the server's WAL ended when it last told.
  RelaxedCell server_wal_end;
  // Commit time of the oldest transaction that is not wholly acknowledged, microseconds since 1970;
  // 0 when there is none.
  RelaxedCell oldest_unacked_commit_us;

  RelaxedCell events_in_flight;
  RelaxedCell bytes_in_flight;
  RelaxedCell reconnects_postgres;
  RelaxedCell reconnects_kafka;
  RelaxedCell rows_ignored;       // INSERTs into published tables that are not an outbox
  RelaxedCell updates_ignored;    // UPDATEs of outbox rows: not events
  RelaxedCell truncates_ignored;  // TRUNCATEs of published tables
  // By reason and action.
  std::array<std::array<RelaxedCell, kPoisonActions.size()>, kPoisonReasons.size()> poison_events;
  RelaxedCell& PoisonEvents(PoisonReason reason, PoisonAction action) {
    return poison_events[static_cast<std::size_t>(reason)][static_cast<std::size_t>(action)];
  }
  DurationHistogram commit_to_ack;
};

}  // namespace walpost

#endif  // WALPOST_RELAY_METRICS_H_
