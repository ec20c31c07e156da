#ifndef WALPOST_CLI_HELP_FORMATTER_H_
#define WALPOST_CLI_HELP_FORMATTER_H_

#include <CLI/CLI.hpp>
#include <string>

namespace walpost::cli {

// `--help` on one screen: usage, one sentence, verbs or options in two columns, and the footer,
// which is an example. Options without a group are left out.
class HelpFormatter : public CLI::Formatter {
 public:
  std::string make_help(const CLI::App* app, std::string name,
                        CLI::AppFormatMode mode) const override;
};

}  // namespace walpost::cli

#endif  // WALPOST_CLI_HELP_FORMATTER_H_
