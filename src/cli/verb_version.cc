#include <absl/strings/str_split.h>

#include <memory>
#include <ostream>
#include <string>
#include <string_view>

#include "base/strings.h"
#include "cli/json_text.h"
#include "cli/verb.h"
#include "core/error_policy.h"

namespace walpost::cli {
namespace {

constexpr std::string_view kVersion = WALPOST_VERSION;

std::string Json(std::string_view libraries) {
  JsonText json;
  json.BeginObject();
  json.Member("version", kVersion);
  json.Key("libraries");
  json.BeginObject();
  for (absl::string_view part : absl::StrSplit(ToAbsl(libraries), '\n', absl::SkipEmpty())) {
    std::string_view line = ToStd(part);
    std::size_t space = line.find(' ');
    std::string_view version = space == std::string_view::npos ? "" : line.substr(space + 1);
    json.Member(line.substr(0, space), version);
  }
  json.EndObject();
  json.EndObject();
  return json.Finish();
}

class VersionVerb : public Verb {
 public:
  explicit VersionVerb(CLI::App& root)
      : Verb(root, "version", "Prints the version, and those of the libraries in use.",
             "Example:\n  walpost version --json") {
    parser().add_flag("--json", json_, "print JSON");
  }

  int Run(const CliContext& context, const ConfigFileFlag&) override {
    PrintVersion(context, json_);
    return kExitOk;
  }

 private:
  bool json_ = false;
};

}  // namespace

void PrintVersion(const CliContext& context, bool json) {
  std::string libraries = context.jobs.library_versions();
  if (json) {
    context.out << Json(libraries);
    return;
  }
  context.out << "walpost " << kVersion << '\n' << libraries;
  if (!libraries.empty() && libraries.back() != '\n') context.out << '\n';
}

std::unique_ptr<Verb> MakeVersionVerb(CLI::App& root) {
  return std::make_unique<VersionVerb>(root);
}

}  // namespace walpost::cli
