#ifndef WALPOST_CLI_OPTION_FLAGS_H_
#define WALPOST_CLI_OPTION_FLAGS_H_

#include <CLI/CLI.hpp>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "config/loader.h"
#include "config/option_table.h"

namespace walpost::cli {

// Adds a flag that takes one value; given several times, the last counts. The value is handed out
// as it was written, so that our own checks and not the parser's speak of it.
CLI::Option* AddText(CLI::App& app, const std::string& name, const std::string& placeholder,
                     std::vector<std::string>& storage, const std::string& description);

// The flags that a verb has from the option table. Lives as long as the parser that it was given.
class OptionFlags {
 public:
  OptionFlags(CLI::App& app, config::VerbMask verb);
  // The parser points into it.
  OptionFlags(const OptionFlags&) = delete;
  OptionFlags& operator=(const OptionFlags&) = delete;

  // What was given, after the parse.
  std::vector<config::FlagValue> Values() const;

 private:
  struct Flag {
    const config::OptionDef* option;
    std::vector<std::string> texts;
  };
  std::deque<Flag> flags_;
};

// `--config FILE`, which every verb takes that reads the configuration, before and after its name.
class ConfigFileFlag {
 public:
  explicit ConfigFileFlag(CLI::App& app);
  ConfigFileFlag(const ConfigFileFlag&) = delete;
  ConfigFileFlag& operator=(const ConfigFileFlag&) = delete;

  bool given() const { return !texts_.empty(); }
  // Empty when it was not given.
  std::string file() const { return texts_.empty() ? "" : texts_.back(); }

 private:
  std::vector<std::string> texts_;
};

}  // namespace walpost::cli

#endif  // WALPOST_CLI_OPTION_FLAGS_H_
