// `walpost demo`: the whole job with nothing configured, and nothing left behind.
#include <absl/strings/match.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "integration/servers.h"
#include "support/process.h"
#include "support/temp_dir.h"
#include "support/wait.h"

namespace walpost::integration {
namespace {

using support::Process;
using support::TempDir;
using support::WaitUntil;
using ::testing::HasSubstr;

class Demo : public ::testing::Test {
 protected:
  // Any user may make folders in it, as in /tmp; the server may run as another one.
  void SetUp() override { ::chmod(home_.path().c_str(), 01777); }

  support::Environment environment() const { return {{"TMPDIR", home_.path()}}; }

  bool FolderIsEmpty() const { return std::filesystem::is_empty(home_.path()); }

  // Command lines of processes that mention the folder: its servers.
  std::string ProcessesOfTheFolder() const {
    std::string found;
    std::error_code ignored;
    for (const auto& entry : std::filesystem::directory_iterator("/proc", ignored)) {
      std::ostringstream line;
      line << std::ifstream(entry.path() / "cmdline", std::ios::binary).rdbuf();
      if (absl::StrContains(line.str(), home_.path())) found += line.str() + "\n";
    }
    return found;
  }

  void ExpectNothingLeft() const {
    EXPECT_TRUE(WaitUntil(absl::Seconds(5), [&] { return ProcessesOfTheFolder().empty(); }))
        << ProcessesOfTheFolder();
    EXPECT_TRUE(FolderIsEmpty());
  }

 private:
  TempDir home_{"demo-home"};
};

TEST_F(Demo, EndsByItselfWithASummary) {
  const support::Finished demo =
      support::Run({WalpostBinary(), "demo"}, environment(), absl::Minutes(1));
  EXPECT_EQ(demo.code, 0) << demo.out << demo.err;
  EXPECT_THAT(demo.out, HasSubstr("lost 0"));
  EXPECT_THAT(demo.out, HasSubstr("median"));
  EXPECT_THAT(demo.out, HasSubstr("p99"));
  ExpectNothingLeft();
}

class DemoInterrupted : public Demo, public ::testing::WithParamInterface<int> {};

TEST_P(DemoInterrupted, CleansUp) {
  Process demo({WalpostBinary(), "demo", "--follow"}, environment());
  ASSERT_TRUE(WaitUntil(absl::Seconds(30), [&] { return !ProcessesOfTheFolder().empty(); }))
      << demo.Err();
  // Once it relays, its output grows with every event.
  ASSERT_TRUE(WaitUntil(absl::Seconds(30), [&] { return absl::StrContains(demo.Out(), " ms"); }))
      << demo.Out() << demo.Err();
  demo.Signal(GetParam());
  EXPECT_EQ(demo.WaitExit(absl::Seconds(15)), 0) << demo.Out() << demo.Err();
  ExpectNothingLeft();
}

INSTANTIATE_TEST_SUITE_P(Signals, DemoInterrupted, ::testing::Values(SIGINT, SIGTERM));

TEST_F(Demo, InterruptedWhileItStartsItCleansUpToo) {
  Process demo({WalpostBinary(), "demo"}, environment());
  ASSERT_TRUE(WaitUntil(
      absl::Seconds(30), [&] { return !FolderIsEmpty(); }, absl::Milliseconds(1)))
      << demo.Err();
  demo.Signal(SIGINT);
  EXPECT_TRUE(demo.WaitExit(absl::Seconds(15)).has_value());
  ExpectNothingLeft();
}

}  // namespace
}  // namespace walpost::integration
