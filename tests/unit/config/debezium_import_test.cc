#include "config/debezium_import.h"

#include <absl/strings/str_split.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "base/java_properties.h"
#include "base/strings.h"
#include "config/loader.h"
#include "unit/config/temporary_file.h"

namespace walpost::config {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::Pair;
using testing::StartsWith;

// What the recorded variants have in common.
constexpr std::string_view kRouter =
    "transforms=outbox\n"
    "transforms.outbox.type=io.debezium.transforms.outbox.EventRouter\n";

// A connector of which everything can be carried over.
constexpr std::string_view kWhole =
    "name=outbox\n"
    "connector.class=io.debezium.connector.postgresql.PostgresConnector\n"
    "tasks.max=1\n"
    "database.hostname=db\n"
    "database.port=5433\n"
    "database.user=debezium\n"
    "database.password=hunter2\n"
    "database.dbname=shop\n"
    "topic.prefix=shop\n"
    "plugin.name=pgoutput\n"
    "slot.name=outbox_slot\n"
    "publication.name=Outbox_Pub\n"
    "table.include.list=public\\\\.outbox\n"
    "key.converter=org.apache.kafka.connect.storage.StringConverter\n"
    "value.converter=org.apache.kafka.connect.storage.StringConverter\n";

NamedTexts Properties(std::string_view text) {
  auto properties = ParseJavaProperties(text);
  EXPECT_TRUE(properties.ok()) << properties.status();
  return properties.ok() ? *std::move(properties) : NamedTexts();
}

std::string Text(std::initializer_list<std::string_view> parts) {
  std::string text;
  for (std::string_view part : parts) text += part;
  return text;
}

DebeziumImport Import(const std::string& text, std::string_view worker = "") {
  auto import = ImportDebezium(Properties(text), Properties(worker), "connector.properties");
  EXPECT_TRUE(import.ok()) << import.status();
  return import.ok() ? *std::move(import) : DebeziumImport();
}

DebeziumImport ImportWhole(std::string_view more, std::string_view worker = "") {
  return Import(Text({kWhole, kRouter, more}), worker);
}

std::string ErrorOf(const std::string& text) {
  auto import = ImportDebezium(Properties(text), {}, "connector.properties");
  EXPECT_TRUE(absl::IsInvalidArgument(import.status())) << import.status();
  return std::string(import.status().message());
}

// The lines of the file that set something, with those of every [[outbox]] block left out.
std::vector<std::string> Lines(const std::string& toml) {
  const std::vector<std::string> usual = {
      "table = \"public.outbox\"",  "preset = \"debezium\"",
      "key_format = \"text\"",      "value = \"text\"",
      "header_format = \"text\"",   "timestamp = \"now\"",
      "column_text = \"debezium\"", "topic = \"outbox.event.${aggregatetype}\""};
  std::vector<std::string> lines;
  bool in_block = false;
  for (absl::string_view part : absl::StrSplit(toml, '\n')) {
    const std::string line(part);
    if (line.starts_with("[")) in_block = line == "[[outbox]]";
    if (!in_block || line.empty() || line.starts_with("#") || line.starts_with("[")) continue;
    if (std::find(usual.begin(), usual.end(), line) == usual.end()) lines.push_back(line);
  }
  return lines;
}

Settings Loaded(const std::string& toml) {
  const TemporaryFile file(toml);
  LoadRequest request;
  request.file = file.path();
  const auto loaded = Load(request);
  EXPECT_TRUE(loaded.ok()) << loaded.status() << "\n" << toml;
  if (!loaded.ok()) return {};
  return loaded->settings;
}

// What was said of one property, its outcomes one after another.
std::vector<ImportOutcome> OutcomesOf(const DebeziumImport& import, std::string_view name) {
  std::vector<ImportOutcome> outcomes;
  for (const ImportedProperty& one : import.properties) {
    if (one.name == name) outcomes.push_back(one.outcome);
  }
  return outcomes;
}

std::string ReasonOf(const DebeziumImport& import, std::string_view name) {
  std::string reasons;
  for (const ImportedProperty& one : import.properties) {
    if (one.name == name) reasons += one.text + "\n";
  }
  return reasons;
}

std::vector<std::string> NamesWith(const DebeziumImport& import, ImportOutcome outcome) {
  std::vector<std::string> names;
  for (const ImportedProperty& one : import.properties) {
    if (one.outcome == outcome) names.push_back(one.name);
  }
  return names;
}

// The options of the recorded variants, and what they become beside the usual.
struct Variant {
  std::string_view name;
  std::string properties;
  std::vector<std::string> lines;
};

constexpr std::string_view kJson =
    "value.converter=org.apache.kafka.connect.json.JsonConverter\n"
    "value.converter.schemas.enable=false\n";
constexpr std::string_view kJsonSchema =
    "value.converter=org.apache.kafka.connect.json.JsonConverter\n";
constexpr std::string_view kKeyJson = "key.converter=org.apache.kafka.connect.json.JsonConverter\n";
constexpr std::string_view kExpand = "transforms.outbox.table.expand.json.payload=true\n";
constexpr std::string_view kTombstone = "transforms.outbox.route.tombstone.on.empty.payload=true\n";
constexpr std::string_view kEnvelope =
    "transforms.outbox.table.fields.additional.placement=type:envelope:eventType,tenant:envelope,"
    "ver:envelope:version\n";
constexpr const char* kEnvelopeLine =
    "envelope = { eventType = \"type\", tenant = \"tenant\", version = \"ver\" }";
constexpr const char* kDebeziumStyle = "json_style = \"debezium\"";

const std::vector<Variant>& Variants() {
  static const auto* const all = new std::vector<Variant>{
      {"string", "", {}},
      {"json-escaped", std::string(kJson), {"value = \"json-escaped\""}},
      {"json-schema", std::string(kJsonSchema), {"value = \"json-schema\""}},
      {"json-expanded", Text({kJson, kExpand}), {"value = \"json\"", kDebeziumStyle}},
      {"json-expanded-nulls",
       Text(
           {kJson, kExpand, "transforms.outbox.table.json.payload.null.behavior=optional_bytes\n"}),
       {"value = \"json\"", kDebeziumStyle, "json_nulls = \"keep\""}},
      {"json-schema-expanded",
       Text({kJsonSchema, kExpand}),
       {"value = \"json-schema\"", kDebeziumStyle}},
      {"string-expanded", std::string(kExpand), {"value = \"struct\"", kDebeziumStyle}},
      {"key-json",
       Text({kKeyJson, "key.converter.schemas.enable=false\n"}),
       {"key_format = \"json\""}},
      {"key-json-schema", std::string(kKeyJson), {"key_format = \"json-schema\""}},
      {"tombstone", std::string(kTombstone), {"empty_payload = \"tombstone\""}},
      {"tombstone-envelope",
       Text({kJson, kTombstone, kEnvelope}),
       {"value = \"envelope\"", kEnvelopeLine, "empty_payload = \"tombstone\""}},
      {"headers",
       "transforms.outbox.table.fields.additional.placement=type:header:eventType,tenant:header,"
       "ver:header:version\n",
       {"headers = { eventType = \"type\", tenant = \"tenant\", version = \"ver\" }"}},
      {"header-json",
       "transforms.outbox.table.fields.additional.placement=type:header:eventType,"
       "ver:header:version\n"
       "header.converter=org.apache.kafka.connect.json.JsonConverter\n"
       "header.converter.schemas.enable=false\n",
       {"headers = { eventType = \"type\", version = \"ver\" }", "header_format = \"json\""}},
      {"types-header",
       "header.converter=org.apache.kafka.connect.storage.SimpleHeaderConverter\n",
       {}},
      {"envelope", Text({kJson, kEnvelope}), {"value = \"envelope\"", kEnvelopeLine}},
      {"envelope-expanded",
       Text({kJson, kExpand,
             "transforms.outbox.table.fields.additional.placement=type:envelope:eventType,"
             "ver:envelope\n"}),
       {"value = \"json\"", kDebeziumStyle, "envelope = { eventType = \"type\", ver = \"ver\" }"}},
      {"partition",
       "transforms.outbox.table.fields.additional.placement=part:partition\n",
       {"partition = \"part\""}},
      {"timestamp", "transforms.outbox.table.field.event.timestamp=ts\n", {"timestamp = \"ts\""}},
      {"key-column", "transforms.outbox.table.field.event.key=tenant\n", {"key = \"tenant\""}},
      {"route-column",
       "transforms.outbox.route.by.field=tenant\n"
       "transforms.outbox.route.topic.replacement=${routedByValue}\n",
       {"topic = \"${tenant}\""}},
      {"route-regex",
       "transforms.outbox.route.topic.regex=(cust|ord)(.*)\n"
       "transforms.outbox.route.topic.replacement=x-$1-y-$2\n",
       {"topic = \"${aggregatetype}\"", "topic_regex = \"(cust|ord)(.*)\"",
        "topic_replacement = \"x-$1-y-$2\""}},
      {"schema-version",
       Text({kJson, "transforms.outbox.table.field.event.schema.version=ver\n"}),
       {"value = \"json-escaped\""}},
      {"payload-id-column",
       "transforms.outbox.table.field.event.id=aggregateid\n"
       "transforms.outbox.table.field.event.payload=type\n",
       {"id = \"aggregateid\"", "payload = \"type\""}},
      {"bytea",
       "value.converter=org.apache.kafka.connect.converters.ByteArrayConverter\n"
       "transforms.outbox.table.fields.additional.placement=type:header:eventType\n",
       {"value = \"bytes\"", "headers = { eventType = \"type\" }"}},
  };
  return *all;
}

TEST(DebeziumImport, CarriesOverEveryRecordedVariant) {
  for (const Variant& variant : Variants()) {
    SCOPED_TRACE(variant.name);
    const DebeziumImport import = Import(Text({kRouter, variant.properties}));
    EXPECT_THAT(Lines(import.toml), testing::ElementsAreArray(variant.lines)) << import.toml;
    EXPECT_FALSE(import.changes_events());
    EXPECT_THAT(NamesWith(import, ImportOutcome::kDropped), IsEmpty());
    EXPECT_THAT(NamesWith(import, ImportOutcome::kUnknown), IsEmpty());
    Loaded(import.toml);
  }
}

TEST(DebeziumImport, TakesEachFileOfTheConformanceTests) {
  int files = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(WALPOST_SOURCE_DIR "/tests/conformance")) {
    if (entry.path().extension() != ".properties") continue;
    SCOPED_TRACE(entry.path());
    ++files;
    std::stringstream text;
    text << std::ifstream(entry.path()).rdbuf();
    const DebeziumImport import = Import(text.str());
    EXPECT_FALSE(import.changes_events());
    Loaded(import.toml);
  }
  EXPECT_GT(files, 20);
}

