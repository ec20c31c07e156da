#ifndef WALPOST_RELAY_EVENT_PUBLISHER_H_
#define WALPOST_RELAY_EVENT_PUBLISHER_H_

#include <absl/status/status.h>
#include <absl/status/statusor.h>

#include <cstdint>
#include <string_view>

#include "relay/delivery_ledger.h"
#include "relay/poison_log.h"
#include "walpost/relay.h"

namespace walpost {

// Hands the events of one stream to the sink in the order of the stream, each with a ticket of its
// transaction, and does with a poison one what the options say. A dead letter takes the place of
// the row that it carries: its transaction waits for it as it would have for the row.
//
// Keeps one event while the sink has no room for it. That is a view of what was read last, so
// nothing may be read, and the mapper not be used, while holds_event(). Relay thread only; used for
// one stream and thrown away.
class EventPublisher {
 public:
  // Everything must outlive the publisher.
  EventPublisher(const RelayParts& parts, const RelayOptions& options, DeliveryLedger& ledger,
                 PoisonLog& poison_log)
      : parts_(parts), options_(options), ledger_(ledger), poison_log_(poison_log) {}

  // One event of the open transaction, at `position`; or why the mapper could not make one.
  // Errors: kDataLoss after a poison event that halts, see halted(); those of the mapper and the
  // sink that are not about the event.
  absl::Status Publish(const absl::StatusOr<const OutboxEvent*>& mapped, Lsn position);

  // The same for an event that is a transaction by itself, which ends at `position`.
  absl::Status PublishAlone(const absl::StatusOr<const OutboxEvent*>& mapped,
                            std::int64_t commit_time_us, Lsn position);

  // Tries again to hand over what is held, if anything is. Errors as above.
  absl::Status PublishHeld();

  // The event ends the relay, whatever the options say. Answers with the error to end with; see
  // PoisonLog::Halted().
  absl::Status Halt(const absl::Status& poison, Lsn position, std::string_view hint);

  bool holds_event() const { return held_ != nullptr; }
  // Whether a poison event ended the stream: its transaction stays open or failed in the tracker,
  // so that nothing from it on can be confirmed.
  bool halted() const { return halted_; }
  // Whether the sink lost its producer.
  bool sink_lost() const { return sink_lost_; }

 private:
  absl::Status OnTaken(std::size_t cost);
  absl::Status OnRefused(const absl::Status& refusal);
  absl::Status OnPoison(const absl::Status& poison);
  absl::Status Release();

  const RelayParts& parts_;
  const RelayOptions& options_;
  DeliveryLedger& ledger_;
  PoisonLog& poison_log_;

  const OutboxEvent* held_ = nullptr;
  Lsn position_;               // of what is held, or was last
  bool alone_ = false;         // whether it is a transaction by itself
  absl::Status poison_;        // what is wrong with the row, when its dead letter is held
  bool row_left_out_ = false;  // whether that is one without the row
  bool halted_ = false;
  bool sink_lost_ = false;
};

}  // namespace walpost

#endif  // WALPOST_RELAY_EVENT_PUBLISHER_H_
