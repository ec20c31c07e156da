#ifndef WALPOST_CLI_CLI_H_
#define WALPOST_CLI_CLI_H_

#include <absl/status/status.h>
#include <absl/status/statusor.h>

#include <functional>
#include <iosfwd>
#include <span>
#include <string>

#include "app/app.h"
#include "config/loader.h"
#include "config/settings.h"

namespace walpost::cli {

// What the verbs set going; main() binds the functions of app/app.h, tests bind fakes.
struct Jobs {
  std::function<absl::Status(const config::Settings&)> run;
  std::function<absl::Status(const config::Settings&, const app::SetupOptions&, std::ostream&)>
      setup;
  std::function<absl::Status(const config::Settings&, const app::DemoOptions&, std::ostream&)> demo;
  std::function<absl::Status(const OutboxSettings&)> check_outbox;        // see app::CheckOutbox
  std::function<absl::Status(const config::KafkaSettings&)> check_kafka;  // see app::CheckKafka
  std::function<absl::Status(const config::Settings&)> check_run;         // see app::CheckRun
  std::function<absl::StatusOr<app::SlotAdvanceReport>(const config::Settings&,
                                                       const app::SlotAdvanceOptions&)>
      advance_slot;
  std::function<std::string()> library_versions;
};

// What a command line runs in. The streams outlive the call.
struct CliContext {
  Jobs jobs;
  config::Environment environment;
  std::ostream& out;      // results
  std::ostream& err;      // everything else
  bool terminal = false;  // `out` is a terminal that can show colour
};

// Runs one command line, `args` without the program's name, and answers with the exit code of the
// contract (core/error_policy.h). Throws nothing. Blocks for as long as the job runs, on the
// calling thread; starts no thread itself.
int RunCli(std::span<const char* const> args, const CliContext& context);

}  // namespace walpost::cli

#endif  // WALPOST_CLI_CLI_H_
