#include "cli/option_flags.h"

#include <absl/strings/str_cat.h>

#include "base/strings.h"

namespace walpost::cli {

using config::OptionDef;
using config::OptionKind;

CLI::Option* AddText(CLI::App& app, const std::string& name, const std::string& placeholder,
                     std::vector<std::string>& storage, const std::string& description) {
  return app.add_option(name, storage, description)
      ->type_name(placeholder)
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      // Else the parser would take what follows for more values, and split [a,b].
      ->allow_extra_args(false);
}

OptionFlags::OptionFlags(CLI::App& app, config::VerbMask verb) {
  for (const OptionDef& option : config::Options()) {
    if ((option.verbs & verb) == 0) continue;
    Flag& flag = flags_.emplace_back(Flag{&option, {}});
    std::string description(option.summary);
    if (!option.default_text.empty()) {
      absl::StrAppend(&description, " (", ToAbsl(option.default_text), ")");
    }
    CLI::Option* added = AddText(app, std::string(option.flag), std::string(option.placeholder),
                                 flag.texts, description);
    // Those that few need are left to the reference, so that the help fits a screen.
    if ((option.listed & verb) == 0) added->group("");
  }
}

std::vector<config::FlagValue> OptionFlags::Values() const {
  std::vector<config::FlagValue> values;
  for (const Flag& flag : flags_) {
    for (const std::string& text : flag.texts) values.push_back({flag.option, text});
    bool one = flag.option->kind != OptionKind::kMap && flag.texts.size() > 1;
    if (one)
      values.erase(values.end() - static_cast<std::ptrdiff_t>(flag.texts.size()), values.end() - 1);
  }
  return values;
}

ConfigFileFlag::ConfigFileFlag(CLI::App& app) {
  AddText(app, "--config", "FILE", texts_, "configuration file, TOML (WALPOST_CONFIG)");
}

}  // namespace walpost::cli
