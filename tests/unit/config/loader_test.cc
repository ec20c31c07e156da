#include "config/loader.h"

#include <absl/strings/str_cat.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "base/strings.h"
#include "unit/config/settings_text.h"
#include "unit/config/temporary_file.h"

namespace walpost::config {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::Pair;

Environment EnvironmentOf(std::map<std::string, std::string> variables) {
  return [variables](std::string_view name) -> std::optional<std::string> {
    auto found = variables.find(std::string(name));
    if (found == variables.end()) return std::nullopt;
    return found->second;
  };
}

FlagValue Flag(std::string_view section, std::string_view key, std::string text) {
  return {FindOption(section, key), std::move(text)};
}

const ShownValue& Shown(const LoadedConfig& loaded, std::string_view name) {
  for (const ShownValue& value : loaded.values) {
    if (value.name == name) return value;
  }
  ADD_FAILURE() << "no value named " << name;
  return loaded.values.front();
}

std::string ErrorOf(const LoadRequest& request) {
  absl::StatusOr<LoadedConfig> loaded = Load(request);
  EXPECT_EQ(loaded.status().code(), absl::StatusCode::kInvalidArgument);
  return std::string(ToStd(loaded.status().message()));
}

TEST(Load, GivesTheDefaultsWhenNothingIsSet) {
  absl::StatusOr<LoadedConfig> loaded = Load({});
  ASSERT_TRUE(loaded.ok()) << loaded.status();
  EXPECT_EQ(SettingsText(loaded->settings), SettingsText(Settings{}));
  EXPECT_EQ(Shown(*loaded, "postgres.slot").text, "walpost");
  EXPECT_EQ(Shown(*loaded, "postgres.slot").origin, "default");
  EXPECT_EQ(Shown(*loaded, "outbox.topic").text, "outbox.event.${aggregatetype}");
  EXPECT_EQ(Shown(*loaded, "outbox.topic").origin, "preset debezium");
}

TEST(Load, PrefersFlagThenEnvironmentThenFileThenDefault) {
  TemporaryFile file(
      "[postgres]\nslot = \"file\"\npublication = \"file\"\nconninfo = \"file=1\"\n");
  LoadRequest request = {.file = file.path(),
                         .flags = {Flag("postgres", "slot", "flag")},
                         .environment = EnvironmentOf({{"WALPOST_POSTGRES_SLOT", "env"},
                                                       {"WALPOST_POSTGRES_PUBLICATION", "env"}})};
  absl::StatusOr<LoadedConfig> loaded = Load(request);
  ASSERT_TRUE(loaded.ok()) << loaded.status();
  EXPECT_EQ(loaded->settings.postgres.slot, "flag");
  EXPECT_EQ(loaded->settings.postgres.publication, "env");
  EXPECT_EQ(loaded->settings.postgres.conninfo, "file=1");
  EXPECT_EQ(Shown(*loaded, "postgres.slot").origin, "flag --slot");
  EXPECT_EQ(Shown(*loaded, "postgres.publication").origin, "env WALPOST_POSTGRES_PUBLICATION");
  EXPECT_EQ(Shown(*loaded, "postgres.conninfo").origin, file.path() + ":4");
  EXPECT_EQ(Shown(*loaded, "postgres.connect_timeout").origin, "default");
}

// A value that differs from the default, where the option has more than one.
std::string OtherText(const OptionDef& option) {
  switch (option.kind) {
    case OptionKind::kSize:
      return "1MiB";
    case OptionKind::kCount:
      return "7";
    case OptionKind::kDuration:
      return "7s";
    case OptionKind::kEnum:
      return std::string(option.allowed.back());
    case OptionKind::kMap:
      return "name=value";
    case OptionKind::kText:
      break;
  }
  return option.key == "listen" ? "[::1]:7" : "other";
}

std::string OtherToml(const OptionDef& option) {
  return option.kind == OptionKind::kMap ? R"({ name = "value" })" : TomlString(OtherText(option));
}

bool HasOneValue(const OptionDef& option) {
  return option.allowed.size() == 1 && !option.default_text.empty();
}

class EveryOption : public testing::TestWithParam<OptionDef> {};

TEST_P(EveryOption, IsSetByFileEnvironmentAndFlagAlike) {
  const OptionDef& option = GetParam();
  bool block = FindSection(option.section)->repeated;
  TemporaryFile file(absl::StrCat(block ? "[[" : "[", ToAbsl(option.section), block ? "]]" : "]",
                                  "\n", ToAbsl(option.key), " = ", OtherToml(option), "\n"));
  std::string text = OtherText(option);
  auto by_file = Load({.file = file.path(), .flags = {}, .environment = {}});
  auto by_environment = Load(
      {.file = {}, .flags = {}, .environment = EnvironmentOf({{EnvironmentName(option), text}})});
  auto by_flag =
      Load({.file = {}, .flags = {Flag(option.section, option.key, text)}, .environment = {}});
  ASSERT_TRUE(by_file.ok()) << by_file.status();
  ASSERT_TRUE(by_environment.ok()) << by_environment.status();
  ASSERT_TRUE(by_flag.ok()) << by_flag.status();
  if (!HasOneValue(option)) {
    EXPECT_NE(SettingsText(by_file->settings), SettingsText(Settings{}));
  }
  EXPECT_EQ(SettingsText(by_file->settings), SettingsText(by_environment->settings));
  EXPECT_EQ(SettingsText(by_file->settings), SettingsText(by_flag->settings));
}

std::string TestNameOf(const testing::TestParamInfo<OptionDef>& test) {
  return absl::StrCat(ToAbsl(test.param.section), "_", ToAbsl(test.param.key));
}

INSTANTIATE_TEST_SUITE_P(Table, EveryOption, testing::ValuesIn(Options().begin(), Options().end()),
                         TestNameOf);

TEST(Load, KeepsTheOrderOfHeaders) {
  TemporaryFile file(
      "[[outbox]]\nheaders = { zeta = \"a\", alpha = \"b\", mid = \"payload:/c\" }\n");
  absl::StatusOr<LoadedConfig> loaded = Load({.file = file.path(), .flags = {}, .environment = {}});
  ASSERT_TRUE(loaded.ok()) << loaded.status();
  EXPECT_THAT(*loaded->settings.outboxes[0].headers,
              ElementsAre(Pair("zeta", "a"), Pair("alpha", "b"), Pair("mid", "payload:/c")));
}

TEST(Load, ReadsOneBlockForEachTable) {
  TemporaryFile file(
      "[[outbox]]\ntable = \"a\"\nkey = \"\"\n[[outbox]]\ntable = \"b\"\ntopic = \"t\"\n");
  absl::StatusOr<LoadedConfig> loaded =
      Load({.file = file.path(),
            .flags = {},
            .environment = EnvironmentOf({{"WALPOST_OUTBOX_TABLE", "first"}})});
  ASSERT_TRUE(loaded.ok()) << loaded.status();
  ASSERT_EQ(loaded->settings.outboxes.size(), 2u);
  EXPECT_EQ(loaded->settings.outboxes[0].table, "first");
  EXPECT_EQ(loaded->settings.outboxes[0].key, "");
  EXPECT_EQ(loaded->settings.outboxes[1].table, "b");
  EXPECT_EQ(loaded->settings.outboxes[1].key, std::nullopt);
  EXPECT_EQ(loaded->settings.outboxes[1].topic, "t");
  EXPECT_EQ(Shown(*loaded, "outbox[2].topic").text, "t");
}

TEST(Load, RefusesAFlagThatCannotSayWhichBlock) {
  TemporaryFile file("[[outbox]]\ntable = \"a\"\n[[outbox]]\ntable = \"b\"\n");
  EXPECT_THAT(
      ErrorOf({.file = file.path(), .flags = {Flag("outbox", "topic", "t")}, .environment = {}}),
      HasSubstr("--topic: the file has 2 [[outbox]] blocks"));
}

TEST(Load, RefusesTwoBlocksForOneTable) {
  TemporaryFile file("[[outbox]]\ntable = \"A\"\n[[outbox]]\ntable = \"public.a\"\n");
  EXPECT_EQ(ErrorOf({.file = file.path(), .flags = {}, .environment = {}}),
            file.path() +
                ":4:9: public.a has two [[outbox]] blocks; hint: keep one block for each table");
}

TEST(Load, RefusesAnOutboxThatIsToBeIgnored) {
  TemporaryFile file("[[outbox]]\ntable = \"app.a\"\n[relay]\nignored_tables = \"b, app.A\"\n");
  EXPECT_EQ(ErrorOf({.file = file.path(), .flags = {}, .environment = {}}),
            file.path() +
                ":4:18: relay.ignored_tables: app.a has an [[outbox]] block; hint: remove one of "
                "the two");
}

TEST(Load, AddsUpKafkaPropertiesNameByName) {
  TemporaryFile file(
      "[kafka]\nproperties = { \"security.protocol\" = \"ssl\", linger.ms = 5, debug = \"a\" }\n");
  absl::StatusOr<LoadedConfig> loaded = Load(
      {.file = file.path(),
       .flags = {Flag("kafka", "properties", "debug=c"), Flag("kafka", "properties", "acks=all")},
       .environment = EnvironmentOf({{"WALPOST_KAFKA_PROPERTIES", "debug=b,client.id=w"}})});
  ASSERT_TRUE(loaded.ok()) << loaded.status();
  EXPECT_THAT(loaded->settings.kafka.properties,
              ElementsAre(Pair("acks", "all"), Pair("client.id", "w"), Pair("debug", "c"),
                          Pair("linger.ms", "5"), Pair("security.protocol", "ssl")));
  EXPECT_EQ(Shown(*loaded, "kafka.properties.\"linger.ms\"").origin, file.path() + ":2");
  EXPECT_EQ(Shown(*loaded, "kafka.properties.\"debug\"").origin, "flag --kafka-property");
}

TEST(Load, ReadsASecretPropertyFromItsFile) {
  TemporaryFile secret("hunter2 \n");
  absl::StatusOr<LoadedConfig> loaded =
      Load({.file = {},
            .flags = {Flag("kafka", "properties", "sasl.password_file=" + secret.path())},
            .environment = EnvironmentOf({{"WALPOST_KAFKA_PROPERTIES", "sasl.password=old"}})});
  ASSERT_TRUE(loaded.ok()) << loaded.status();
  EXPECT_THAT(loaded->settings.kafka.properties, ElementsAre(Pair("sasl.password", "hunter2 ")));
  EXPECT_EQ(Shown(*loaded, "kafka.properties.\"sasl.password_file\"").text, secret.path());
}

TEST(Load, RefusesASecretFileThatIsMissing) {
  std::string error =
      ErrorOf({.file = {},
               .flags = {Flag("kafka", "properties", "sasl.password_file=/no/such")},
               .environment = {}});
  EXPECT_THAT(error, HasSubstr("--kafka-property: kafka.properties: cannot read '/no/such' for "
                               "'sasl.password': No such file"));
}

TEST(Load, RefusesAPropertyThatIsGivenBothWays) {
  TemporaryFile secret("hunter2");
  TemporaryFile file(
      absl::StrCat("[kafka]\nproperties = { \"sasl.password\" = \"hunter2\", "
                   "\"sasl.password_file\" = \"",
                   secret.path(), "\" }\n"));
  std::string error = ErrorOf({.file = file.path(), .flags = {}, .environment = {}});
  EXPECT_THAT(error, HasSubstr("both 'sasl.password' and 'sasl.password_file' are set"));
  EXPECT_THAT(error, Not(HasSubstr("hunter2")));
}

TEST(Load, NeverShowsASecret) {
  absl::StatusOr<LoadedConfig> loaded =
      Load({.file = {},
            .flags = {Flag("postgres", "conninfo", "host=db password='hunter2'"),
                      Flag("kafka", "properties", "sasl.password=hunter2"),
                      Flag("kafka", "properties", "ssl.key.pem=hunter2")},
            .environment = {}});
  ASSERT_TRUE(loaded.ok()) << loaded.status();
  EXPECT_EQ(loaded->settings.kafka.properties["sasl.password"], "hunter2");
  EXPECT_EQ(Shown(*loaded, "postgres.conninfo").text, "host=db password=***");
  for (const ShownValue& value : loaded->values) {
    EXPECT_THAT(value.text + value.toml, Not(HasSubstr("hunter2"))) << value.name;
  }
}

TEST(Load, NamesTheFlagOrTheVariableOfAWrongValue) {
  std::string error =
      ErrorOf({.file = {},
               .flags = {Flag("relay", "drain_timeout", "3")},
               .environment = EnvironmentOf({{"WALPOST_POSTGRES_SLOT", "No Slot"}})});
  EXPECT_THAT(error,
              HasSubstr("WALPOST_POSTGRES_SLOT: postgres.slot: 'No Slot' is not a slot name"));
  EXPECT_THAT(error, HasSubstr("--drain-timeout: relay.drain_timeout: '3' is not a duration"));
}

TEST(Load, ReportsAWrongValueInTheFileThatAFlagOverrides) {
  TemporaryFile file("[postgres]\nslot = \"No Slot\"\n");
  EXPECT_THAT(
      ErrorOf(
          {.file = file.path(), .flags = {Flag("postgres", "slot", "fine")}, .environment = {}}),
      HasSubstr(file.path() + ":2:8: postgres.slot: "));
}

TEST(Load, StartsForeverWhenToldSo) {
  absl::StatusOr<LoadedConfig> loaded =
      Load({.file = {}, .flags = {Flag("relay", "start_timeout", "forever")}, .environment = {}});
  ASSERT_TRUE(loaded.ok()) << loaded.status();
  EXPECT_EQ(loaded->settings.relay.start_timeout, absl::InfiniteDuration());
}

TEST(Load, PutsWhatTheMappingSaysOfABlockInItsPlace) {
  TemporaryFile file("[[outbox]]\ntable = \"a\"\n[[outbox]]\ntable = \"b\"\ntopic = \"${\"\n");
  LoadRequest request = {.file = file.path()};
  request.check_outbox = [](const OutboxSettings& outbox) {
    return outbox.table == "b" ? absl::InvalidArgumentError("outbox.topic: '${' is not right")
                               : absl::OkStatus();
  };
  const auto loaded = Load(request);
  EXPECT_EQ(std::string(loaded.status().message()),
            file.path() + ":5:9: outbox.topic: '${' is not right");
}

TEST(Load, PutsWhatTheProducerSaysOfItsPropertiesInTheirPlace) {
  TemporaryFile file("[kafka]\nbrokers = \"a:1\"\nproperties = { acks = \"1\" }\n");
  LoadRequest request = {.file = file.path()};
  request.check_kafka = [](const KafkaSettings& kafka) {
    return kafka.properties.contains("acks") ? absl::InvalidArgumentError("'acks' cannot be '1'")
                                             : absl::OkStatus();
  };
  EXPECT_THAT(std::string(Load(request).status().message()),
              AllOf(HasSubstr(file.path() + ":3:"), HasSubstr("'acks' cannot be '1'")));
}

TEST(Load, ThePresetMessageHasOneBlockAndNoTable) {
  TemporaryFile two("[[outbox]]\npreset = \"message\"\n[[outbox]]\npreset = \"message\"\n");
  EXPECT_THAT(std::string(Load({.file = two.path()}).status().message()),
              HasSubstr(two.path() + ":4:10: outbox.preset: there are two"));
  TemporaryFile table("[[outbox]]\npreset = \"message\"\ntable = \"a\"\n");
  EXPECT_THAT(std::string(Load({.file = table.path()}).status().message()),
              HasSubstr(table.path() + ":3:9: outbox.table: the preset 'message' reads no table"));
}

TEST(Load, ADeadLetterTopicThatKafkaDoesNotTakeIsRefused) {
  TemporaryFile file("[relay]\ndead_letter_topic = \"dead letters\"\n");
  EXPECT_THAT(std::string(Load({.file = file.path()}).status().message()),
              HasSubstr(file.path() + ":2:21: relay.dead_letter_topic: the topic name has"));
}

TEST(Load, AFaultOfAnOptionThatIsNotSetStandsWhereItsBlockBegins) {
  TemporaryFile file("[[outbox]]\ntable = \"a\"\n[[outbox]]\ntable = \"b\"\nvalue = \"json\"\n");
  LoadRequest request = {.file = file.path()};
  request.check_outbox = [](const OutboxSettings& outbox) {
    return outbox.table == "b" ? absl::InvalidArgumentError("outbox.cloudevents: no source")
                               : absl::OkStatus();
  };
  EXPECT_EQ(std::string(Load(request).status().message()),
            file.path() + ":4:9: outbox.cloudevents: no source");
}

TEST(Load, ABlockIsThatOfItsPresetUnlessItSaysOtherwise) {
  TemporaryFile file("[[outbox]]\npreset = \"efcore\"\n[[outbox]]\npreset = \"message\"\n");
  const auto loaded = Load({.file = file.path()});
  ASSERT_TRUE(loaded.ok()) << loaded.status();
  EXPECT_EQ(loaded->settings.outboxes[0].table, "public.\"OutboxMessages\"");
  EXPECT_EQ(loaded->settings.outboxes[1].table, "");
  EXPECT_EQ(Shown(*loaded, "outbox[1].table").origin, "preset efcore");
  EXPECT_EQ(Shown(*loaded, "outbox[1].key").text, "Id");
  EXPECT_EQ(Shown(*loaded, "outbox[1].headers").text, "{ eventType = \"Type\" }");
  EXPECT_EQ(Shown(*loaded, "outbox[2].headers_from").text, "headers");
  EXPECT_EQ(Shown(*loaded, "outbox[2].partition").origin, "default");
}

TEST(Load, DeadLettersNeedATopic) {
  TemporaryFile file("[relay]\non_poison = \"dead-letter\"\n");
  const auto loaded = Load({.file = file.path()});
  EXPECT_EQ(std::string(loaded.status().message()),
            file.path() +
                ":2:13: relay.on_poison: 'dead-letter' needs a topic; hint: set "
                "relay.dead_letter_topic (--dead-letter-topic)");
}

TEST(Load, RefusesValuesOutOfRange) {
  struct Case {
    std::string_view section, key;
    std::string text;
  };
  const Case cases[] = {
      {"postgres", "slot", ""},
      {"postgres", "slot", "Upper"},
      {"postgres", "slot", std::string(64, 'a')},
      {"postgres", "publication", ""},
      {"postgres", "publication", std::string(64, 'a')},
      {"postgres", "connect_timeout", "0s"},
      {"outbox", "table", "a.b.c"},
      {"outbox", "table", ""},
      {"outbox", "preset", "debezum"},
      {"relay", "max_in_flight_bytes", "0"},
      {"relay", "max_in_flight_events", "0"},
      {"outbox", "value", "xml"},
      {"relay", "on_poison", "retry"},
      {"relay", "reconnect_max_delay", "1ms"},
      {"relay", "start_timeout", "never"},
      {"admin", "listen", "9464"},
      {"admin", "listen", ":9464"},
      {"admin", "listen", "::1:9464"},
      {"admin", "listen", "localhost:65536"},
      {"admin", "listen", "localhost:+1"},
      {"admin", "listen", "localhost:"},
      {"log", "level", "trace"},
      {"log", "format", "xml"},
  };
  for (const Case& c : cases) {
    std::string error =
        ErrorOf({.file = {}, .flags = {Flag(c.section, c.key, c.text)}, .environment = {}});
    EXPECT_THAT(error, HasSubstr(std::string(c.key))) << c.key << " = " << c.text;
  }
}

}  // namespace
}  // namespace walpost::config
