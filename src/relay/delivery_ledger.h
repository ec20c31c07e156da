#ifndef WALPOST_RELAY_DELIVERY_LEDGER_H_
#define WALPOST_RELAY_DELIVERY_LEDGER_H_

#include <absl/status/status.h>

#include <cstddef>
#include <cstdint>

#include "ack/ack_tracker.h"
#include "base/clock.h"
#include "walpost/event_sink.h"
#include "walpost/relay_metrics.h"
#include "walpost/relay_options.h"

namespace walpost {

// Everything that is known of events which were handed to the sink: how many are in flight, which
// transactions are wholly acknowledged, and the first delivery that failed. It outlives a stream,
// since the sink goes on delivering what an earlier stream brought. Relay thread only.
class DeliveryLedger final : public DeliveryListener {
 public:
  DeliveryLedger(const RelayOptions& options, const Clock& clock, RelayMetrics& metrics)
      : options_(options), clock_(clock), metrics_(metrics) {}

  ack::AckTracker& tracker() { return tracker_; }
  const ack::AckTracker& tracker() const { return tracker_; }

  // The sink took an event of this cost.
  void OnPublished(std::size_t cost) {
    ++events_;
    bytes_ += cost;
  }

  // Whether no further event may be published now. Below the bounds one more always may, however
  // large it is.
  bool full() const {
    return bytes_ >= options_.max_in_flight_bytes || events_ >= options_.max_in_flight_events;
  }

  // OK, or why an event of this stream was not delivered. Its transaction will not be confirmed.
  const absl::Status& failure() const { return failure_; }

  // To be called before each look at the sink's deliveries: the moment at which they count as
  // acknowledged.
  void StampNow();

  // Puts the figures where others can read them.
  void PublishMetrics();

  // A new stream begins at `start`; what is in flight goes on, but counts no more for the tracker.
  void BeginStream(Lsn start);

  // The sink has discarded all that was in flight.
  void OnSinkRestarted();

  void OnDelivered(EventTicket ticket, std::size_t cost) override;
  void OnFailed(EventTicket ticket, std::size_t cost, const absl::Status& reason) override;

 private:
  void Settle(std::size_t cost) {
    --events_;
    bytes_ -= cost;
  }

  const RelayOptions options_;
  const Clock& clock_;
  RelayMetrics& metrics_;
  ack::AckTracker tracker_;
  std::size_t events_ = 0;
  std::size_t bytes_ = 0;
  std::int64_t now_us_ = 0;
  absl::Status failure_;
};

}  // namespace walpost

#endif  // WALPOST_RELAY_DELIVERY_LEDGER_H_
