#ifndef WALPOST_APP_APP_H_
#define WALPOST_APP_APP_H_

#include <absl/status/status.h>
#include <absl/time/time.h>

#include <iosfwd>
#include <string>

#include "config/settings.h"

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

// Name and version of each library that is linked in, a line each, for `walpost version`.
std::string LibraryVersions();

}  // namespace walpost::app

#endif  // WALPOST_APP_APP_H_
