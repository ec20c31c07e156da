#include <absl/strings/str_split.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/strings.h"
#include "config/option_table.h"
#include "core/error_policy.h"
#include "unit/cli/fake_program.h"

namespace walpost::cli {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

class HelpOfEachVerb : public testing::TestWithParam<std::vector<std::string>> {};

TEST_P(HelpOfEachVerb, FitsAScreenAndEndsWithAnExample) {
  FakeProgram program;
  for (const char* flag : {"--help", "-h"}) {
    std::vector<std::string> args = GetParam();
    args.emplace_back(flag);
    EXPECT_EQ(program.Run(args), kExitOk);
    std::string help = program.out();
    std::vector<absl::string_view> lines = absl::StrSplit(help, '\n');
    EXPECT_LE(lines.size(), 25u) << "24 lines, and the end of the last";
    for (absl::string_view line : lines) EXPECT_LE(line.size(), 100u) << ToStd(line);
    EXPECT_THAT(program.out(), StartsWith("Usage: walpost"));
    ASSERT_GE(lines.size(), 3u);
    EXPECT_THAT(std::string(lines[lines.size() - 2]), StartsWith("  walpost "));
    EXPECT_EQ(program.err(), "");
  }
}

INSTANTIATE_TEST_SUITE_P(Verbs, HelpOfEachVerb,
                         testing::ValuesIn(std::vector<std::vector<std::string>>{
                             {},
                             {"run"},
                             {"setup"},
                             {"demo"},
                             {"config"},
                             {"config", "show"},
                             {"config", "check"},
                             {"config", "reference"},
                             {"slot"},
                             {"slot", "advance"},
                             {"version"}}));

TEST(Help, ShowsTheFlagsThatAreListedAndNoOthers) {
  FakeProgram program;
  program.Run({"run", "--help"});
  for (const config::OptionDef& option : config::Options()) {
    std::string row = "  " + std::string(option.flag) + " ";
    bool listed = (option.listed & config::kRun) != 0;
    EXPECT_EQ(program.out().find(row) != std::string::npos, listed) << option.flag;
  }
}

TEST(Help, IsPrintedAsAnErrorWhenThereIsNoVerb) {
  FakeProgram program;
  EXPECT_EQ(program.Run({}), kExitUsage);
  EXPECT_EQ(program.out(), "");
  EXPECT_THAT(program.err(), HasSubstr("Usage: walpost [--config FILE] VERB [options]"));
  EXPECT_EQ(program.Run({"config"}), kExitUsage);
  EXPECT_THAT(program.err(), HasSubstr("Usage: walpost config VERB [options]"));
}

}  // namespace
}  // namespace walpost::cli
