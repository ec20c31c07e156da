#include <unistd.h>

#include <cstddef>
#include <cstdlib>
#include <iostream>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "app/app.h"
#include "cli/cli.h"

namespace {

std::optional<std::string> ReadEnvironment(std::string_view name) {
  const char* value = std::getenv(std::string(name).c_str());
  if (value == nullptr) return std::nullopt;
  return value;
}

// See https://no-color.org.
bool TerminalWithColour() {
  return ::isatty(STDOUT_FILENO) == 1 && ReadEnvironment("NO_COLOR").value_or("").empty() &&
         ReadEnvironment("TERM").value_or("dumb") != "dumb";
}

}  // namespace

int main(int argc, char** argv) {
  walpost::cli::CliContext context = {.jobs = {.run = walpost::app::RunRelay,
                                               .setup = walpost::app::RunSetup,
                                               .demo = walpost::app::RunDemo,
                                               .check_outbox = walpost::app::CheckOutbox,
                                               .check_kafka = walpost::app::CheckKafka,
                                               .check_run = walpost::app::CheckRun,
                                               .advance_slot = walpost::app::AdvanceSlot,
                                               .library_versions = walpost::app::LibraryVersions},
                                      .environment = ReadEnvironment,
                                      .out = std::cout,
                                      .err = std::cerr,
                                      .terminal = TerminalWithColour()};
  std::span<char*> args(argv, static_cast<std::size_t>(argc));
  return walpost::cli::RunCli(args.subspan(args.empty() ? 0 : 1), context);
}