TEST(DebeziumImport, TranslatesAWholeConnector) {
  const DebeziumImport import = ImportWhole("");
  EXPECT_FALSE(import.changes_events()) << import.toml;
  const Settings settings = Loaded(import.toml);
  EXPECT_EQ(settings.postgres.conninfo, "host=db port=5433 dbname=shop user=debezium");
  EXPECT_EQ(settings.postgres.slot, "outbox_slot");
  EXPECT_EQ(settings.postgres.publication, "Outbox_Pub");
  EXPECT_EQ(settings.kafka.brokers, "");
  ASSERT_EQ(settings.outboxes.size(), 1u);
  const OutboxSettings& outbox = settings.outboxes[0];
  EXPECT_EQ(outbox.table, "public.outbox");
  EXPECT_EQ(outbox.preset, "debezium");
  EXPECT_EQ(outbox.topic, "outbox.event.${aggregatetype}");
  EXPECT_EQ(outbox.key_format, "text");
  EXPECT_EQ(outbox.value, "text");
  EXPECT_EQ(outbox.timestamp, "now");
  EXPECT_EQ(outbox.column_text, "debezium");
}

TEST(DebeziumImport, SaysOverEachOptionWhereItIsFrom) {
  const DebeziumImport import = ImportWhole("errors.tolerance=none\n");
  EXPECT_THAT(import.toml, HasSubstr("# from slot.name\nslot = \"outbox_slot\"\n"));
  EXPECT_THAT(import.toml, HasSubstr("# from value.converter\nvalue = \"text\"\n"));
  EXPECT_THAT(import.toml, HasSubstr("# from table.include.list\ntable = \"public.outbox\"\n"));
  EXPECT_THAT(import.toml, HasSubstr("# the default of transforms.outbox.route.topic.replacement\n"
                                     "topic = \"outbox.event.${aggregatetype}\"\n"));
  EXPECT_THAT(import.toml, HasSubstr("# from errors.tolerance\non_poison = \"halt\"\n"));
  EXPECT_THAT(import.toml, HasSubstr("\n# Nothing to do:\n"));
  EXPECT_THAT(import.toml, HasSubstr("\n#   tasks.max: there is one task either way\n"));
}

