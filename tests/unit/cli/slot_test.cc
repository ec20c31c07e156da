#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <vector>

#include "core/error_policy.h"
#include "unit/cli/fake_program.h"

namespace walpost::cli {
namespace {

using testing::HasSubstr;
using testing::Not;
using State = app::SlotAdvanceReport::State;

app::SlotAdvanceReport Moved(std::uint64_t from, std::uint64_t target, std::uint64_t confirmed) {
  return {.state = State::kMoved,
          .from = Lsn(from),
          .target = Lsn(target),
          .confirmed = Lsn(confirmed),
          .transactions = 3,
          .at_transaction_end = true};
}

TEST(SlotAdvance, PassesTheLsnAndItsOwnFlags) {
  FakeProgram program;
  EXPECT_EQ(program.Run({"slot", "advance", "--slot", "debezium", "--publication",
                         "dbz_publication", "--to", "16/B374D848", "--timeline", "3", "--dry-run"}),
            kExitOk)
      << program.err();
  EXPECT_EQ(program.job, "slot advance");
  EXPECT_EQ(program.settings.postgres.slot, "debezium");
  EXPECT_EQ(program.settings.postgres.publication, "dbz_publication");
  EXPECT_EQ(program.slot_advance_options.target.ToString(), "16/B374D848");
  EXPECT_EQ(program.slot_advance_options.timeline, 3u);
  EXPECT_TRUE(program.slot_advance_options.dry_run);
  EXPECT_FALSE(program.slot_advance_options.must_end_transaction);
}

TEST(SlotAdvance, TakesLsnCommitOfAnOffset) {
  FakeProgram program;
  EXPECT_EQ(program.Run({"slot", "advance", "--connect-offset",
                         R"({"lsn_commit":22118040,"lsn":22118200,"lsn_proc":22118056})"}),
            kExitOk)
      << program.err();
  EXPECT_EQ(program.slot_advance_options.target, Lsn(22118040));
  EXPECT_TRUE(program.slot_advance_options.must_end_transaction);
  EXPECT_FALSE(program.slot_advance_options.timeline.has_value());
  EXPECT_FALSE(program.slot_advance_options.dry_run);
  EXPECT_EQ(
      program.Run({"slot", "advance", R"(--connect-offset=["c",{"server":"s"}] {"lsn_commit":5})"}),
      kExitOk)
      << program.err();
  EXPECT_EQ(program.slot_advance_options.target, Lsn(5));
}

TEST(SlotAdvance, TakesOneTargetAndNoOther) {
  const std::vector<std::vector<std::string>> wrong = {
      {},
      {"--to", "0/5", "--connect-offset", R"({"lsn_commit":5})"},
      {"--to", ""},
      {"--to", "5"},
      {"--to", "0/0"},
      {"--to", "0/xyz"},
      {"--connect-offset", "{"},
      {"--connect-offset", "no-such-file"},
      {"--to", "0/5", "--timeline", "0"},
      {"--to", "0/5", "--timeline", "-1"},
      {"--to", "0/5", "--timeline", "two"}};
  for (const auto& flags : wrong) {
    FakeProgram program;
    std::vector<std::string> args = {"slot", "advance"};
    args.insert(args.end(), flags.begin(), flags.end());
    EXPECT_EQ(program.Run(args), kExitUsage) << testing::PrintToString(flags);
    EXPECT_EQ(program.job, "");
    EXPECT_EQ(program.out(), "");
    EXPECT_THAT(program.err(), HasSubstr("hint: "));
  }
}

TEST(SlotAdvance, ExitsAsAPreconditionWhenTheConnectorHasFinishedNothing) {
  FakeProgram program;
  EXPECT_EQ(program.Run({"slot", "advance", "--connect-offset", R"({"lsn":5})"}),
            kExitPrecondition);
  EXPECT_THAT(program.err(), HasSubstr("lsn_commit"));
  EXPECT_EQ(program.job, "");
}

TEST(SlotAdvance, SaysWhatItMovedAndWhatIsToCome) {
  FakeProgram program;
  program.slot_advance_report = Moved(100, 612, 612);
  EXPECT_EQ(program.Run({"slot", "advance", "--slot", "debezium", "--publication", "dbz",
                         "--connect-offset", R"(["c",{"server":"s"}]{"lsn_commit":612})"}),
            kExitOk);
  EXPECT_EQ(program.out(),
            "moved slot 'debezium' from 0/64 to 0/264 (lsn_commit of server 's' of connector "
            "'c')\n"
            "passes over 512 bytes of the log and 3 transactions of publication 'dbz', which "
            "walpost will not publish again\n"
            "to come: every transaction that commits after it, whole; so the one that was in the "
            "connector's hands when it stopped comes again\n"
            "next: walpost run --slot debezium --publication dbz\n");
}

TEST(SlotAdvance, SaysHowToGoOnWithTheSameConfiguration) {
  const std::string file = testing::TempDir() + "walpost-slot-test.toml";
  std::ofstream(file) << "[postgres]\nslot = \"debezium\"\npublication = \"dbz\"\n";
  FakeProgram program;
  program.slot_advance_report = Moved(100, 612, 612);
  EXPECT_EQ(program.Run({"slot", "advance", "--config", file, "--to", "0/264"}), kExitOk);
  EXPECT_THAT(program.out(), HasSubstr("next: walpost run --config " + file +
                                       " --slot debezium --publication dbz\n"));
}

TEST(SlotAdvance, OfADryRunSaysWhatItWouldDo) {
  FakeProgram program;
  program.slot_advance_report = Moved(100, 612, 100);
  program.slot_advance_report.state = State::kPlanned;
  EXPECT_EQ(program.Run({"slot", "advance", "--to", "0/264", "--dry-run"}), kExitOk);
  EXPECT_THAT(program.out(), testing::StartsWith("would move slot 'walpost' from 0/64 to 0/264\n"
                                                 "passes over 512 bytes"));
  EXPECT_THAT(program.out(), Not(HasSubstr("next:")));
}

TEST(SlotAdvance, SaysThatThereIsNothingToDo) {
  FakeProgram program;
  program.slot_advance_report = {.from = Lsn(100), .target = Lsn(16), .confirmed = Lsn(100)};
  EXPECT_EQ(program.Run({"slot", "advance", "--to", "0/10"}), kExitOk);
  EXPECT_THAT(program.out(), HasSubstr("nothing to do: slot 'walpost' is at 0/64, past 0/10\n"));
  EXPECT_EQ(program.Run({"slot", "advance", "--to", "0/10", "--json"}), kExitOk);
  EXPECT_THAT(program.out(), HasSubstr(R"("state":"nothing-to-do")"));
  EXPECT_THAT(program.out(), HasSubstr(R"("bytes":0)"));
}

TEST(SlotAdvance, PrintsJson) {
  FakeProgram program;
  program.slot_advance_report = Moved(100, 612, 612);
  EXPECT_EQ(program.Run({"slot", "advance", "--to", "0/264", "--json"}), kExitOk);
  EXPECT_EQ(program.out(),
            R"({"slot":"walpost","publication":"walpost","state":"moved","source":"--to",)"
            R"("offset_of":"","from":"0/64","to":"0/264","confirmed":"0/264","bytes":512,)"
            R"("transactions":3,"at_transaction_end":true})"
            "\n");
}

TEST(SlotAdvance, SaysThatTheSlotIsElsewhereThanAsked) {
  FakeProgram program;
  program.slot_advance_report = Moved(100, 612, 500);
  EXPECT_EQ(program.Run({"slot", "advance", "--to", "0/264"}), kExitFailed);
  EXPECT_THAT(program.out(), HasSubstr("from 0/64 to 0/1F4\n"));
  EXPECT_THAT(program.err(), HasSubstr("was asked to go to 0/264 and is at 0/1F4"));
  program.slot_advance_report = Moved(100, 612, 700);
  EXPECT_EQ(program.Run({"slot", "advance", "--to", "0/264"}), kExitDataLoss);
}

TEST(SlotAdvance, PrintsItsRefusalWithTheHintOnALineOfItsOwn) {
  FakeProgram program;
  program.EndJobsWith(absl::FailedPreconditionError("slot x is in use; hint: stop it"));
  EXPECT_EQ(program.Run({"slot", "advance", "--to", "0/264"}), kExitPrecondition);
  EXPECT_EQ(program.err(), "walpost: slot x is in use\nhint: stop it\n");
  EXPECT_EQ(program.out(), "");
}

}  // namespace
}  // namespace walpost::cli
