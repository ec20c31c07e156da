#include "cli/cli.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <string>

#include "config/reference.h"
#include "core/error_policy.h"
#include "unit/cli/fake_program.h"

namespace walpost::cli {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::Pair;
using testing::StartsWith;

class ConfigFile {
 public:
  explicit ConfigFile(const std::string& content) {
    path_ = testing::TempDir() + "walpost-cli-XXXXXX";
    int fd = ::mkstemp(path_.data());
    EXPECT_GE(fd, 0);
    ::close(fd);
    std::ofstream(path_) << content;
  }
  ~ConfigFile() { std::remove(path_.c_str()); }
  ConfigFile(const ConfigFile&) = delete;
  ConfigFile& operator=(const ConfigFile&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

TEST(Run, HandsTheSettingsToTheRelay) {
  FakeProgram program;
  EXPECT_EQ(program.Run({"run", "--conninfo", "host=db dbname=shop", "--brokers=a:1,b:2", "--slot",
                         "orders", "--admin-listen", "127.0.0.1:0", "--drain-timeout", "2s"}),
            kExitOk);
  EXPECT_EQ(program.job, "run");
  EXPECT_EQ(program.settings.postgres.conninfo, "host=db dbname=shop");
  EXPECT_EQ(program.settings.kafka.brokers, "a:1,b:2");
  EXPECT_EQ(program.settings.postgres.slot, "orders");
  EXPECT_EQ(program.settings.admin.listen, "127.0.0.1:0");
  EXPECT_EQ(program.settings.relay.drain_timeout, absl::Seconds(2));
  EXPECT_EQ(program.out(), "");
  EXPECT_EQ(program.err(), "");
}

TEST(Run, NeedsBrokers) {
  FakeProgram program;
  EXPECT_EQ(program.Run({"run", "--conninfo", "host=db"}), kExitUsage);
  EXPECT_EQ(program.job, "");
  for (const char* name : {"kafka.brokers", "--brokers", "WALPOST_KAFKA_BROKERS"}) {
    EXPECT_THAT(program.err(), HasSubstr(name));
  }
  program.SetVariable("WALPOST_KAFKA_BROKERS", "a:1");
  EXPECT_EQ(program.Run({"run"}), kExitOk);
}

TEST(Run, TakesTheBrokersFromLibrdkafkasOwnProperty) {
  FakeProgram program;
  EXPECT_EQ(program.Run({"run", "--kafka-property", "bootstrap.servers=a:1"}), kExitOk);
  EXPECT_EQ(program.job, "run");
}

TEST(Run, ExitsAsTheErrorPolicySaysAndDoesNotRepeatTheRelaysLog) {
  FakeProgram program;
  for (absl::StatusCode code :
       {absl::StatusCode::kUnavailable, absl::StatusCode::kUnauthenticated,
        absl::StatusCode::kInvalidArgument, absl::StatusCode::kFailedPrecondition,
        absl::StatusCode::kDataLoss, absl::StatusCode::kInternal}) {
    program.EndJobsWith(absl::Status(code, "it ended"));
    EXPECT_EQ(program.Run({"run", "--brokers", "a:1"}), PolicyFor(code).exit_code);
    EXPECT_EQ(program.err(), "");
  }
}

TEST(Flags, TakeTextsThatLookLikeSomethingElse) {
  FakeProgram program;
  EXPECT_EQ(
      program.Run({"run", "--brokers", "[a:1,b:2]", "--key=", "--topic", "--x", "--header", "a=b",
                   "--header", "c=payload:/d,e", "--kafka-property", "client.id=[1,2]"}),
      kExitOk)
      << program.err();
  EXPECT_EQ(program.settings.kafka.brokers, "[a:1,b:2]");
  EXPECT_EQ(program.settings.outboxes[0].key, "");
  EXPECT_EQ(program.settings.outboxes[0].topic, "--x");
  EXPECT_THAT(*program.settings.outboxes[0].headers,
              ElementsAre(Pair("a", "b"), Pair("c", "payload:/d,e")));
  EXPECT_EQ(program.settings.kafka.properties["client.id"], "[1,2]");
}

TEST(Flags, CountTheLastTimeTheyAreGiven) {
  FakeProgram program;
  EXPECT_EQ(program.Run({"run", "--brokers", "a", "--brokers", "b", "--slot=x", "--brokers=c"}), 0);
  EXPECT_EQ(program.settings.kafka.brokers, "c");
}

TEST(ConfigFlag, IsTakenBeforeAndAfterTheVerbAndFromTheEnvironment) {
  ConfigFile early("[postgres]\nslot = \"early\"\n");
  ConfigFile late("[postgres]\nslot = \"late\"\n");
  ConfigFile variable("[postgres]\nslot = \"variable\"\n");
  FakeProgram program;
  program.SetVariable("WALPOST_CONFIG", variable.path());
  EXPECT_EQ(program.Run({"setup"}), kExitOk);
  EXPECT_EQ(program.settings.postgres.slot, "variable");
  EXPECT_EQ(program.Run({"--config", early.path(), "setup"}), kExitOk);
  EXPECT_EQ(program.settings.postgres.slot, "early");
  EXPECT_EQ(program.Run({"setup", "--config=" + late.path()}), kExitOk);
  EXPECT_EQ(program.settings.postgres.slot, "late");
  EXPECT_EQ(program.Run({"--config", early.path(), "setup", "--config", late.path()}), kExitOk);
  EXPECT_EQ(program.settings.postgres.slot, "late");
}

TEST(Setup, PassesItsOwnFlags) {
  FakeProgram program;
  EXPECT_EQ(program.Run({"setup", "--create-table", "debezium", "--dry-run", "--timeout", "5s",
                         "--table", "app.outbox"}),
            kExitOk);
  EXPECT_EQ(program.job, "setup");
  EXPECT_TRUE(program.setup_options.create_table);
  EXPECT_TRUE(program.setup_options.dry_run);
  EXPECT_EQ(program.setup_options.timeout, absl::Seconds(5));
  EXPECT_EQ(program.settings.outboxes[0].table, "app.outbox");
  EXPECT_EQ(program.settings.outboxes[0].preset, "debezium");
}

TEST(Setup, RefusesAnUnknownPresetAndTwoDifferentOnes) {
  FakeProgram program;
  EXPECT_EQ(program.Run({"setup", "--create-table", "debezum"}), kExitUsage);
  EXPECT_EQ(program.err(),
            "walpost: --create-table: outbox.preset: 'debezum' is not one of: debezium, aggregate, "
            "topic, "
            "efcore, message\n"
            "hint: did you mean 'debezium'?\n");
  EXPECT_EQ(program.Run({"setup", "--create-table", "debezium", "--preset", "other"}), kExitUsage);
  EXPECT_THAT(program.err(), HasSubstr("different presets"));
  EXPECT_EQ(program.job, "");
}

TEST(Setup, PrintsItsErrorWithTheHintOnALineOfItsOwn) {
  FakeProgram program;
  program.EndJobsWith(absl::FailedPreconditionError("slot 'x' is in use; hint: drop it"));
  EXPECT_EQ(program.Run({"setup"}), kExitPrecondition);
  EXPECT_EQ(program.err(), "walpost: slot 'x' is in use\nhint: drop it\n");
  EXPECT_EQ(program.out(), "");
}

TEST(Demo, PassesItsOwnFlags) {
  FakeProgram program;
  EXPECT_EQ(program.Run({"demo", "--events", "100", "--rate", "2.5", "--follow", "--brokers", "a:1",
                         "--conninfo", "host=db"}),
            kExitOk);
  EXPECT_EQ(program.demo_options.events, 100);
  EXPECT_EQ(program.demo_options.rate, 2.5);
  EXPECT_TRUE(program.demo_options.follow);
  EXPECT_FALSE(program.demo_options.terminal);
  EXPECT_EQ(program.settings.kafka.brokers, "a:1");
  EXPECT_EQ(program.settings.postgres.conninfo, "host=db");
}

// A shell that is set up for production must not turn the demo loose on it.
TEST(Demo, DoesNotTouchWhatFilesAndVariablesName) {
  ConfigFile file("[kafka]\nbrokers = \"real:9092\"\n");
  FakeProgram program;
  program.SetVariable("WALPOST_POSTGRES_CONNINFO", "host=production");
  program.SetVariable("WALPOST_CONFIG", file.path());
  EXPECT_EQ(program.Run({"demo"}), kExitOk);
  EXPECT_EQ(program.settings.postgres.conninfo, "");
  EXPECT_EQ(program.settings.kafka.brokers, "");
  EXPECT_EQ(program.Run({"--config", file.path(), "demo"}), kExitUsage);
  EXPECT_EQ(program.job, "");
}

TEST(Demo, EndsQuietlyWhenItIsInterrupted) {
  FakeProgram program;
  program.EndJobsWith(absl::CancelledError("interrupted"));
  EXPECT_EQ(program.Run({"demo"}), kExitOk);
  EXPECT_EQ(program.err(), "");
}

TEST(Demo, RefusesNumbersThatMakeNoSense) {
  FakeProgram program;
  for (const char* events : {"0", "-1", "1.5", "many", "9999999999"}) {
    EXPECT_EQ(program.Run({"demo", "--events", events}), kExitUsage) << events;
    EXPECT_THAT(program.err(), StartsWith("walpost: --events: "));
  }
  for (const char* rate : {"0", "-1", "nan", "inf", "fast"}) {
    EXPECT_EQ(program.Run({"demo", "--rate", rate}), kExitUsage) << rate;
    EXPECT_THAT(program.err(), StartsWith("walpost: --rate: "));
  }
}

TEST(ConfigShow, PrintsEachValueWithItsOriginAndNoSecret) {
  FakeProgram program;
  program.SetVariable("WALPOST_POSTGRES_CONNINFO", "host=db password=hunter2");
  EXPECT_EQ(program.Run({"config", "show", "--slot", "orders"}), kExitOk);
  EXPECT_THAT(program.out(), HasSubstr("postgres.slot = \"orders\" "));
  EXPECT_THAT(program.out(), HasSubstr("# flag --slot\n"));
  EXPECT_THAT(program.out(), HasSubstr("# env WALPOST_POSTGRES_CONNINFO\n"));
  EXPECT_THAT(program.out(), HasSubstr("password=***"));
  EXPECT_THAT(program.out(), Not(HasSubstr("hunter2")));
  EXPECT_EQ(program.Run({"config", "show", "--json"}), kExitOk);
  EXPECT_THAT(program.out(),
              HasSubstr(R"({"name":"log.level","section":"log","key":"level","value":"info",)"
                        R"("origin":"default"})"));
  EXPECT_THAT(program.out(), Not(HasSubstr("hunter2")));
}

TEST(ConfigCheck, SaysOkOrAllThatIsWrong) {
  ConfigFile good("[postgres]\nslot = \"orders\"\n[kafka]\nbrokers = \"k:9092\"\n");
  ConfigFile bad("[postgres]\nslott = \"orders\"\n[log]\nlevel = \"inof\"\n");
  FakeProgram program;
  EXPECT_EQ(program.Run({"config", "check", "--config", good.path()}), kExitOk);
  EXPECT_EQ(program.out(), good.path() + ": ok\n");
  EXPECT_EQ(program.Run({"config", "check", "--config", bad.path()}), kExitUsage);
  EXPECT_EQ(program.out(), "");
  EXPECT_EQ(
      program.err(),
      "walpost: " + bad.path() +
          ":2:1: unknown key 'postgres.slott'\nhint: did you mean 'slot'?\nwalpost: " + bad.path() +
          ":4:9: log.level: 'inof' is not one of: debug, info, warn, error\n"
          "hint: did you mean 'info'?\n");
  ConfigFile lossy("[kafka]\nproperties = { acks = \"1\" }\n");
  EXPECT_EQ(program.Run({"config", "check", "--config", lossy.path()}), kExitUsage);
  EXPECT_THAT(program.err(), HasSubstr("kafka property 'acks' cannot be '1'"));
  EXPECT_EQ(program.Run({"config", "check", "--config", bad.path(), "--json"}), kExitUsage);
  EXPECT_THAT(program.out(), HasSubstr("\"ok\":false,\"errors\":[\"" + bad.path() + ":2:1: "));
}

TEST(ConfigCheck, RefusesWhatRunWouldRefuseBeforeItLooksForItsServers) {
  const std::pair<const char*, const char*> cases[] = {
      {"", "kafka.brokers is not set"},
      {"brokers = 'k:99999'", "kafka.brokers: 'k:99999' is no broker"},
      {"brokers = 'k:9092'\nproperties = { retries = '0' }", "`retries` must be set >= 1"},
      {"brokers = 'k:9092'\nproperties = { \"security.protocol\" = 'ssl', \"ssl.ca.location\" = "
       "'/nowhere/ca' }",
       "ssl.ca.location"},
      {"brokers = 'k:9092'\n[postgres]\nconninfo = 'hst=1'", "a keyword that libpq does not know"},
      {"brokers = 'k:9092'\n[[outbox]]\nid = ''", "outbox.id: it is empty"},
      {"brokers = 'k:9092'\n[[outbox]]\ntopic = 't.${payload:/t}'",
       "outbox.topic: 'payload:/t' is"}};
  for (const auto& [toml, error] : cases) {
    ConfigFile file(std::string("[kafka]\n") + toml + "\n");
    FakeProgram program;
    EXPECT_EQ(program.Run({"config", "check", "--config", file.path()}), kExitUsage) << toml;
    EXPECT_THAT(program.err(), HasSubstr(error));
    EXPECT_THAT(program.err(), HasSubstr("hint: "));
    EXPECT_EQ(program.job, "");
  }
}

TEST(ConfigReference, PrintsTheReferenceAndTheSample) {
  FakeProgram program;
  EXPECT_EQ(program.Run({"config", "reference"}), kExitOk);
  EXPECT_EQ(program.out(), config::RenderReference());
  EXPECT_EQ(program.Run({"config", "reference", "--toml"}), kExitOk);
  EXPECT_EQ(program.out(), config::RenderSample());
  EXPECT_EQ(program.Run({"config", "reference", "--json"}), kExitOk);
  EXPECT_THAT(program.out(), HasSubstr("\"environment\":\"WALPOST_POSTGRES_SLOT\""));
}

TEST(Version, PrintsItsOwnAndThoseOfTheLibraries) {
  FakeProgram program;
  EXPECT_EQ(program.Run({"version"}), kExitOk);
  EXPECT_THAT(program.out(), testing::MatchesRegex("walpost [0-9]+\\.[0-9]+\\.[0-9]+\n"
                                                   "libpq 15.1\nlibssl 3.0 b\n"));
  EXPECT_EQ(program.Run({"--version"}), kExitOk);
  EXPECT_THAT(program.out(), StartsWith("walpost "));
  EXPECT_EQ(program.Run({"version", "--json"}), kExitOk);
  EXPECT_THAT(program.out(), HasSubstr(R"("libraries":{"libpq":"15.1","libssl":"3.0 b"}})"));
}

TEST(RunCli, FailsWhenTheResultCannotBeWritten) {
  FakeProgram program;
  program.BreakOut();
  EXPECT_EQ(program.Run({"version"}), kExitFailed);
  EXPECT_THAT(program.err(), HasSubstr("standard output"));
}

}  // namespace
}  // namespace walpost::cli
