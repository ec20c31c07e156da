#include <absl/status/status.h>
#include <absl/strings/numbers.h>
#include <absl/strings/str_cat.h>

#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "base/strings.h"
#include "cli/option_flags.h"
#include "cli/report.h"
#include "cli/verb.h"
#include "config/value_text.h"

namespace walpost::cli {
namespace {

class DemoVerb : public Verb {
 public:
  explicit DemoVerb(CLI::App& root)
      : Verb(root, "demo",
             "The whole job on a throw-away PostgreSQL and an embedded broker; nothing to "
             "configure.",
             "Neither a configuration file nor WALPOST_* variables are read. Example:\n"
             "  walpost demo --events 100 --rate 50"),
        flags_(parser(), config::kDemo) {
    parser().add_flag("--follow", options_.follow, "go on until Ctrl-C");
    AddText(parser(), "--events", "N", events_, "how many events, without --follow (20)");
    AddText(parser(), "--rate", "R", rate_, "events a second (5)");
  }

  // Files and variables are for the real database and the real brokers, and the demo must touch
  // neither unless this very command line says so.
  int Run(const CliContext& context, const ConfigFileFlag& global) override {
    if (global.given()) {
      return Report(absl::InvalidArgumentError(
                        "demo reads no configuration file; hint: swap in real servers with "
                        "--conninfo and --brokers"),
                    context.err);
    }
    absl::Status parsed = ReadOwnFlags();
    if (!parsed.ok()) return Report(parsed, context.err);
    options_.terminal = context.terminal;
    auto loaded = config::Load({.file = {}, .flags = flags_.Values(), .environment = nullptr});
    if (!loaded.ok()) return Report(loaded.status(), context.err);
    return Report(context.jobs.demo(loaded->settings, options_, context.out), context.err);
  }

 private:
  absl::Status ReadOwnFlags() {
    constexpr std::size_t kMostEvents = 1'000'000'000;
    if (!events_.empty()) {
      auto count = config::ParseCount(events_.back());
      if (!count.ok() || *count > kMostEvents) {
        return absl::InvalidArgumentError(
            absl::StrCat("--events: ", config::Quoted(events_.back()),
                         " is not a count; hint: write a whole number from 1 to ", kMostEvents));
      }
      options_.events = static_cast<int>(*count);
    }
    if (!rate_.empty()) {
      bool number = absl::SimpleAtod(rate_.back(), &options_.rate);
      if (!number || !std::isfinite(options_.rate) || options_.rate <= 0) {
        return absl::InvalidArgumentError(
            absl::StrCat("--rate: ", config::Quoted(rate_.back()),
                         " is not a rate; hint: write events a second, greater than zero"));
      }
    }
    return absl::OkStatus();
  }

  OptionFlags flags_;
  std::vector<std::string> events_;
  std::vector<std::string> rate_;
  app::DemoOptions options_;
};

}  // namespace

std::unique_ptr<Verb> MakeDemoVerb(CLI::App& root) { return std::make_unique<DemoVerb>(root); }

}  // namespace walpost::cli
