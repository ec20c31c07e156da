#ifndef WALPOST_RELAY_OPTIONS_H_
#define WALPOST_RELAY_OPTIONS_H_

#include <absl/time/time.h>

#include <cstddef>
#include <string>

#include "walpost/poison.h"

namespace walpost {

// What the relay loop itself can be told. Defaults are those of the program.
struct RelayOptions {
  // Memory that published, unacknowledged events may hold. Over it the replication socket is not
  // read. More gives larger batches while the broker is slow; it costs that much memory. One event
  // that is larger by itself still passes, alone.
  std::size_t max_in_flight_bytes = 16u << 20;
  // The same bound as a count of events.
  std::size_t max_in_flight_events = 100'000;

  // What is done about an event that can never be published: one that the mapper cannot make, or
  // that the sink refuses when it is handed over. What a broker refuses afterwards halts in any
  // case, for the event is no more at hand then.
  PoisonAction on_poison = PoisonAction::kHalt;
  // Where poison events go under kDeadLetter.
  std::string dead_letter_topic;
  // An UPDATE of an outbox row stops the relay like a poison event under kHalt, whatever on_poison
  // says. Otherwise it is counted and logged once.
  bool halt_on_update = false;

  // A confirm waits at most this long for others to join it.
  absl::Duration confirm_interval = absl::Milliseconds(100);
  // A status is sent at least this often, whatever happens; the relay goes below it when the
  // server's wal_sender_timeout demands that.
  absl::Duration status_interval = absl::Seconds(10);
  // A server that has not answered a request for this long is taken for gone.
  absl::Duration stall_timeout = absl::Seconds(60);

  // How long failures at the start are retried before the relay gives up; once it has streamed it
  // never does.
  absl::Duration start_timeout = absl::Seconds(15);
  // A stop waits this long for the open transaction and for acknowledgements.
  absl::Duration drain_timeout = absl::Seconds(3);

  // Delay before the first attempt to connect again, doubled each time up to the maximum, each with
  // full jitter.
  absl::Duration reconnect_min_delay = absl::Milliseconds(100);
  absl::Duration reconnect_max_delay = absl::Seconds(10);
  // How often a standby instance tries the slot that another one holds.
  absl::Duration standby_retry_interval = absl::Seconds(1);
};

}  // namespace walpost

#endif  // WALPOST_RELAY_OPTIONS_H_