TEST(DebeziumImport, SaysSomethingOfEveryProperty) {
  const std::string more =
      "errors.tolerance=all\nerrors.log.enable=true\nunheard.of=1\nsnapshot.mode=initial\n"
      "heartbeat.interval.ms=1000\nproducer.override.linger.ms=5\n";
  const DebeziumImport import = ImportWhole(more);
  for (const auto& [name, value] : Properties(Text({kWhole, kRouter, more}))) {
    EXPECT_THAT(OutcomesOf(import, name), Not(IsEmpty())) << name;
    EXPECT_THAT(import.toml, HasSubstr(name));
  }
}

TEST(DebeziumImport, NeverShowsASecret) {
  const DebeziumImport import = ImportWhole(
      "database.sslpassword=hunter2\n"
      "producer.override.sasl.jaas.config=org.apache.kafka.common.security.plain.PlainLoginModule "
      "required username=\"relay\" password=\"hunter2\";\n"
      "producer.override.ssl.key.password=hunter2\n"
      "producer.override.ssl.keystore.key=hunter2\n"
      "producer.override.sasl.oauthbearer.client.credentials.client.secret=hunter2\n"
      "value.converter.basic.auth.user.info=u:hunter2\n"
      "some.password=hunter2\n");
  EXPECT_THAT(import.toml, Not(HasSubstr("hunter2")));
  for (const ImportedProperty& one : import.properties) {
    EXPECT_THAT(one.text, Not(HasSubstr("hunter2"))) << one.name;
  }
  EXPECT_THAT(ReasonOf(import, "database.password"), HasSubstr("password_file"));
  EXPECT_EQ(Loaded(import.toml).kafka.properties.at("sasl.username"), "relay");
}

TEST(DebeziumImport, QuotesAConninfoAsLibpqReadsIt) {
  const DebeziumImport import = Import(
      Text({kRouter,
            "database.dbname=my shop\ndatabase.user=o'neil\\\\\ndatabase.sslmode=verify-full\n"
            "database.sslrootcert=/etc/ca.pem\ndatabase.sslkey=/etc/client.key\n"
            "database.tcpKeepAlive=false\n"}));
  EXPECT_EQ(Loaded(import.toml).postgres.conninfo,
            "dbname='my shop' user='o\\'neil\\\\' sslmode=verify-full sslrootcert=/etc/ca.pem "
            "sslkey=/etc/client.key keepalives=0");
}

TEST(DebeziumImport, LeavesOutAKeyThatLibpqCannotRead) {
  const DebeziumImport import =
      Import(Text({kRouter, "database.hostname=db\ndatabase.sslkey=/etc/client.pk8\n"}));
  EXPECT_EQ(Loaded(import.toml).postgres.conninfo, "host=db");
  EXPECT_THAT(ReasonOf(import, "database.sslkey"), HasSubstr("PEM"));
}

TEST(DebeziumImport, LeavesOutWhatAConfigProviderFetches) {
  const DebeziumImport import =
      Import(Text({kRouter, "database.hostname=${env:DB_HOST}\ndatabase.dbname=shop\n"}));
  EXPECT_EQ(Loaded(import.toml).postgres.conninfo, "dbname=shop");
  EXPECT_THAT(OutcomesOf(import, "database.hostname"), ElementsAre(ImportOutcome::kDropped));
  EXPECT_THAT(ErrorOf(Text({kRouter, "table.include.list=${file:/etc/tables:list}\n"})),
              StartsWith("table.include.list: its value is fetched by a config provider"));
}

