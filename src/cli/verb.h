#ifndef WALPOST_CLI_VERB_H_
#define WALPOST_CLI_VERB_H_

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "cli/cli.h"
#include "cli/option_flags.h"

namespace walpost::cli {

// One thing that the command line can be asked for. Made before the parse, and run after it when
// its parser was chosen.
class Verb {
 public:
  // `description` is one line, `example` one or two commands.
  Verb(CLI::App& parent, const std::string& name, const std::string& description,
       const std::string& example);
  virtual ~Verb() = default;
  Verb(const Verb&) = delete;
  Verb& operator=(const Verb&) = delete;

  // Answers with the exit code. `global` is the --config before the verb.
  virtual int Run(const CliContext& context, const ConfigFileFlag& global) = 0;

  CLI::App& parser() { return parser_; }

 private:
  CLI::App& parser_;
};

// Puts the configuration together for a verb. The file is that of `own`, else of `global`, else of
// WALPOST_CONFIG.
config::LoadRequest RequestFor(const CliContext& context, const ConfigFileFlag& global,
                               const ConfigFileFlag& own, std::vector<config::FlagValue> flags);

// That there are brokers, by walpost's own name or by one of librdkafka's. Error: kInvalidArgument.
absl::Status RequireBrokers(const config::KafkaSettings& kafka);

std::unique_ptr<Verb> MakeRunVerb(CLI::App& root);
std::unique_ptr<Verb> MakeSetupVerb(CLI::App& root);
std::unique_ptr<Verb> MakeDemoVerb(CLI::App& root);
// `config show`, `config check`, `config reference` and `config import-debezium`.
std::vector<std::unique_ptr<Verb>> MakeConfigVerbs(CLI::App& root);
// Below `config`.
std::unique_ptr<Verb> MakeImportDebeziumVerb(CLI::App& parent);
// `slot advance`.
std::vector<std::unique_ptr<Verb>> MakeSlotVerbs(CLI::App& root);
std::unique_ptr<Verb> MakeVersionVerb(CLI::App& root);

// The same as the verb prints, for the --version of those who expect one.
void PrintVersion(const CliContext& context, bool json);

}  // namespace walpost::cli

#endif  // WALPOST_CLI_VERB_H_
