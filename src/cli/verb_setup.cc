#include <absl/status/status.h>
#include <absl/strings/str_cat.h>

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

class SetupVerb : public Verb {
 public:
  explicit SetupVerb(CLI::App& root)
      : Verb(root, "setup", "Makes the publication, then the slot; only what is missing.",
             "Every option: walpost config reference. Example:\n"
             "  walpost setup --conninfo 'host=127.0.0.1 dbname=shop user=postgres' "
             "--create-table debezium"),
        file_(parser()),
        flags_(parser(), config::kSetup) {
    AddText(parser(), "--create-table", "PRESET", create_table_,
            "make the table too, as this preset has it");
    parser().add_flag("--dry-run", options_.dry_run, "print the SQL and change nothing");
    AddText(parser(), "--timeout", "DURATION", timeout_,
            "how long the slot may wait for open transactions (30s)");
  }

  int Run(const CliContext& context, const ConfigFileFlag& global) override {
    std::vector<config::FlagValue> flags = flags_.Values();
    absl::Status parsed = ReadOwnFlags(flags);
    if (!parsed.ok()) return Report(parsed, context.err);
    auto loaded = config::Load(RequestFor(context, global, file_, std::move(flags)));
    if (!loaded.ok()) return Report(loaded.status(), context.err);
    return Report(context.jobs.setup(loaded->settings, options_, context.out), context.err);
  }

 private:
  absl::Status ReadOwnFlags(std::vector<config::FlagValue>& flags) {
    if (!timeout_.empty()) {
      auto timeout = config::ParseDuration(timeout_.back());
      if (!timeout.ok()) {
        return absl::InvalidArgumentError(absl::StrCat("--timeout: ", timeout.status().message()));
      }
      options_.timeout = *timeout;
    }
    if (create_table_.empty()) return absl::OkStatus();
    options_.create_table = true;
    const config::OptionDef* preset = config::FindOption("outbox", "preset");
    for (const config::FlagValue& flag : flags) {
      if (flag.option != preset || flag.text == create_table_.back()) continue;
      return absl::InvalidArgumentError(
          "--create-table and --preset name different presets; hint: --create-table is enough");
    }
    flags.push_back({preset, create_table_.back(), "--create-table"});
    return absl::OkStatus();
  }

  ConfigFileFlag file_;
  OptionFlags flags_;
  std::vector<std::string> create_table_;
  std::vector<std::string> timeout_;
  app::SetupOptions options_;
};

}  // namespace

std::unique_ptr<Verb> MakeSetupVerb(CLI::App& root) { return std::make_unique<SetupVerb>(root); }

}  // namespace walpost::cli
