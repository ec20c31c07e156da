#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>

#include "cli/connector_file.h"
#include "core/error_policy.h"
#include "unit/cli/fake_program.h"

namespace walpost::cli {
namespace {

using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::Pair;
using testing::StartsWith;

constexpr std::string_view kConfig = R"("transforms": "outbox",
  "transforms.outbox.type": "io.debezium.transforms.outbox.EventRouter",
  "transforms.outbox.route.tombstone.on.empty.payload": true)";

std::string Braced(std::string_view members) { return "{\n  " + std::string(members) + "\n}\n"; }

// A folder of its own for a test's files.
class Files {
 public:
  Files() {
    std::string name = testing::TempDir() + "walpost-import-XXXXXX";
    folder_ = ::mkdtemp(name.data());
  }
  ~Files() {
    for (const std::string& path : paths_) std::remove(path.c_str());
    ::rmdir(folder_.c_str());
  }

  std::string Path(const std::string& name) {
    paths_.push_back(folder_ + "/" + name);
    return paths_.back();
  }
  std::string Write(const std::string& name, std::string_view text) {
    const std::string path = Path(name);
    std::ofstream(path) << text;
    return path;
  }
  static std::string Read(const std::string& path) {
    std::stringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
  }

 private:
  std::string folder_;
  std::vector<std::string> paths_;
};

std::string ErrorOf(std::string_view text) {
  const auto properties = ParseConnectorFile(text, "c.json");
  EXPECT_TRUE(absl::IsInvalidArgument(properties.status())) << properties.status();
  return std::string(properties.status().message());
}

TEST(ConnectorFile, ReadsEachShapeThatTheRestApiHas) {
  const auto bare = ParseConnectorFile(R"( {"name": "n", "a": "1", "b": 2, "c": false})", "f");
  ASSERT_TRUE(bare.ok()) << bare.status();
  EXPECT_THAT(*bare,
              ElementsAre(Pair("name", "n"), Pair("a", "1"), Pair("b", "2"), Pair("c", "false")));

  const auto given = ParseConnectorFile(
      R"({"name": "n", "config": {"a": "1", "gone": null}, "tasks": [{"task": 0}], "type": "source"})",
      "f");
  ASSERT_TRUE(given.ok()) << given.status();
  EXPECT_THAT(*given, ElementsAre(Pair("name", "n"), Pair("a", "1")));

  const auto both = ParseConnectorFile(R"({"name": "n", "config": {"name": "n", "a": "1"}})", "f");
  ASSERT_TRUE(both.ok());
  EXPECT_THAT(*both, ElementsAre(Pair("name", "n"), Pair("a", "1")));
}

TEST(ConnectorFile, ReadsAKafkaConnectorOfKubernetes) {
  const auto connector = ParseConnectorFile(
      R"({"apiVersion": "kafka.strimzi.io/v1beta2", "kind": "KafkaConnector", "metadata": {},
          "spec": {"class": "C", "config": {"a": "1", "b": 2}}})",
      "f");
  ASSERT_TRUE(connector.ok()) << connector.status();
  EXPECT_THAT(*connector,
              ElementsAre(Pair("a", "1"), Pair("b", "2"), Pair("connector.class", "C")));
  EXPECT_THAT(ErrorOf(R"({"apiVersion": "v1", "spec": {}})"), HasSubstr("without spec.config"));
  for (const char* yaml : {"apiVersion: kafka.strimzi.io/v1beta2\nkind: KafkaConnector\n",
                           "---\nkind: KafkaConnector\n", "spec:\n  a: b\napiVersion: v1\n"}) {
    EXPECT_THAT(ErrorOf(yaml), HasSubstr("hint: give it in JSON")) << yaml;
  }
}

TEST(ConnectorFile, KeepsEachDigitOfANumber) {
  const auto properties = ParseConnectorFile(R"({"a": 12345678901234567890, "b": 1e3})", "f");
  ASSERT_TRUE(properties.ok());
  EXPECT_THAT(*properties, ElementsAre(Pair("a", "12345678901234567890"), Pair("b", "1e3")));
}