TEST(DebeziumImport, WritesABlockForEachTable) {
  const DebeziumImport import = Import(
      Text({kRouter,
            "table.include.list=public.outbox, app\\\\.Outbox_V2,^eu\\\\.outbox$,public.outbox\n"
            "transforms.outbox.table.field.event.key=tenant\n"}));
  EXPECT_FALSE(import.changes_events());
  const Settings settings = Loaded(import.toml);
  ASSERT_EQ(settings.outboxes.size(), 3u);
  EXPECT_EQ(settings.outboxes[0].table, "public.outbox");
  EXPECT_EQ(settings.outboxes[1].table, "app.\"Outbox_V2\"");
  EXPECT_EQ(settings.outboxes[2].table, "eu.outbox");
  for (const OutboxSettings& outbox : settings.outboxes) EXPECT_EQ(outbox.key, "tenant");
}

TEST(DebeziumImport, CannotNameTheTablesOfAnExpression) {
  for (const char* list :
       {"public\\\\.outbox_.*", "(a|b)\\\\.outbox", "outbox", "shop.public.outbox",
        "public\\\\.out\\\\w+", "public.[a-z]+", "public.outbox{1\\\\,2}"}) {
    const DebeziumImport import =
        Import(Text({kRouter, "table.include.list=app.outbox,", list, "\n"}));
    EXPECT_TRUE(import.changes_events()) << list;
    EXPECT_THAT(ReasonOf(import, "table.include.list"), HasSubstr("is no SCHEMA.TABLE"));
    EXPECT_EQ(Loaded(import.toml).outboxes.size(), 1u);
  }
}

TEST(DebeziumImport, AssumesTheTableThatAWholeConnectorDoesNotName) {
  std::string text = Text({kWhole, kRouter});
  text.erase(text.find("table.include.list"), 35);
  EXPECT_FALSE(Import(text).changes_events());
  EXPECT_THAT(OutcomesOf(Import(text), "table.include.list"), ElementsAre(ImportOutcome::kAssumed));
  EXPECT_THAT(ReasonOf(Import(text), "table.include.list"), StartsWith("is not set"));
  EXPECT_THAT(NamesWith(Import(std::string(kRouter)), ImportOutcome::kAssumed), IsEmpty());
  text += "table.include.list= \n";
  EXPECT_THAT(OutcomesOf(Import(text), "table.include.list"),
              ElementsAre(ImportOutcome::kNothingToDo, ImportOutcome::kAssumed));
}

TEST(DebeziumImport, LeavesTheConnectionOfAPartToFlagsAndEnvironment) {
  EXPECT_THAT(Import(std::string(kRouter)).toml, Not(HasSubstr("[postgres]")));
  std::string unnamed = Text({kWhole, kRouter});
  unnamed.erase(unnamed.find("slot.name"), 22);
  unnamed.erase(unnamed.find("publication.name"), 28);
  const Settings settings = Loaded(Import(unnamed).toml);
  EXPECT_EQ(settings.postgres.slot, "debezium");
  EXPECT_EQ(settings.postgres.publication, "dbz_publication");
}

TEST(DebeziumImport, FoldsAReplacementOfTheWholeValueIntoTheTopic) {
  struct Case {
    const char* properties;
    const char* topic;
  };
  for (const Case& one : {
           Case{"transforms.outbox.route.topic.replacement=a.${routedByValue}.b\n",
                "a.${aggregatetype}.b"},
           Case{"transforms.outbox.route.topic.regex=(.*)\n"
                "transforms.outbox.route.topic.replacement=$1-$0\n",
                "${aggregatetype}-${aggregatetype}"},
           Case{"transforms.outbox.route.topic.regex=(?<t>.*)\n"
                "transforms.outbox.route.topic.replacement=x\\\\.${t}$12\n",
                "x.${aggregatetype}${aggregatetype}2"},
           Case{"transforms.outbox.route.topic.replacement=fixed\n", "fixed"},
       }) {
    const Settings settings = Loaded(Import(Text({kRouter, one.properties})).toml);
    EXPECT_EQ(settings.outboxes[0].topic, one.topic) << one.properties;
    EXPECT_EQ(settings.outboxes[0].topic_regex, "");
  }
}

TEST(DebeziumImport, LeavesAReplacementAloneThatATemplateCannotHold) {
  const Settings settings =
      Loaded(Import(Text({kRouter, "transforms.outbox.route.topic.replacement=a\\\\$$1\n"})).toml);
  EXPECT_EQ(settings.outboxes[0].topic, "${aggregatetype}");
  EXPECT_EQ(settings.outboxes[0].topic_regex, "(?<routedByValue>.*)");
  EXPECT_EQ(settings.outboxes[0].topic_replacement, "a\\$$1");
}

TEST(DebeziumImport, RefusesAReplacementThatJavaRefuses) {
  for (const char* replacement : {"$2", "$x", "$", "${other}", "${routedByValue", "a\\\\"}) {
    EXPECT_THAT(
        ErrorOf(Text({kRouter, "transforms.outbox.route.topic.replacement=", replacement, "\n"})),
        StartsWith("transforms.outbox.route.topic.replacement: "));
  }
}

