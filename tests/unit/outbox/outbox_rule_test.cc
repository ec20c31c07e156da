#include "outbox/outbox_rule.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "core/outbox_presets.h"

namespace walpost::outbox {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

std::string ErrorOf(const OutboxSettings& settings) {
  const auto rule = OutboxRule::Compile(settings);
  EXPECT_TRUE(absl::IsInvalidArgument(rule.status())) << rule.status();
  return std::string(rule.status().message());
}

TEST(OutboxRule, EveryPresetCompilesAsItIs) {
  for (const OutboxPreset& preset : OutboxPresets()) {
    OutboxSettings settings;
    settings.preset = std::string(preset.name);
    settings.table = std::string(preset.table);
    const auto rule = OutboxRule::Compile(settings);
    ASSERT_TRUE(rule.ok()) << preset.name << rule.status();
    EXPECT_EQ(rule->is_message, preset.name == kMessagePreset);
    EXPECT_EQ(rule->headers.empty(), preset.event_type.empty());
  }
}

TEST(OutboxRule, NamesTheOptionFirstInEveryError) {
  OutboxSettings settings;
  settings.preset = "nonsense";
  EXPECT_THAT(ErrorOf(settings), StartsWith("outbox.preset: "));
  settings = {};
  settings.table = "a.b.c";
  EXPECT_THAT(ErrorOf(settings), StartsWith("outbox.table: "));
  settings = {};
  settings.topic = "${";
  EXPECT_THAT(ErrorOf(settings), StartsWith("outbox.topic: "));
  settings = {};
  settings.topic_regex = "(";
  EXPECT_THAT(ErrorOf(settings), StartsWith("outbox.topic_regex: "));
  settings = {};
  settings.topic_regex = "(.*)";
  EXPECT_THAT(ErrorOf(settings), StartsWith("outbox.topic_replacement: missing"));
  settings = {};
  settings.topic_replacement = "x";
  EXPECT_THAT(ErrorOf(settings), StartsWith("outbox.topic_replacement: "));
  settings = {};
  settings.key = ":/a";
  EXPECT_THAT(ErrorOf(settings), StartsWith("outbox.key: "));
  settings = {};
  settings.headers = OutboxSettings::Texts{{"a", "payload:/~9"}};
  EXPECT_THAT(ErrorOf(settings), StartsWith("outbox.headers.a: "));
  settings = {};
  settings.value = "xml";
  EXPECT_THAT(ErrorOf(settings), StartsWith("outbox.value: "));
  settings = {};
  settings.timestamp = "";
  EXPECT_THAT(ErrorOf(settings), StartsWith("outbox.timestamp: "));
}

TEST(OutboxRule, RefusesWhatWouldMakePoisonOfEveryRow) {
  OutboxSettings settings;
  for (const std::string& topic : {std::string("outbox/event.${aggregatetype}"), std::string("a b"),
                                   std::string(".."), std::string(250, 'a') + "${type}"}) {
    settings.topic = topic;
    EXPECT_THAT(ErrorOf(settings), StartsWith("outbox.topic: the topic name")) << topic;
  }
  settings.topic_regex = "(.*)";
  settings.topic_replacement = "a";
  EXPECT_TRUE(OutboxRule::Compile(settings).ok()) << "what the router makes of it may be legal";
  settings = {};
  settings.value = "cloudevents";
  for (const auto& [name, constant] : std::vector<std::pair<std::string, std::string>>{
           {"source", "''"}, {"time", "'yesterday'"}, {"subject", "'a\nb'"}}) {
    settings.cloudevents = {{"source", "'/s'"}, {"type", "type"}};
    if (name == "source") settings.cloudevents.erase(settings.cloudevents.begin());
    settings.cloudevents.emplace_back(name, constant);
    EXPECT_THAT(ErrorOf(settings), HasSubstr("attribute '" + name + "'"));
  }
}

TEST(OutboxRule, RefusesWhatWouldDoNothing) {
  OutboxSettings settings;
  for (const char* value : {"text", "bytes", "json-escaped", "envelope"}) {
    settings.value = value;
    settings.json_style = "debezium";
    EXPECT_THAT(ErrorOf(settings), StartsWith("outbox.json_style: ")) << value;
  }
  settings = {};
  settings.json_nulls = "keep";
  EXPECT_THAT(ErrorOf(settings), StartsWith("outbox.json_nulls: "));
  settings = {};
  settings.json_empty_arrays = "keep";
  EXPECT_THAT(ErrorOf(settings), StartsWith("outbox.json_empty_arrays: "));
  settings.value = "struct";
  EXPECT_TRUE(OutboxRule::Compile(settings).ok());
  settings = {};
  settings.cloudevents_mode = "structured";
  EXPECT_THAT(ErrorOf(settings), StartsWith("outbox.cloudevents_mode: "));
  settings = {};
  settings.prefix = "other";
  EXPECT_THAT(ErrorOf(settings), StartsWith("outbox.prefix: "));
  settings = {};
  settings.message_scope = "all";
  EXPECT_THAT(ErrorOf(settings), StartsWith("outbox.message_scope: "));
}

TEST(OutboxRule, AHeaderOfItsOwnCannotBeCalledId) {
  OutboxSettings settings;
  settings.headers = OutboxSettings::Texts{{"id", "type"}};
  EXPECT_THAT(ErrorOf(settings), HasSubstr("already has the header 'id'"));
}

TEST(OutboxRule, AnEnvelopeNeedsAFormatThatHasOne) {
  OutboxSettings settings;
  settings.envelope = {{"eventType", "type"}};
  EXPECT_THAT(ErrorOf(settings), HasSubstr("outbox.value = envelope"));
  for (const char* value : {"envelope", "json", "json-schema"}) {
    settings.value = value;
    EXPECT_TRUE(OutboxRule::Compile(settings).ok()) << value;
  }
  settings.envelope = {{"payload", "type"}};
  EXPECT_THAT(ErrorOf(settings), HasSubstr("payload"));
}

TEST(OutboxRule, ACloudEventNeedsASourceAndAType) {
  OutboxSettings settings;
  settings.value = "cloudevents";
  EXPECT_THAT(ErrorOf(settings), HasSubstr("needs source and type"));
  settings.cloudevents = {{"source", "'/shop'"}, {"type", "type"}};
  EXPECT_TRUE(OutboxRule::Compile(settings).ok());
  settings.cloudevents.emplace_back("eventType", "type");
  EXPECT_THAT(ErrorOf(settings), HasSubstr("a to z"));
  settings.cloudevents.back().first = "data";
  EXPECT_THAT(ErrorOf(settings), HasSubstr("'data'"));
}

TEST(OutboxRule, OnlyAColumnCanBeAKeyInAnotherFormatThanText) {
  OutboxSettings settings;
  settings.key = "payload:/id";
  settings.key_format = "json";
  EXPECT_THAT(ErrorOf(settings), StartsWith("outbox.key_format: "));
}

TEST(OutboxRule, TellsWhichTypesWillDoForAColumn) {
  OutboxSettings settings;
  settings.partition = "part";
  settings.timestamp = "at";
  const auto rule = OutboxRule::Compile(settings);
  ASSERT_TRUE(rule.ok());
  for (const OutboxColumn& column : rule->Columns()) {
    EXPECT_EQ(column.types.empty(), column.name != "part" && column.name != "at") << column.name;
    EXPECT_THAT(column.setting, StartsWith("outbox."));
  }
}

TEST(OutboxRule, TheMessagePresetHasNoTable) {
  OutboxSettings settings;
  settings.preset = "message";
  settings.prefix = "shop";
  const auto rule = OutboxRule::Compile(settings);
  ASSERT_TRUE(rule.ok());
  EXPECT_THAT(rule->Name(), HasSubstr("shop"));
}

}  // namespace
}  // namespace walpost::outbox
