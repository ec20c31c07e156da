#ifndef WALPOST_RELAY_H_
#define WALPOST_RELAY_H_

#include <absl/status/status.h>

#include <memory>

#include "walpost/event_sink.h"
#include "walpost/logger.h"
#include "walpost/relay_metrics.h"
#include "walpost/relay_options.h"
#include "walpost/replication_stream.h"
#include "walpost/stop_signal.h"

namespace walpost {

class Clock;
class Waiter;
namespace outbox {
class EventMapper;
}

// Everything that a relay works with. Each must outlive it; none is owned.
struct RelayParts {
  ReplicationSource& source;
  outbox::EventMapper& mapper;
  EventSink& sink;
  const StopSignal& stop;
  Waiter& waiter;
  const Clock& clock;
  Logger& logger;
  RelayMetrics& metrics;
};

// Carries the INSERTs of the outbox tables from a replication slot to a sink, and confirms to the
// slot only what the sink has reported as delivered.
//
// The one rule: when in doubt it stops without confirming. A duplicate is allowed, a loss is not.
// So the slot never moves past the end of the longest prefix of transactions, in commit order,
// whose every event was delivered; and after a loss of the connection everything from there on
// comes, and is published, again.
//
// Run() is called once; the thread that calls it is the relay thread, and every part is used on it
// alone.
class Relay {
 public:
  Relay(const RelayParts& parts, const RelayOptions& options);
  ~Relay();
  Relay(const Relay&) = delete;
  Relay& operator=(const Relay&) = delete;

  // Streams until a stop is requested (kOk, after the drain) or until going on is wrong:
  //   kUnavailable, kUnauthenticated  only before the first stream: a peer could not be reached, or
  //   refused us kInvalidArgument                the configuration cannot be right
  //   kFailedPrecondition             an operator must act
  //   kDataLoss                       going on could lose events
  //   kInternal                       a bug
  absl::Status Run();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace walpost

#endif  // WALPOST_RELAY_H_