TEST(DebeziumImport, KnowsAnExpressionThatMeansSomethingElseToJava) {
  const auto changes = [](std::string_view regex) {
    return Import(Text({kRouter, "transforms.outbox.route.topic.regex=", regex, "\n",
                        "transforms.outbox.route.topic.replacement=$0\n"}))
        .changes_events();
  };
  EXPECT_TRUE(changes("[a-z&&[^b]]+"));
  EXPECT_TRUE(changes("[a[bc]]+"));
  EXPECT_TRUE(changes("(?U)\\\\w+"));
  EXPECT_FALSE(changes("[^]a-z\\\\[]+&&x"));
  EXPECT_FALSE(changes("(?i)(?:a|b)(?<tail>.+)"));
}

TEST(DebeziumImport, RefusesAPlacementThatTheRouterRefuses) {
  for (const char* placement :
       {"type", "type:body", "type:header:a:b", "", ":header", "a:header,b"}) {
    EXPECT_THAT(ErrorOf(Text({kRouter, "transforms.outbox.table.fields.additional.placement=",
                              placement, "\n"})),
                StartsWith("transforms.outbox.table.fields.additional.placement: "))
        << placement;
  }
}

TEST(DebeziumImport, ReadsAPlacementAsTheRouterDoes) {
  const DebeziumImport import =
      Import(Text({kRouter,
                   "transforms.outbox.table.fields.additional.placement = type : HEADER : t , "
                   "part:Partition:ignored,tenant:header:,\n"}));
  EXPECT_THAT(Lines(import.toml), ElementsAre("headers = { t = \"type\", tenant = \"tenant\" }",
                                              "partition = \"part\""));
  EXPECT_FALSE(import.changes_events());
}

TEST(DebeziumImport, ReportsAHeaderThatCannotComeTwice) {
  for (const char* placement : {"a:header:x,b:header:x", "a:header:x,b:header:id"}) {
    const DebeziumImport import = Import(
        Text({kRouter, "transforms.outbox.table.fields.additional.placement=", placement, "\n"}));
    EXPECT_TRUE(import.changes_events());
    EXPECT_THAT(Lines(import.toml), ElementsAre("headers = { x = \"a\" }"));
  }
}

TEST(DebeziumImport, HasNoEnvelopeForAConverterThatMakesNoJson) {
  for (std::string_view converter :
       {std::string_view(""),
        std::string_view("value.converter=io.debezium.converters.BinaryDataConverter\n")}) {
    const DebeziumImport import = Import(Text({kRouter, converter, kEnvelope}));
    EXPECT_TRUE(import.changes_events());
    EXPECT_THAT(Lines(import.toml), Not(testing::Contains(StartsWith("envelope"))));
    EXPECT_THAT(ReasonOf(import, "transforms.outbox.table.fields.additional.placement"),
                HasSubstr("eventType, tenant, version"));
  }
}

TEST(DebeziumImport, CannotGiveTheSchemaOfAnEnvelopeItsNameAndVersion) {
  EXPECT_TRUE(Import(Text({kRouter, kJsonSchema, kEnvelope})).changes_events());
  EXPECT_TRUE(Import(Text({kRouter, kJsonSchema, kEnvelope,
                           "transforms.outbox.table.field.event.schema.version=ver\n"}))
                  .changes_events());
  EXPECT_TRUE(
      Import(Text({kRouter, kJsonSchema, kEnvelope, "topic.prefix=shop\n"})).changes_events());
  EXPECT_FALSE(Import(Text({kRouter, kJsonSchema, "topic.prefix=shop\n"})).changes_events());
}

TEST(DebeziumImport, CannotAddParametersToASchema) {
  constexpr std::string_view kPropagate = "column.propagate.source.type=.*\n";
  EXPECT_TRUE(Import(Text({kRouter, kJsonSchema, kPropagate})).changes_events());
  EXPECT_TRUE(Import(Text({kRouter, kKeyJson, kPropagate})).changes_events());
  EXPECT_FALSE(Import(Text({kRouter, kJson, kPropagate})).changes_events());
}

TEST(DebeziumImport, KnowsAConverterByEachOfItsNames) {
  for (const char* name :
       {"org.apache.kafka.connect.json.JsonConverter", "JsonConverter", "Json"}) {
    EXPECT_THAT(Lines(Import(Text({kRouter, "value.converter=", name, "\n"})).toml),
                ElementsAre("value = \"json-schema\""));
  }
}

TEST(DebeziumImport, CannotReplaceAConverterWithARegistry) {
  for (const char* name : {"io.confluent.connect.avro.AvroConverter", "com.example.OwnConverter",
                           "io.debezium.converters.CloudEventsConverter",
                           "org.apache.kafka.connect.converters.LongConverter"}) {
    for (const char* which : {"key.converter", "value.converter", "header.converter"}) {
      const DebeziumImport import =
          Import(Text({kRouter, which, "=", name, "\n", which, ".schemas.enable=true\n", which,
                       ".schema.registry.url=http://r\n"}));
      EXPECT_TRUE(import.changes_events());
      EXPECT_THAT(ReasonOf(import, which), HasSubstr("cannot be replaced")) << which;
      EXPECT_THAT(NamesWith(import, ImportOutcome::kChangesEvents), ElementsAre(which));
      Loaded(import.toml);
    }
  }
}

