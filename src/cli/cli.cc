#include "cli/cli.h"

#include <absl/status/status.h>
#include <absl/strings/str_cat.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <exception>
#include <memory>
#include <ostream>
#include <string_view>
#include <utility>
#include <vector>

#include "base/strings.h"
#include "cli/help_formatter.h"
#include "cli/option_flags.h"
#include "cli/report.h"
#include "cli/verb.h"
#include "config/nearest.h"
#include "config/secret_mask.h"
#include "config/value_text.h"
#include "core/error_policy.h"

namespace walpost::cli {
namespace {

absl::Status UsageError(std::string_view message) {
  return absl::InvalidArgumentError(ToAbsl(message));
}

// An argument that nothing takes, fit to be shown: it may be a conninfo that lost its flag.
std::string Shown(std::string_view argument) {
  bool conninfo = argument.find('=') != std::string_view::npos ||
                  argument.find("://") != std::string_view::npos;
  return config::Quoted(conninfo ? config::MaskConninfo(argument) : argument);
}

std::vector<std::string> FlagsOf(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

// `config check `, and nothing for the root.
std::string FullName(const CLI::App& app) {
  if (app.get_parent() == nullptr) return "";
  return absl::StrCat(FullName(*app.get_parent()), app.get_name(), " ");
}

// One command line, from its words to its exit code.
class CommandLine {
 public:
  CommandLine()
      : root_(
            "Relays a PostgreSQL outbox to Kafka, and confirms an event only after the broker's "
            "ack.",
            "walpost"),
        file_(root_) {
    root_.formatter(std::make_shared<HelpFormatter>());
    root_.set_help_flag("-h,--help", "this text");
    root_.add_flag("--version", version_, "as the verb version");
    root_.footer("Example, with nothing to configure:\n  walpost demo");
    // The verb and what is left over are judged here, with names that were meant.
    root_.require_subcommand(0, 1);
    root_.allow_extras();
    verbs_.push_back(MakeRunVerb(root_));
    verbs_.push_back(MakeSetupVerb(root_));
    verbs_.push_back(MakeDemoVerb(root_));
    for (auto& verb : MakeConfigVerbs(root_)) verbs_.push_back(std::move(verb));
    for (auto& verb : MakeSlotVerbs(root_)) verbs_.push_back(std::move(verb));
    verbs_.push_back(MakeVersionVerb(root_));
  }

  int Run(std::span<const char* const> args, const CliContext& context) {
    try {
      root_.parse(Reversed(args));
    } catch (const CLI::CallForHelp&) {
      context.out << root_.help();
      return kExitOk;
    } catch (const CLI::ParseError& error) {
      return Report(UsageError(Explain(error)), context.err);
    }
    absl::Status usage = CheckLeftOvers();
    if (!usage.ok()) return Report(usage, context.err);
    Verb* verb = Chosen();
    if (verb != nullptr) return verb->Run(context, file_);
    if (version_ && root_.get_subcommands().empty()) {
      PrintVersion(context, false);
      return kExitOk;
    }
    context.err << root_.help();
    return kExitUsage;
  }

 private:
  // The parser wants the last word first.
  static std::vector<std::string> Reversed(std::span<const char* const> args) {
    std::vector<std::string> words;
    for (std::string_view arg : args) {
      // `--key=` has an empty value; the parser would take the next word for it.
      bool empty_value = arg.starts_with("--") && arg.size() > 3 && arg.find('=') == arg.size() - 1;
      words.emplace_back(empty_value ? arg.substr(0, arg.size() - 1) : arg);
      if (empty_value) words.emplace_back();
    }
    std::reverse(words.begin(), words.end());
    return words;
  }

  // The parsers that were chosen, from the root to the verb.
  std::vector<const CLI::App*> Chain() const {
    std::vector<const CLI::App*> chain = {&root_};
    while (!chain.back()->get_subcommands().empty()) {
      chain.push_back(chain.back()->get_subcommands().front());
    }
    return chain;
  }

  Verb* Chosen() {
    const CLI::App* last = Chain().back();
    for (const auto& verb : verbs_) {
      if (&verb->parser() == last) return verb.get();
    }
    return nullptr;
  }

  absl::Status CheckLeftOvers() const {
    std::vector<const CLI::App*> chain = Chain();
    for (const CLI::App* app : chain) {
      std::vector<std::string> rest = app->remaining();
      if (rest.empty()) continue;
      const std::string& word = rest.front();
      if (word.starts_with("-")) return UnknownFlag(*app, *chain.back(), word);
      if (app->get_subcommands({}).empty()) {
        return UsageError(absl::StrCat("unexpected argument ", Shown(word),
                                       "; hint: a value follows its flag; see walpost ",
                                       FullName(*app), "--help"));
      }
      // The parser hands out a copy of each name.
      std::vector<std::string> names;
      for (const CLI::App* verb : app->get_subcommands({})) names.push_back(verb->get_name());
      std::vector<std::string_view> candidates(names.begin(), names.end());
      return UsageError(absl::StrCat("unknown verb ", Shown(word),
                                     config::HintFor(word, candidates, "the verbs are")));
    }
    return absl::OkStatus();
  }

  static absl::Status UnknownFlag(const CLI::App& app, const CLI::App& verb,
                                  const std::string& word) {
    // What follows the equals sign may be a secret.
    std::string flag = word.substr(0, word.find('='));
    std::vector<std::string> later = FlagsOf(verb);
    if (&app != &verb && std::find(later.begin(), later.end(), flag) != later.end()) {
      return UsageError(absl::StrCat(config::Quoted(flag),
                                     " comes too early; hint: write it after ", verb.get_name()));
    }
    // Nothing near: the help says it better than a list of all.
    std::vector<std::string> names = FlagsOf(app);
    std::vector<std::string_view> candidates(names.begin(), names.end());
    std::string_view nearest = config::Nearest(flag, candidates);
    std::string hint = nearest.empty() ? absl::StrCat("see walpost ", FullName(app), "--help")
                                       : absl::StrCat("did you mean '", ToAbsl(nearest), "'?");
    return UsageError(absl::StrCat("unknown flag ", config::Quoted(flag), "; hint: ", hint));
  }

  static std::string Explain(const CLI::ParseError& error) {
    if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr) {
      std::string text = error.what();  // `--slot: 1 required NAME missing`
      return absl::StrCat(text.substr(0, text.find(':')),
                          ": its value is missing; hint: write it after the flag");
    }
    return error.what();
  }

  CLI::App root_;
  ConfigFileFlag file_;
  bool version_ = false;
  std::vector<std::unique_ptr<Verb>> verbs_;
};

}  // namespace

Verb::Verb(CLI::App& parent, const std::string& name, const std::string& description,
           const std::string& example)
    : parser_(*parent.add_subcommand(name, description)) {
  parser_.footer(example);
  parser_.allow_extras();
}

config::LoadRequest RequestFor(const CliContext& context, const ConfigFileFlag& global,
                               const ConfigFileFlag& own, std::vector<config::FlagValue> flags) {
  std::string file = own.given() ? own.file() : global.file();
  if (!own.given() && !global.given() && context.environment) {
    file = context.environment("WALPOST_CONFIG").value_or("");
  }
  return {.file = file,
          .flags = std::move(flags),
          .environment = context.environment,
          .check_outbox = context.jobs.check_outbox,
          .check_kafka = context.jobs.check_kafka};
}

int RunCli(std::span<const char* const> args, const CliContext& context) {
  int exit_code = kExitBug;
  try {
    exit_code = CommandLine().Run(args, context);
  } catch (const std::exception& error) {
    context.err << "walpost: " << error.what() << '\n';
  }
  context.out.flush();
  if (exit_code == kExitOk && !context.out) {
    context.err << "walpost: the result could not be written to standard output\n";
    return kExitFailed;
  }
  return exit_code;
}

}  // namespace walpost::cli