TEST(ConnectorFile, ReadsPropertiesWithTheirEscapes) {
  const auto properties = ParseConnectorFile("# comment\na = b,\\\n    c\n! d\ne:\\u00e9\n", "f");
  ASSERT_TRUE(properties.ok()) << properties.status();
  EXPECT_THAT(*properties, ElementsAre(Pair("a", "b,c"), Pair("e", "é")));
}

TEST(ConnectorFile, SaysWhereTheTextIsBroken) {
  EXPECT_THAT(ErrorOf("{\n  \"a\": \"1\",\n  \"b\" \"2\"}"), StartsWith("c.json:3:7: not JSON: "));
  EXPECT_THAT(ErrorOf("{\"a\": "), StartsWith("c.json:1:7: not JSON: "));
  EXPECT_THAT(ErrorOf("{} x"), StartsWith("c.json:1:4: not JSON: "));
  EXPECT_THAT(ErrorOf("a=1\nb=\\u12"), StartsWith("c.json: line 2: "));
  EXPECT_THAT(ErrorOf("a=1\nb=\xff"), StartsWith("c.json:2:3: not UTF-8"));
  EXPECT_THAT(ErrorOf("{\"a\": \"\xc3"), StartsWith("c.json:1:8: not UTF-8"));
  EXPECT_EQ(ErrorOf(" \n# nothing\n"), "c.json: holds no property");
}

TEST(ConnectorFile, RefusesWhatIsNoConnector) {
  EXPECT_THAT(ErrorOf(R"({"config": "x"})"), HasSubstr("'config' is not an object"));
  EXPECT_THAT(ErrorOf(R"({"outbox": {"info": {}}})"),
              HasSubstr("hint: give the answer of GET /connectors/NAME/config"));
  EXPECT_THAT(ErrorOf(R"({"config": {"a": ["secret"]}})"), Not(HasSubstr("secret")));
}

