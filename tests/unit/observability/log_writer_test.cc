#include "observability/log_writer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

namespace walpost::observability {
namespace {

using ::testing::HasSubstr;
using ::testing::MatchesRegex;

std::vector<std::string> Lines(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

TEST(LogWriter, WritesLogfmtLines) {
  std::ostringstream out;
  MakeLogger({}, out)->Info("connected", {{"slot", "walpost"}});
  EXPECT_THAT(out.str(),
              MatchesRegex("ts=[0-9-]+T[0-9:]+\\.[0-9][0-9][0-9]Z level=info msg=\"connected\" "
                           "slot=walpost\n"));
}

TEST(LogWriter, WritesJsonLines) {
  std::ostringstream out;
  MakeLogger({.level = LogLevel::kInfo, .json = true}, out)->Warn("lost", {{"attempt", 3}});
  EXPECT_THAT(
      out.str(),
      MatchesRegex("\\{\"ts\":\"[0-9TZ:.-]+\",\"level\":\"warn\",\"msg\":\"lost\",\"attempt\":3"
                   "\\}\n"));
}

TEST(LogWriter, DropsWhatIsBelowTheLevel) {
  std::ostringstream out;
  auto logger = MakeLogger({.level = LogLevel::kWarn}, out);
  logger->Debug("one");
  logger->Info("two");
  logger->Warn("three");
  logger->Error("four");
  std::vector<std::string> lines = Lines(out.str());
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_THAT(lines[0], HasSubstr("three"));
  EXPECT_THAT(lines[1], HasSubstr("four"));
}

TEST(LogWriter, WritesEverythingAtDebug) {
  std::ostringstream out;
  auto logger = MakeLogger({.level = LogLevel::kDebug}, out);
  logger->Debug("one");
  logger->Error("two");
  EXPECT_EQ(Lines(out.str()).size(), 2u);
}

TEST(LogWriter, ColoursLogfmtAndNeverJson) {
  std::ostringstream logfmt;
  std::ostringstream json;
  MakeLogger({.color = true}, logfmt)->Info("m");
  MakeLogger({.json = true, .color = true}, json)->Info("m");
  EXPECT_THAT(logfmt.str(), HasSubstr("\x1b[32minfo\x1b[0m"));
  EXPECT_EQ(json.str().find('\x1b'), std::string::npos);
}

TEST(LogWriter, TakesBracesAndPercentSignsForText) {
  std::ostringstream out;
  MakeLogger({}, out)->Info("{} %v %s", {{"k", "{0}%v"}});
  EXPECT_THAT(out.str(), HasSubstr("msg=\"{} %v %s\" k={0}%v\n"));
}

TEST(LogWriter, KeepsTheLinesOfSeveralThreadsWhole) {
  std::ostringstream out;
  auto logger = MakeLogger({}, out);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&logger, t] {
      for (int i = 0; i < 250; ++i) logger->Info("m", {{"id", t * 250 + i}});
    });
  }
  for (std::thread& thread : threads) thread.join();
  std::set<std::string> ids;
  for (const std::string& line : Lines(out.str())) {
    EXPECT_THAT(line, MatchesRegex("ts=[0-9TZ:.-]+ level=info msg=\"m\" id=[0-9]+"));
    ids.insert(line.substr(line.rfind('=')));
  }
  EXPECT_EQ(ids.size(), 1'000u);
}

TEST(LogWriter, WritesToStandardErrorByDefault) {
  ::testing::internal::CaptureStderr();
  ::testing::internal::CaptureStdout();
  MakeLogger({})->Info("hello");
  EXPECT_THAT(::testing::internal::GetCapturedStderr(), HasSubstr("msg=\"hello\"\n"));
  EXPECT_EQ(::testing::internal::GetCapturedStdout(), "");
}

}  // namespace
}  // namespace walpost::observability
