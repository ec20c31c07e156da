#ifndef WALPOST_TESTS_UNIT_CLI_FAKE_PROGRAM_H_
#define WALPOST_TESTS_UNIT_CLI_FAKE_PROGRAM_H_

#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "cli/cli.h"

namespace walpost::cli {

// The program with jobs that only remember what they were asked for.
class FakeProgram {
 public:
  // The jobs answer with this from now on.
  void EndJobsWith(absl::Status status) { result_ = std::move(status); }
  void SetVariable(const std::string& name, const std::string& value) { variables_[name] = value; }

  // Answers with the exit code.
  int Run(std::vector<std::string> args) {
    out_.str("");
    err_.str("");
    std::vector<const char*> words;
    for (const std::string& arg : args) words.push_back(arg.c_str());
    return RunCli(words, Context());
  }

  std::string out() const { return out_.str(); }
  std::string err() const { return err_.str(); }
  // Makes every write to standard output fail.
  void BreakOut() { out_.setstate(std::ios::badbit); }

  // What the last job was given; `job` is empty when none was run.
  std::string job;
  config::Settings settings;
  app::SetupOptions setup_options;
  app::DemoOptions demo_options;
  app::SlotAdvanceOptions slot_advance_options;
  // What it answers with.
  app::SlotAdvanceReport slot_advance_report;

 private:
  CliContext Context() {
    job.clear();
    return {
        .jobs = {.run = [this](const config::Settings& s) { return Remember("run", s); },
                 .setup =
                     [this](const config::Settings& s, const app::SetupOptions& o, std::ostream&) {
                       setup_options = o;
                       return Remember("setup", s);
                     },
                 .demo =
                     [this](const config::Settings& s, const app::DemoOptions& o, std::ostream&) {
                       demo_options = o;
                       return Remember("demo", s);
                     },
                 .check_outbox = app::CheckOutbox,
                 .check_kafka = app::CheckKafka,
                 .check_run = app::CheckRun,
                 .advance_slot = [this](const config::Settings& s, const app::SlotAdvanceOptions& o)
                     -> absl::StatusOr<app::SlotAdvanceReport> {
                   slot_advance_options = o;
                   absl::Status status = Remember("slot advance", s);
                   if (!status.ok()) return status;
                   return slot_advance_report;
                 },
                 .library_versions = [] { return std::string("libpq 15.1\nlibssl 3.0 b\n"); }},
        .environment = [this](std::string_view name) -> std::optional<std::string> {
          auto found = variables_.find(std::string(name));
          if (found == variables_.end()) return std::nullopt;
          return found->second;
        },
        .out = out_,
        .err = err_};
  }

  absl::Status Remember(std::string_view name, const config::Settings& given) {
    job = name;
    settings = given;
    return result_;
  }

  std::ostringstream out_;
  std::ostringstream err_;
  std::map<std::string, std::string> variables_;
  absl::Status result_;
};

}  // namespace walpost::cli

#endif  // WALPOST_TESTS_UNIT_CLI_FAKE_PROGRAM_H_