TEST(ConnectorFile, SurvivesAnyDepth) {
  const std::string deep(200'000, '{');
  EXPECT_THAT(ErrorOf(deep), HasSubstr("not JSON"));
  std::string arrays = "{\"a\":" + std::string(200'000, '[');
  EXPECT_THAT(ErrorOf(arrays + std::string(200'000, ']') + "}"), HasSubstr("'a' is no property"));
}

TEST(ImportDebezium, WritesTheConfigurationToStandardOutput) {
  Files files;
  const std::string file = files.Write("c.json", Braced(kConfig));
  FakeProgram program;
  EXPECT_EQ(program.Run({"config", "import-debezium", file}), kExitOk) << program.err();
  EXPECT_THAT(program.out(), HasSubstr("\nempty_payload = \"tombstone\"\n"));
  EXPECT_EQ(program.err(), "");
  EXPECT_EQ(program.job, "");
}

TEST(ImportDebezium, WritesAFileThatTheOtherVerbsTake) {
  Files files;
  const std::string file = files.Write("c.json", Braced(kConfig));
  const std::string output = files.Path("walpost.toml");
  FakeProgram program;
  EXPECT_EQ(program.Run({"config", "import-debezium", file, "--output", output}), kExitOk);
  EXPECT_EQ(program.out(), "");
  EXPECT_EQ(program.Run({"config", "check", "--config", output, "--brokers", "k:9092"}), kExitOk)
      << program.err();
  EXPECT_EQ(program.Run({"run", "--config", output, "--brokers", "k:9092"}), kExitOk)
      << program.err();
  EXPECT_EQ(program.settings.outboxes[0].empty_payload, "tombstone");
}

TEST(ImportDebezium, DoesNotOverwriteAFile) {
  Files files;
  const std::string file = files.Write("c.json", Braced(kConfig));
  const std::string output = files.Write("walpost.toml", "precious");
  FakeProgram program;
  EXPECT_EQ(program.Run({"config", "import-debezium", file, "--output", output}), kExitUsage);
  EXPECT_EQ(Files::Read(output), "precious");
  EXPECT_THAT(program.err(), HasSubstr("is there already\nhint: remove it"));
}

TEST(ImportDebezium, EndsWithThreeWhenConsumersMaySeeADifference) {
  Files files;
  const std::string file = files.Write(
      "c.json",
      Braced(std::string(kConfig) +
             R"(, "decimal.handling.mode": "string", "heartbeat.interval.ms": 5, "odd": 1)"));
  const std::string output = files.Path("walpost.toml");
  FakeProgram program;
  EXPECT_EQ(program.Run({"config", "import-debezium", file, "--output", output}),
            kExitPrecondition);
  EXPECT_THAT(Files::Read(output), HasSubstr("#   decimal.handling.mode: "));
  EXPECT_THAT(program.err(), StartsWith("walpost: unknown properties:\n  odd: "));
  EXPECT_THAT(program.err(), HasSubstr("\nwalpost: cannot be honoured; consumers see no "
                                       "difference:\n  heartbeat.interval.ms: "));
  EXPECT_THAT(program.err(), HasSubstr("\nwalpost: cannot be honoured, and consumers may see it:\n"
                                       "  decimal.handling.mode: "));
}

TEST(ImportDebezium, EndsWithThreeWhenTheOptionsRefuseWhatTheyAreGiven) {
  Files files;
  const std::string file =
      files.Write("c.json", Braced(std::string(kConfig) + R"(, "slot.name": "Outbox Slot")"));
  FakeProgram program;
  EXPECT_EQ(program.Run({"config", "import-debezium", file}), kExitPrecondition);
  EXPECT_THAT(program.out(), HasSubstr("slot = \"Outbox Slot\"\n"));
  EXPECT_THAT(program.err(), StartsWith("walpost: the output:"));
  EXPECT_THAT(program.err(), HasSubstr("postgres.slot: "));
}

TEST(ImportDebezium, TakesTheWorkersPropertiesFromAFileOfTheirOwn) {
  Files files;
  const std::string file = files.Write("c.json", Braced(kConfig));
  const std::string worker =
      files.Write("worker.properties", "bootstrap.servers=k:9092\nvalue.converter=Json\n");
  FakeProgram program;
  EXPECT_EQ(program.Run({"config", "import-debezium", file, "--worker", worker}), kExitOk);
  EXPECT_THAT(program.out(), HasSubstr("\nbrokers = \"k:9092\"\n"));
  EXPECT_THAT(program.out(), HasSubstr("\nvalue = \"json-schema\"\n"));
}

TEST(ImportDebezium, RefusesWhatItCannotReadWithoutWritingAnything) {
  Files files;
  FakeProgram program;
  EXPECT_EQ(program.Run({"config", "import-debezium"}), kExitUsage);
  EXPECT_THAT(program.err(), HasSubstr("takes one FILE"));
  EXPECT_EQ(program.Run({"config", "import-debezium", files.Path("none.json")}), kExitUsage);
  EXPECT_THAT(program.err(), HasSubstr("none.json: cannot be read: No such file"));
  const std::string broken = files.Write("broken.json", "{\"a\"}");
  EXPECT_EQ(program.Run({"config", "import-debezium", broken}), kExitUsage);
  EXPECT_THAT(program.err(), HasSubstr("broken.json:1:5: not JSON"));
  const std::string other = files.Write("other.json", R"({"connector.class": "FileStreamSource"})");
  EXPECT_EQ(program.Run({"config", "import-debezium", other}), kExitUsage);
  EXPECT_THAT(program.err(), HasSubstr("other.json: transforms: names no transform"));
  const std::string server = files.Write(
      "server.properties", "debezium.source.connector.class=PostgresConnector\ntransforms=\n");
  EXPECT_EQ(program.Run({"config", "import-debezium", server}), kExitUsage);
  EXPECT_THAT(program.err(), HasSubstr("server.properties: debezium.source.*: "));
  EXPECT_EQ(program.Run({"config", "import-debezium", broken, other}), kExitUsage);
  EXPECT_EQ(program.out(), "");
}

TEST(ImportDebezium, HasAHelpThatFitsAScreen) {
  FakeProgram program;
  EXPECT_EQ(program.Run({"config", "import-debezium", "--help"}), kExitOk);
  EXPECT_THAT(program.out(), StartsWith("Usage: walpost config import-debezium FILE [options]\n"));
  EXPECT_THAT(program.out(), HasSubstr("\n  FILE "));
  EXPECT_THAT(
      program.out(),
      EndsWith("\n  walpost config import-debezium connector.json --output walpost.toml\n"));
}

}  // namespace
}  // namespace walpost::cli