TEST(DebeziumImport, TakesTheWorkersConverterWhereTheConnectorHasNone) {
  std::string text = Text({kWhole, kRouter, "value.converter.schemas.enable=false\n"});
  text.erase(text.find("value.converter="), 65);
  EXPECT_FALSE(Import(text).changes_events());
  EXPECT_THAT(OutcomesOf(Import(text), "value.converter"), ElementsAre(ImportOutcome::kAssumed));
  EXPECT_THAT(ReasonOf(Import(text), "value.converter"), HasSubstr("--worker"));

  const std::string_view worker =
      "bootstrap.servers=kafka-1:9092\nproducer.linger.ms=7\nkey.converter=JsonConverter\n"
      "value.converter=JsonConverter\nvalue.converter.schemas.enable=true\ngroup.id=connect\n"
      "rest.port=8083\n";
  const DebeziumImport import = Import(text, worker);
  EXPECT_FALSE(import.changes_events()) << import.toml;
  const Settings settings = Loaded(import.toml);
  EXPECT_EQ(settings.outboxes[0].value, "json-schema") << "Connect takes it whole from one place";
  EXPECT_EQ(settings.outboxes[0].key_format, "text");
  EXPECT_EQ(settings.kafka.brokers, "kafka-1:9092");
  EXPECT_EQ(settings.kafka.properties.at("linger.ms"), "7");
}

TEST(DebeziumImport, TranslatesTheSettingsOfTheProducer) {
  const DebeziumImport import = ImportWhole(
      "bootstrap.servers=worker:9092\n"
      "producer.override.bootstrap.servers=a:9092,b:9092\n"
      "producer.override.linger.ms=0\nproducer.linger.ms=99\n"
      "producer.override.max.request.size=2000000\n"
      "producer.override.compression.type=zstd\n"
      "producer.override.compression.zstd.level=3\nproducer.override.compression.gzip.level=9\n"
      "producer.override.send.buffer.bytes=-1\n"
      "producer.override.max.in.flight.requests.per.connection=10\n"
      "producer.override.acks=1\nproducer.override.buffer.memory=1\n"
      "producer.override.security.protocol=SASL_SSL\n"
      "producer.override.sasl.mechanism=SCRAM-SHA-512\n"
      "producer.override.ssl.truststore.location=/etc/ca.pem\n"
      "producer.override.ssl.truststore.type=PEM\n"
      "producer.override.ssl.keystore.location=/etc/client.p12\n"
      "producer.override.ssl.endpoint.identification.algorithm=\n"
      "producer.override.metrics.recording.level=INFO\n");
  EXPECT_FALSE(import.changes_events()) << import.toml;
  const Settings settings = Loaded(import.toml);
  EXPECT_EQ(settings.kafka.brokers, "a:9092,b:9092");
  EXPECT_THAT(
      settings.kafka.properties,
      ElementsAre(Pair("compression.level", "3"), Pair("compression.type", "zstd"),
                  Pair("linger.ms", "0"), Pair("message.max.bytes", "2000000"),
                  Pair("sasl.mechanism", "SCRAM-SHA-512"), Pair("security.protocol", "SASL_SSL"),
                  Pair("socket.send.buffer.bytes", "0"), Pair("ssl.ca.location", "/etc/ca.pem"),
                  Pair("ssl.endpoint.identification.algorithm", "none"),
                  Pair("ssl.keystore.location", "/etc/client.p12")));
}

TEST(DebeziumImport, ReportsWhatOnlyAJavaProducerHas) {
  const DebeziumImport import = ImportWhole(
      "producer.override.ssl.truststore.location=/etc/trust.jks\n"
      "producer.override.sasl.mechanism=AWS_MSK_IAM\n"
      "producer.override.ssl.cipher.suites=TLS_AES_128_GCM_SHA256\n"
      "producer.override.unheard.of=1\n");
  EXPECT_FALSE(import.changes_events());
  EXPECT_THAT(Loaded(import.toml).kafka.properties, IsEmpty());
  EXPECT_THAT(NamesWith(import, ImportOutcome::kDropped),
              testing::IsSupersetOf({"producer.override.ssl.truststore.location",
                                     "producer.override.sasl.mechanism",
                                     "producer.override.ssl.cipher.suites"}));
  EXPECT_THAT(NamesWith(import, ImportOutcome::kUnknown),
              ElementsAre("producer.override.unheard.of"));
}

// Properties with a value under which consumers may see something else.
TEST(DebeziumImport, ReportsWhatConsumersMaySee) {
  for (const char* line : {"plugin.name=decoderbufs",
                           "plugin.name=wal2json",
                           "slot.drop.on.stop=true",
                           "transforms.outbox.predicate=isOutbox",
                           "transforms.outbox.table.feild.event.id=x",
                           "transforms.other.type=x",
                           "binary.handling.mode=base64",
                           "decimal.handling.mode=string",
                           "time.precision.mode=connect",
                           "interval.handling.mode=string",
                           "hstore.handling.mode=map",
                           "money.fraction.digits=4",
                           "field.name.adjustment.mode=avro",
                           "converters=iso",
                           "post.processors=x",
                           "column.mask.with.10.chars=public.outbox.payload",
                           "snapshot.mode=always",
                           "snapshot.mode=initial_only",
                           "provide.transaction.metadata=true",
                           "skipped.operations=c,t",
                           "transforms.outbox.route.by.field=a}b",
                           "transforms.outbox.table.field.event.timestamp=commit",
                           "notification.enabled.channels=sink,log",
                           "message.prefix.include.list=x",
                           "schema.include.list=app",
                           "table.whitelist=public.outbox",
                           "slot.drop_on_stop=true",
                           "exactly.once.support=required",
                           "slot.stream.params=origin=none",
                           "producer.override.partitioner.class=org.apache.kafka.clients.producer."
                           "RoundRobinPartitioner",
                           "producer.override.partitioner.ignore.keys=true",
                           "producer.override.interceptor.classes=x",
                           "key.converter.encoding=UTF-16",
                           "header.converter=org.apache.kafka.connect.json.JsonConverter",
                           "transforms.outbox.tracing.with.context.field.only=false"}) {
    const DebeziumImport import = ImportWhole(std::string(line) + "\n");
    const std::string name = std::string(line).substr(0, std::string(line).find('='));
    EXPECT_TRUE(import.changes_events()) << line;
    EXPECT_THAT(OutcomesOf(import, name), testing::Contains(ImportOutcome::kChangesEvents)) << line;
    Loaded(import.toml);
  }
}

