#ifndef WALPOST_EVENT_SINK_H_
#define WALPOST_EVENT_SINK_H_

#include <absl/status/status.h>
#include <absl/status/statusor.h>

#include <cstddef>
#include <cstdint>

#include "walpost/outbox_event.h"

namespace walpost {

// Names the transaction that an event belongs to; the sink hands it back with the event's delivery
// report. Opaque to it.
using EventTicket = std::uint64_t;

// What a listener hears of one published event: exactly one of the two calls, once.
class DeliveryListener {
 public:
  virtual ~DeliveryListener() = default;

  // Every in-sync replica has the event. `cost` is what Publish() returned for it.
  virtual void OnDelivered(EventTicket ticket, std::size_t cost) = 0;

  // The event is not, and will not be, in the topic; its transaction must never be confirmed in
  // this stream. kUnavailable: publishing it again may succeed (missing topic, missing permission,
  // lost producer). kDataLoss: it never will (the broker refuses the event itself); the message
  // names the topic and the reason.
  virtual void OnFailed(EventTicket ticket, std::size_t cost, const absl::Status& reason) = 0;
};

// Where events go: Kafka in production, a fake in tests.
//
// Used by the relay thread alone. Nothing here blocks, but for Restart(), and for Publish() up to a
// second while it asks for the partitions of a topic.
class EventSink {
 public:
  virtual ~EventSink() = default;

  // Takes one event: copies it, and answers with its cost, the bytes of memory that it holds until
  // its delivery report. Events with the same key reach their partition in the order of these
  // calls.
  //
  // kResourceExhausted: no room, or it has to wait for one that is under way; not taken; offer it
  // again after a delivery report.
  // kInvalidArgument: refused as it is (too large, illegal partition); offering it again is of no
  // use. kUnavailable: the producer is lost; see Restart().
  virtual absl::StatusOr<std::size_t> Publish(const OutboxEvent& event, EventTicket ticket) = 0;

  // Reports the deliveries that have arrived, in the order of their arrival. Answers kUnavailable
  // when the producer is lost (a fatal error of the idempotent producer), kOk otherwise.
  virtual absl::Status PollDeliveries(DeliveryListener& listener) = 0;

  // Readable when PollDeliveries() has something to do. Constant over the sink's life.
  virtual int event_fd() const = 0;

  // Discards the producer with whatever it holds, without reporting it, and makes a new one. Blocks
  // for at most a few seconds. No ticket from before the call is reported after it. kUnavailable:
  // no new one could be made; the sink stays lost, and the call may be tried again later.
  virtual absl::Status Restart() = 0;
};

}  // namespace walpost

#endif  // WALPOST_EVENT_SINK_H_
