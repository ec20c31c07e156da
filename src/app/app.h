#ifndef WALPOST_APP_APP_H_
#define WALPOST_APP_APP_H_

#include <absl/status/status.h>
#include <absl/status/statusor.h>
#include <absl/time/time.h>

#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>

#include "config/settings.h"
#include "walpost/lsn.h"

namespace walpost::app {

// Streams, publishes and confirms until a SIGTERM or SIGINT, or until going on is wrong. Logs to
// standard error, the reason of its end included. The calling thread becomes the relay thread; to
// be called before any other thread exists, since it blocks signals.
absl::Status RunRelay(const config::Settings& settings);

struct SetupOptions {
  bool create_table = false;  // from sql/, for the preset of the first outbox
  bool dry_run = false;       // print the SQL, touch nothing
  absl::Duration timeout =
      absl::Seconds(30);  // for the slot, whose creation waits for other transactions
};

// Publication first, slot second; only what is missing. Tells on `out` what it did, one line for
// each object.
absl::Status RunSetup(const config::Settings& settings, const SetupOptions& options,
                      std::ostream& out);

struct DemoOptions {
  bool follow = false;    // go on until a signal
  int events = 20;        // how many, without follow
  double rate = 5;        // events a second
  bool terminal = false;  // `out` is a terminal: colour
};

// The whole job on throw-away servers; settings.postgres.conninfo and settings.kafka.brokers swap
// in real ones when not empty. Removes all that it made, after a signal too.
absl::Status RunDemo(const config::Settings& settings, const DemoOptions& options,
                     std::ostream& out);

// Whether the mapping can work with an [[outbox]] block. Error: kInvalidArgument, in a message that
// begins with the option ("outbox.topic: ..."). Pure.
absl::Status CheckOutbox(const OutboxSettings& outbox);

// Whether the producer takes the properties. Error: kInvalidArgument, naming the property. Pure.
absl::Status CheckKafka(const config::KafkaSettings& kafka);

// Whether RunRelay() would come so far as to look for its servers. The files that the producer is
// to read are read; the password's is not before there is a connection.
// Error: kInvalidArgument.
absl::Status CheckRun(const config::Settings& settings);

struct SlotAdvanceOptions {
  Lsn target;
  // Of a connector, which has finished a transaction at its lsn_commit: a target that is not the
  // end of one is somebody else's.
  bool must_end_transaction = false;
  // Of the server when the target was taken, where that is known.
  std::optional<std::uint32_t> timeline;
  bool dry_run = false;  // check and count, move nothing
};

struct SlotAdvanceReport {
  enum class State {
    kNothingToDo,  // the slot is at the target already, or past it
    kPlanned,
    kMoved,
  };
  State state = State::kNothingToDo;
  Lsn from;  // confirmed_flush before
  Lsn target;
  Lsn confirmed;                   // confirmed_flush as read at the end
  std::uint64_t transactions = 0;  // of the publication, passed over
  bool at_transaction_end = false;
};

// Moves the slot of the settings past what a connector has published, after it has looked at the
// slot and at the transactions around the target. Ends early at a SIGTERM or SIGINT, with
// kUnavailable. Errors: see postgres::SlotAdvance; nothing was changed after any but that one.
absl::StatusOr<SlotAdvanceReport> AdvanceSlot(const config::Settings& settings,
                                              const SlotAdvanceOptions& options);

// Name and version of each library that is linked in, a line each, for `walpost version`.
std::string LibraryVersions();

}  // namespace walpost::app

#endif  // WALPOST_APP_APP_H_