// The same properties, and others, where nothing changes.
TEST(DebeziumImport, IsSilentOnWhatChangesNothing) {
  for (const char* line :
       {"plugin.name=PGOUTPUT",
        "slot.drop.on.stop=false",
        "schema.include.list=app, public",
        "transforms.outbox.table.field.event.type=kind",
        "transforms.outbox.table.op.invalid.behavior=error",
        "transforms.outbox.table.fields.additional.error.on.missing=true",
        "transforms.outbox.table.json.payload.empty.array.behavior=optional_string",
        "transforms.outbox.field.name.adjustment.mode=avro",
        "binary.handling.mode=bytes",
        "decimal.handling.mode=precise",
        "time.precision.mode=adaptive",
        "interval.handling.mode=numeric",
        "hstore.handling.mode=json",
        "field.name.adjustment.mode=none",
        "schema.name.adjustment.mode=avro",
        "column.propagate.source.type=.*",
        "snapshot.mode=initial",
        "snapshot.mode=no_data",
        "snapshot.mode=never",
        "snapshot.fetch.size=100",
        "provide.transaction.metadata=false",
        "notification.enabled.channels=log,jmx",
        "exactly.once.support=requested",
        "extended.headers.enabled=false",
        "tombstones.on.delete=true",
        "skipped.operations=u,d,t",
        "publication.autocreate.mode=filtered",
        "lsn.flush.mode=manual",
        "flush.lsn.source=false",
        "offset.mismatch.strategy=trust_slot",
        "slot.failover=true",
        "errors.deadletterqueue.topic.name=dlq",
        "max.batch.size=1",
        "key.converter.schemas.enable=false",
        "producer.override.partitioner.ignore.keys=false",
        "producer.override.enable.idempotence=false",
        "producer.override.delivery.timeout.ms=1",
        "offset.storage.topic=x",
        "config.storage.topic=x",
        "security.protocol=SSL",
        "plugin.path=/x",
        "value.converter.encoding=UTF-8"}) {
    const DebeziumImport import = ImportWhole(std::string(line) + "\n");
    const std::string name = std::string(line).substr(0, std::string(line).find('='));
    EXPECT_FALSE(import.changes_events()) << line << ReasonOf(import, name);
    EXPECT_THAT(
        OutcomesOf(import, name),
        testing::Each(testing::AnyOf(ImportOutcome::kNothingToDo, ImportOutcome::kCarriedOver)))
        << line;
    EXPECT_THAT(OutcomesOf(import, name), Not(IsEmpty())) << line;
    Loaded(import.toml);
  }
}

// Listed, and no more: an operator may want to know, a consumer has no way to.
TEST(DebeziumImport, ListsWhatOnlyOperatorsSee) {
  for (const char* line :
       {"heartbeat.interval.ms=10000", "heartbeat.action.query=select 1",
        "signal.data.collection=public.signals", "topic.creation.default.partitions=7",
        "extended.headers.enabled=true", "database.initial.statements=SET x=1",
        "custom.metric.tags=a=b", "transforms.outbox.tracing.operation.name=x",
        "transforms.outbox.table.field.additional.missing=ignore",
        "transforms.outbox.table.fields.additional.error.on.missing=false",
        "value.converter=io.debezium.converters.ByteArrayConverter"}) {
    const DebeziumImport import = ImportWhole(std::string(line) + "\n");
    const std::string name = std::string(line).substr(0, std::string(line).find('='));
    EXPECT_FALSE(import.changes_events()) << line;
    EXPECT_THAT(OutcomesOf(import, name), testing::Contains(ImportOutcome::kDropped)) << line;
    EXPECT_THAT(import.toml, HasSubstr("Cannot be honoured; consumers see no difference:"));
  }
}

TEST(DebeziumImport, MovesToAnotherSlotWhenTheOldOneCannotBeRead) {
  const std::string text = Text({kWhole, kRouter, "plugin.name=decoderbufs\n"});
  const DebeziumImport import = Import(text);
  EXPECT_EQ(Loaded(import.toml).postgres.slot, "walpost");
  EXPECT_THAT(ReasonOf(import, "plugin.name"), HasSubstr("hint: make a new slot"));

  std::string unset = Text({kWhole, kRouter});
  unset.erase(unset.find("plugin.name"), 21);
  EXPECT_THAT(ReasonOf(Import(unset), "plugin.name"), HasSubstr("decoderbufs"));
  EXPECT_TRUE(Import(unset).changes_events());
}

TEST(DebeziumImport, ListsAnUnknownPropertyWithoutAlarm) {
  const DebeziumImport import = ImportWhole("unheard.of=1\n");
  EXPECT_FALSE(import.changes_events());
  EXPECT_THAT(NamesWith(import, ImportOutcome::kUnknown), ElementsAre("unheard.of"));
  EXPECT_THAT(import.toml, HasSubstr("# Unknown:\n#   unheard.of: "));
}

