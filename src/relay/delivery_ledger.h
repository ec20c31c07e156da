#ifndef WALPOST_RELAY_DELIVERY_LEDGER_H_
#define WALPOST_RELAY_DELIVERY_LEDGER_H_

#include <absl/status/status.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

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

  // The next event to be published carries a poison one to its dead-letter topic. Answers with the
  // ticket that it goes under; its delivery counts for `ticket`, and what is said of its failure
  // tells `poison` too, the reason why it was sent there.
  EventTicket AddDeadLetter(EventTicket ticket, std::string_view poison);

  // Takes it back; with what AddDeadLetter() answered.
  void UndoAddDeadLetter(EventTicket letter) { letters_.erase(letter); }

  // Whether no further event may be published now. Below the bounds one more always may, however
  // large it is.
  bool full() const {
    return bytes_ >= options_.max_in_flight_bytes || events_ >= options_.max_in_flight_events;
  }

  // Whether something that the stream brought is not acknowledged.
  bool owes() const { return tracker_.unacked() > 0 || tracker_.transaction_open(); }

  // OK, or why an event of this stream was not delivered. Its transaction will not be confirmed.
  const absl::Status& failure() const { return failure_; }

  // The commit of the transaction of that event.
  Lsn failed_at() const { return failed_at_; }

  // To be called before each look at the sink's deliveries: the moment at which they count as
  // acknowledged.
  void StampNow();

  // Puts the figures where others can read them.
  void PublishMetrics();

  // A new stream begins, and all before `start` is acknowledged; what is in flight goes on, but
  // counts no more for the tracker.
  void BeginStream(Lsn start);

  // What the last stream brought is another instance's from here on.
  void ForgetStream();

  // The sink has discarded all that was in flight.
  void OnSinkRestarted();

  void OnDelivered(EventTicket ticket, std::size_t cost) override;
  void OnFailed(EventTicket ticket, std::size_t cost, const absl::Status& reason) override;

 private:
  struct DeadLetter {
    EventTicket ticket = 0;
    std::string poison;
  };
  // Tells tickets of dead letters from those of the tracker, which counts transactions.
  static constexpr EventTicket kLetterBit = EventTicket{1} << 63;

  void Settle(std::size_t cost) {
    --events_;
    bytes_ -= cost;
  }
  // Forgets the letter and answers with it; an empty one for any other ticket.
  DeadLetter TakeLetter(EventTicket ticket);

  const RelayOptions options_;
  const Clock& clock_;
  RelayMetrics& metrics_;
  ack::AckTracker tracker_;
  std::size_t events_ = 0;
  std::size_t bytes_ = 0;
  std::int64_t now_us_ = 0;
  bool delivered_ = false;  // since PublishMetrics()
  absl::Status failure_;
  Lsn failed_at_;

  std::unordered_map<EventTicket, DeadLetter> letters_;  // in flight
  EventTicket next_letter_ = kLetterBit;
};

}  // namespace walpost

#endif  // WALPOST_RELAY_DELIVERY_LEDGER_H_
