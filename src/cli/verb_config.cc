#include <absl/status/status.h>
#include <absl/strings/str_split.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "base/status_macros.h"
#include "base/strings.h"
#include "cli/json_text.h"
#include "cli/option_flags.h"
#include "cli/report.h"
#include "cli/verb.h"
#include "config/reference.h"
#include "core/error_policy.h"

namespace walpost::cli {
namespace {

class ShowVerb : public Verb {
 public:
  explicit ShowVerb(CLI::App& parent)
      : Verb(parent, "show", "Prints each value and where it comes from; secrets are masked.",
             "Takes every flag of the options too. Example:\n  walpost config show --slot orders"),
        file_(parser()),
        flags_(parser(), config::kShow) {
    parser().add_flag("--json", json_, "print JSON");
  }

  int Run(const CliContext& context, const ConfigFileFlag& global) override {
    auto loaded = config::Load(RequestFor(context, global, file_, flags_.Values()));
    if (!loaded.ok()) return Report(loaded.status(), context.err);
    context.out << (json_ ? Json(loaded->values) : Lines(loaded->values));
    return kExitOk;
  }

 private:
  static std::string Lines(const std::vector<config::ShownValue>& values) {
    // A long value pushes only its own origin aside.
    constexpr std::size_t kWidest = 60;
    std::size_t width = 0;
    for (const config::ShownValue& value : values) {
      width = std::max(width, value.name.size() + 3 + value.toml.size());
    }
    width = std::min(width, kWidest);
    std::string out;
    for (const config::ShownValue& value : values) {
      std::string line = value.name + " = " + value.toml;
      if (line.size() < width) line.append(width - line.size(), ' ');
      out += line + "  # " + value.origin + "\n";
    }
    return out;
  }

  static std::string Json(const std::vector<config::ShownValue>& values) {
    JsonText json;
    json.BeginObject();
    json.Key("options");
    json.BeginArray();
    for (const config::ShownValue& value : values) {
      json.BeginObject();
      json.Member("name", value.name);
      json.Member("section", value.option->section);
      json.Member("key", value.option->key);
      if (value.block > 0) {
        json.Key("block");
        json.Number(value.block);
      }
      json.Member("value", value.text);
      json.Member("origin", value.origin);
      json.EndObject();
    }
    json.EndArray();
    json.EndObject();
    return json.Finish();
  }

  ConfigFileFlag file_;
  OptionFlags flags_;
  bool json_ = false;
};

class CheckVerb : public Verb {
 public:
  explicit CheckVerb(CLI::App& parent)
      : Verb(parent, "check",
             "Says whether the configuration is right, or all that is wrong in it.",
             "Exit code 2 when it is not. Example:\n  walpost config check --config walpost.toml"),
        file_(parser()),
        flags_(parser(), config::kShow) {
    parser().add_flag("--json", json_, "print JSON");
  }

  int Run(const CliContext& context, const ConfigFileFlag& global) override {
    config::LoadRequest request = RequestFor(context, global, file_, flags_.Values());
    const absl::Status status = Check(config::Load(request), context.jobs);
    if (json_) {
      context.out << Json(request.file, status);
      return PolicyFor(status.code()).exit_code;
    }
    if (!status.ok()) return Report(status, context.err);
    context.out << (request.file.empty() ? "no file; flags, environment and defaults"
                                         : request.file)
                << ": ok\n";
    return kExitOk;
  }

 private:
  // What `walpost run` would refuse before it looks for its servers.
  static absl::Status Check(const absl::StatusOr<config::LoadedConfig>& loaded, const Jobs& jobs) {
    WALPOST_RETURN_IF_ERROR(loaded.status());
    WALPOST_RETURN_IF_ERROR(RequireBrokers(loaded->settings.kafka));
    return jobs.check_run(loaded->settings);
  }

  static std::string Json(std::string_view file, const absl::Status& status) {
    JsonText json;
    json.BeginObject();
    json.Member("file", file);
    json.Key("ok");
    json.Flag(status.ok());
    json.Key("errors");
    json.BeginArray();
    for (absl::string_view line : absl::StrSplit(status.message(), '\n', absl::SkipEmpty())) {
      json.Text(ToStd(line));
    }
    json.EndArray();
    json.EndObject();
    return json.Finish();
  }

  ConfigFileFlag file_;
  OptionFlags flags_;
  bool json_ = false;
};

class ReferenceVerb : public Verb {
 public:
  explicit ReferenceVerb(CLI::App& parent)
      : Verb(parent, "reference", "Prints every option: what it does, its flag, variable, default.",
             "Example, a file to begin with:\n  walpost config reference --toml > walpost.toml") {
    parser().add_flag("--toml", toml_, "print it as a configuration file with comments");
    parser().add_flag("--json", json_, "print JSON");
  }

  int Run(const CliContext& context, const ConfigFileFlag&) override {
    if (toml_ && json_) {
      return Report(absl::InvalidArgumentError("--toml and --json exclude each other; hint: give "
                                               "one of them"),
                    context.err);
    }
    if (json_) {
      context.out << Json();
    } else {
      context.out << (toml_ ? config::RenderSample() : config::RenderReference());
    }
    return kExitOk;
  }

 private:
  static std::string Json() {
    JsonText json;
    json.BeginObject();
    json.Key("options");
    json.BeginArray();
    for (const config::OptionDef& option : config::Options()) {
      json.BeginObject();
      json.Member("section", option.section);
      json.Member("key", option.key);
      json.Member("flag", option.flag);
      json.Member("environment", config::EnvironmentName(option));
      json.Member("default", option.default_text);
      json.Member("default_note", option.default_note);
      json.Member("example", option.example);
      json.Member("summary", option.summary);
      json.Member("doc", option.doc);
      json.Key("allowed");
      json.BeginArray();
      for (std::string_view allowed : option.allowed) json.Text(allowed);
      json.EndArray();
      json.EndObject();
    }
    json.EndArray();
    json.EndObject();
    return json.Finish();
  }

  bool toml_ = false;
  bool json_ = false;
};

}  // namespace

std::vector<std::unique_ptr<Verb>> MakeConfigVerbs(CLI::App& root) {
  CLI::App* group = root.add_subcommand("config", "Shows, checks and explains the configuration.");
  group->footer("Example:\n  walpost config check --config walpost.toml");
  group->require_subcommand(0, 1);
  group->allow_extras();
  std::vector<std::unique_ptr<Verb>> verbs;
  verbs.push_back(std::make_unique<ShowVerb>(*group));
  verbs.push_back(std::make_unique<CheckVerb>(*group));
  verbs.push_back(std::make_unique<ReferenceVerb>(*group));
  verbs.push_back(MakeImportDebeziumVerb(*group));
  return verbs;
}

}  // namespace walpost::cli