TEST(DebeziumImport, TakesTheRouterAmongSeveralTransforms) {
  const DebeziumImport import =
      Import(Text({kWhole,
                   "transforms=unwrap, router ,rename\n"
                   "transforms.unwrap.type=io.debezium.transforms.ExtractNewRecordState\n"
                   "transforms.unwrap.drop.tombstones=true\n"
                   "transforms.router.type=EventRouter\n"
                   "transforms.router.route.by.field=kind\n"
                   "transforms.rename.type=org.apache.kafka.connect.transforms.RegexRouter\n"
                   "predicates=p\npredicates.p.type=x\n"}));
  EXPECT_THAT(Lines(import.toml), ElementsAre("topic = \"outbox.event.${kind}\""));
  EXPECT_THAT(NamesWith(import, ImportOutcome::kChangesEvents),
              ElementsAre("transforms.unwrap.type", "transforms.rename.type"));
  EXPECT_THAT(ReasonOf(import, "transforms.rename.type"), HasSubstr("topic_regex"));
}

TEST(DebeziumImport, CarriesOverWhatBecomesOfFailuresAndUpdates) {
  const DebeziumImport import = ImportWhole(
      "errors.tolerance=ALL\nstatus.update.interval.ms=5000\n"
      "transforms.outbox.table.op.invalid.behavior=fatal\n");
  EXPECT_FALSE(import.changes_events());
  const Settings settings = Loaded(import.toml);
  EXPECT_EQ(settings.relay.on_poison, PoisonAction::kSkip);
  EXPECT_TRUE(settings.relay.halt_on_update);
  EXPECT_EQ(settings.relay.status_interval, absl::Seconds(5));
  EXPECT_THAT(import.toml, HasSubstr("# WARNING: a row that cannot be an event is lost with skip"));
}

TEST(DebeziumImport, CarriesOverATracingColumnThatIsAskedFor) {
  EXPECT_THAT(
      Lines(Import(Text({kRouter, "transforms.outbox.tracing.span.context.field=span\n"})).toml),
      ElementsAre("tracing = \"span\""));
  EXPECT_THAT(
      Lines(
          Import(Text({kRouter, "transforms.outbox.tracing.with.context.field.only=true\n"})).toml),
      ElementsAre("tracing = \"tracingspancontext\""));
  EXPECT_THAT(Import(std::string(kRouter)).toml,
              HasSubstr("\n#tracing = \"tracingspancontext\"\n"));
}

TEST(DebeziumImport, RefusesWhatIsNoOutboxConnectorForPostgres) {
  const DebeziumImport other =
      ImportWhole("connector.class=io.debezium.connector.mysql.MySqlConnector\n");
  EXPECT_THAT(NamesWith(other, ImportOutcome::kChangesEvents), ElementsAre("connector.class"));
  EXPECT_THAT(ReasonOf(other, "connector.class"), HasSubstr("MySqlConnector"));
  EXPECT_THAT(ErrorOf(std::string(kWhole)), StartsWith("transforms: "));
  EXPECT_THAT(ErrorOf("transforms=unwrap\ntransforms.unwrap.type=x\n"
                      "transforms.outbox.type=EventRouter\n"),
              StartsWith("transforms: "));
  EXPECT_FALSE(ImportWhole("connector.class=PostgresConnector\n").changes_events());
}

TEST(DebeziumImport, RefusesAValueThatTheConnectorWouldNotStartWith) {
  for (const char* line :
       {"transforms.outbox.table.expand.json.payload=yes", "errors.tolerance=some",
        "transforms.outbox.table.json.payload.null.behavior=keep",
        "transforms.outbox.table.op.invalid.behavior=ignore",
        "transforms.outbox.route.tombstone.on.empty.payload=1",
        "transforms.outbox.table.field.event.key=", "status.update.interval.ms=often",
        "transforms.outbox.table.field.additional.missing=maybe", "database.tcpKeepAlive=maybe"}) {
    const std::string name = std::string(line).substr(0, std::string(line).find('='));
    EXPECT_THAT(ErrorOf(Text({kRouter, line, "\n"})), StartsWith(name + ": ")) << line;
  }
}

TEST(DebeziumImport, KeepsAStrangeNameInsideItsComment) {
  const auto import = ImportDebezium({{"transforms", "o"},
                                      {"transforms.o.type", "EventRouter"},
                                      {"x\nslot = \"evil\"\n", "1"},
                                      {"transforms.o.table.field.event.key", "a\"b\nc"}},
                                     {}, "a\nb");
  ASSERT_TRUE(import.ok());
  const Settings settings = Loaded(import->toml);
  EXPECT_EQ(settings.postgres.slot, Settings().postgres.slot);
  EXPECT_EQ(settings.outboxes[0].key, "a\"b\nc");
}

TEST(DebeziumImport, CountsTheLastOfTwoPropertiesWithOneName) {
  EXPECT_EQ(Loaded(ImportWhole("slot.name=second\n").toml).postgres.slot, "second");
}

TEST(DebeziumImport, KeepsItsLinesShort) {
  for (absl::string_view line : absl::StrSplit(ImportWhole("errors.tolerance=all\n").toml, '\n')) {
    EXPECT_LE(line.size(), 100u) << ToStd(line);
  }
}

}  // namespace
}  // namespace walpost::config
