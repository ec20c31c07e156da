#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/error_policy.h"
#include "unit/cli/fake_program.h"

namespace walpost::cli {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string ErrorOf(const std::vector<std::string>& args) {
  FakeProgram program;
  EXPECT_EQ(program.Run(args), kExitUsage);
  EXPECT_EQ(program.job, "");
  EXPECT_EQ(program.out(), "");
  return program.err();
}

TEST(UsageError, NamesTheNearestVerb) {
  EXPECT_EQ(ErrorOf({"rnu"}), "walpost: unknown verb 'rnu'\nhint: did you mean 'run'?\n");
  EXPECT_EQ(ErrorOf({"config", "shwo"}),
            "walpost: unknown verb 'shwo'\nhint: did you mean 'show'?\n");
  EXPECT_EQ(ErrorOf({"replicate"}),
            "walpost: unknown verb 'replicate'\n"
            "hint: the verbs are: run, setup, demo, config, slot, version\n");
}

TEST(UsageError, NamesTheNearestFlag) {
  EXPECT_EQ(ErrorOf({"run", "--slott", "x"}),
            "walpost: unknown flag '--slott'\nhint: did you mean '--slot'?\n");
  EXPECT_EQ(ErrorOf({"run", "--drain-timeuot=3s"}),
            "walpost: unknown flag '--drain-timeuot'\nhint: did you mean '--drain-timeout'?\n");
  EXPECT_EQ(ErrorOf({"config", "show", "--heartbeat"}),
            "walpost: unknown flag '--heartbeat'\nhint: see walpost config show --help\n");
  EXPECT_THAT(ErrorOf({"run", "-x"}), HasSubstr("unknown flag '-x'"));
}

TEST(UsageError, SaysWhereAFlagOfAVerbBelongs) {
  EXPECT_EQ(ErrorOf({"--slot", "x", "run"}),
            "walpost: '--slot' comes too early\nhint: write it after run\n");
}

TEST(UsageError, NamesTheFlagWhoseValueIsMissing) {
  EXPECT_EQ(ErrorOf({"run", "--slot"}),
            "walpost: --slot: its value is missing\nhint: write it after the flag\n");
}

TEST(UsageError, RefusesAnArgumentThatNothingTakes) {
  EXPECT_EQ(ErrorOf({"config", "check", "walpost.toml"}),
            "walpost: unexpected argument 'walpost.toml'\n"
            "hint: a value follows its flag; see walpost config check --help\n");
  EXPECT_THAT(ErrorOf({"run", "run"}), HasSubstr("unexpected argument 'run'"));
  EXPECT_THAT(ErrorOf({"version", "--json", "config"}), HasSubstr("unexpected argument 'config'"));
}

TEST(UsageError, DoesNotRepeatAPassword) {
  EXPECT_THAT(ErrorOf({"run", "--conninof=host=db password=hunter2"}), Not(HasSubstr("hunter2")));
  EXPECT_THAT(ErrorOf({"run", "host=db password=hunter2"}), Not(HasSubstr("hunter2")));
  EXPECT_THAT(ErrorOf({"run", "postgres://u:hunter2@db"}), Not(HasSubstr("hunter2")));
  EXPECT_THAT(ErrorOf({"password=hunter2"}), Not(HasSubstr("hunter2")));
}

TEST(UsageError, ShowsOnlyTheFlagsOfTheVerb) {
  EXPECT_THAT(ErrorOf({"setup", "--brokers", "a:1"}), HasSubstr("unknown flag '--brokers'"));
  EXPECT_THAT(ErrorOf({"demo", "--slot", "x"}), HasSubstr("unknown flag '--slot'"));
}

}  // namespace
}  // namespace walpost::cli
