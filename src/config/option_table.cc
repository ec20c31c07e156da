#include "config/option_table.h"

#include <absl/strings/ascii.h>
#include <absl/strings/str_cat.h>

#include "base/strings.h"
#include "config/option_apply.h"

namespace walpost::config {
namespace {

// Stores a text as it is; `member` is given the settings and the block.
#define WALPOST_TEXT(member)                                                 \
  [](const OptionValue& value, const OptionTarget& target) -> absl::Status { \
    target.member = value.text;                                              \
    return absl::OkStatus();                                                 \
  }
#define WALPOST_STORE(store, member)                                         \
  [](const OptionValue& value, const OptionTarget& target) -> absl::Status { \
    return store(value, target.member);                                      \
  }

constexpr SectionDef kSections[] = {
    {"postgres", false,
     "The database whose outbox is relayed. What a conninfo does not say comes from libpq's own "
     "variables (PGHOST, PGUSER, PGPASSWORD, PGPASSFILE, PGSERVICE, ...)."},
    {"kafka", false, "The cluster that events are published to."},
    {"outbox", true,
     "One block for each outbox table; several tables share the slot. A preset names the columns "
     "and the topic rule; topic, key, value and headers override it. The environment speaks of the "
     "first block; flags do too, and are refused when there are several."},
    {"relay", false, "How much is in flight, how often is confirmed, how long is waited."},
    {"admin", false, "The HTTP server with /metrics, /healthz and /readyz."},
    {"log", false, "Log lines go to standard error."},
};

constexpr PresetDoc kPresets[] = {
    {"debezium", "id, aggregatetype, aggregateid, type, payload", "outbox.event.${aggregatetype}",
     "aggregateid", "{}", "text",
     "the table of Debezium's Outbox Event Router, for those who leave it"},
};

constexpr VerbMask kAll = kRun | kSetup | kDemo | kShow;
constexpr VerbMask kMapping = kRun | kSetup | kShow;
constexpr VerbMask kRelaying = kRun | kShow;
constexpr VerbMask kPublishing = kRun | kDemo | kShow;

constexpr OptionDef kOptions[] = {
    {.section = "postgres",
     .key = "conninfo",
     .flag = "--conninfo",
     .placeholder = "CONNINFO",
     .default_note = "empty: PGHOST, PGUSER and the others, as libpq reads them",
     .summary = "PostgreSQL, as libpq keywords or a URI",
     .doc = "Several hosts are allowed; add target_session_attrs=read-write so that the primary is "
            "found after a failover. The role needs REPLICATION. A password in it is never shown "
            "or logged; password_file and PGPASSFILE keep it out of here.",
     .example = "\"host=db dbname=shop user=walpost sslmode=verify-full\"",
     .verbs = kAll,
     .listed = kRun | kSetup | kDemo,
     .apply = WALPOST_TEXT(settings.postgres.conninfo)},
    {.section = "postgres",
     .key = "password_file",
     .flag = "--password-file",
     .placeholder = "FILE",
     .default_note = "none: the conninfo, PGPASSWORD or PGPASSFILE",
     .summary = "file that holds the role's password",
     .doc = "Read at each connection, so that a rotated secret is picked up without a restart.",
     .example = "\"/run/secrets/pg\"",
     .verbs = kAll,
     .apply = WALPOST_TEXT(settings.postgres.password_file)},
    {.section = "postgres",
     .key = "slot",
     .flag = "--slot",
     .placeholder = "NAME",
     .default_text = "walpost",
     .summary = "replication slot to read from",
     .doc = "Made by `walpost setup`. One instance streams from a slot at a time; another with the "
            "same name waits as a standby and takes over. a to z, 0 to 9 and _, at most 63 "
            "characters.",
     .example = "\"walpost\"",
     .verbs = kMapping,
     .listed = kRun | kSetup,
     .apply = ApplySlot},
    {.section = "postgres",
     .key = "publication",
     .flag = "--publication",
     .placeholder = "NAME",
     .default_text = "walpost",
     .summary = "publication that holds the outbox tables",
     .doc = "Made by `walpost setup`. Written without quotes, in its exact case.",
     .example = "\"walpost\"",
     .verbs = kMapping,
     .listed = kRun | kSetup,
     .apply = ApplyPublication},
    {.section = "postgres",
     .key = "connect_timeout",
     .flag = "--connect-timeout",
     .placeholder = "DURATION",
     .kind = OptionKind::kDuration,
     .default_text = "10s",
     .summary = "how long one host may take to answer a connection",
     .doc = "For each host of the conninfo. Less moves on to the next host sooner; too little "
            "gives up on a server that is only slow.",
     .example = "\"10s\"",
     .verbs = kMapping,
     .apply = WALPOST_STORE(StoreDuration, settings.postgres.connect_timeout)},

    {.section = "kafka",
     .key = "brokers",
     .flag = "--brokers",
     .placeholder = "HOST:PORT,...",
     .default_note = "none: `run` needs them",
     .summary = "Kafka brokers to begin with, comma-separated",
     .doc = "The others are learned from these; name two or three so that one may be down.",
     .example = "\"kafka-1:9092,kafka-2:9092\"",
     .verbs = kPublishing,
     .listed = kRun | kDemo,
     .apply = WALPOST_TEXT(settings.kafka.brokers)},
    {.section = "kafka",
     .key = "properties",
     .flag = "--kafka-property",
     .placeholder = "NAME=VALUE",
     .kind = OptionKind::kMap,
     .default_note = "none",
     .summary = "property of librdkafka, by its own name",
     .doc = "Any of https://github.com/confluentinc/librdkafka/blob/master/CONFIGURATION.md; what "
            "would break delivery or order is refused at start. NAME_file reads the value from a "
            "file, without the newline at its end, as \"sasl.password_file\". File, environment "
            "and flags add up, name by name; the flag may be repeated. The environment separates "
            "with commas: a=1,b=2 "
            "(\\, is a comma inside a value).",
     .example = "{ \"security.protocol\" = \"SASL_SSL\", \"sasl.password_file\" = "
                "\"/run/secrets/kafka\" }",
     .verbs = kPublishing,
     .apply = ApplyProperties},

    {.section = "outbox",
     .key = "table",
     .flag = "--table",
     .placeholder = "SCHEMA.TABLE",
     .default_text = "public.outbox",
     .summary = "outbox table",
     .doc = "Written as in SQL: double quotes around names in mixed case, public without a schema. "
            "A partitioned table is named by its root.",
     .example = "\"public.outbox\"",
     .verbs = kMapping,
     .listed = kRun | kSetup,
     .apply = ApplyTable},
    {.section = "outbox",
     .key = "preset",
     .flag = "--preset",
     .placeholder = "PRESET",
     .kind = OptionKind::kEnum,
     .allowed = kPresetNames,
     .default_text = "debezium",
     .summary = "column names and topic rule of the table",
     .doc = "See the presets.",
     .example = "\"debezium\"",
     .verbs = kMapping,
     .listed = kRun | kSetup,
     .apply = ApplyPreset},
    {.section = "outbox",
     .key = "topic",
     .flag = "--topic",
     .placeholder = "TEMPLATE",
     .default_note = "the preset's",
     .summary = "topic: text and ${column}",
     .doc = "Each ${column} is replaced by the row's value. A row whose topic comes out empty or "
            "illegal is poison.",
     .example = "\"outbox.event.${aggregatetype}\"",
     .verbs = kMapping,
     .listed = kRun,
     .apply = ApplyTopic},
    {.section = "outbox",
     .key = "key",
     .flag = "--key",
     .placeholder = "SOURCE",
     .default_note = "the preset's",
     .summary = "record key: a column or payload:/json/pointer",
     .doc = "Events with the same key keep their commit order, in one partition. \"\" sends no "
            "key, and with it gives up that order.",
     .example = "\"aggregateid\"",
     .verbs = kMapping,
     .listed = kRun,
     .apply = ApplyKey},
    {.section = "outbox",
     .key = "value",
     .flag = "--value",
     .placeholder = "FORMAT",
     .kind = OptionKind::kEnum,
     .allowed = kValueFormats,
     .default_note = "the preset's",
     .summary = "format of the record value",
     .doc = "text: the bytes of the payload column, verbatim.",
     .example = "\"text\"",
     .verbs = kMapping,
     .apply = ApplyValueFormat},
    {.section = "outbox",
     .key = "headers",
     .flag = "--header",
     .placeholder = "NAME=SOURCE",
     .kind = OptionKind::kMap,
     .default_note = "the preset's",
     .summary = "record headers, each from a column or payload:/json/pointer",
     .doc = "Sent behind the header id, which every event has, in the order in which they are "
            "written. They replace the preset's headers. The flag may be repeated.",
     .example = "{ eventType = \"type\", tenant = \"payload:/tenant\" }",
     .verbs = kMapping,
     .apply = ApplyHeaders},

    {.section = "relay",
     .key = "max_in_flight_bytes",
     .flag = "--max-in-flight-bytes",
     .placeholder = "SIZE",
     .kind = OptionKind::kSize,
     .default_text = "16MiB",
     .summary = "memory for events that no broker has acknowledged yet",
     .doc = "Over it the database is not read. More gives larger batches while the brokers are "
            "slow, and costs that much memory. One larger event still passes, alone.",
     .example = "\"16MiB\"",
     .verbs = kRelaying,
     .apply = WALPOST_STORE(StoreSize, settings.relay.max_in_flight_bytes)},
    {.section = "relay",
     .key = "max_in_flight_events",
     .flag = "--max-in-flight-events",
     .placeholder = "COUNT",
     .kind = OptionKind::kCount,
     .default_text = "100000",
     .summary = "the same bound as a count of events",
     .doc = "Whichever of the two is reached first counts.",
     .example = "100000",
     .verbs = kRelaying,
     .apply = WALPOST_STORE(StoreCount, settings.relay.max_in_flight_events)},
    {.section = "relay",
     .key = "on_poison",
     .flag = "--on-poison",
     .placeholder = "ACTION",
     .kind = OptionKind::kEnum,
     .allowed = kOnPoisonValues,
     .default_text = "halt",
     .summary = "what a row does that can never be published",
     .doc = "halt: the relay stops with exit code 4 and confirms nothing from that row on.",
     .example = "\"halt\"",
     .verbs = kRelaying,
     .apply = ApplyOnPoison},
    {.section = "relay",
     .key = "confirm_interval",
     .flag = "--confirm-interval",
     .placeholder = "DURATION",
     .kind = OptionKind::kDuration,
     .default_text = "100ms",
     .summary = "how long a confirm may wait for others to join it",
     .doc = "More sends fewer messages to the server; a crash then repeats more events.",
     .example = "\"100ms\"",
     .verbs = kRelaying,
     .apply = WALPOST_STORE(StoreDuration, settings.relay.confirm_interval)},
    {.section = "relay",
     .key = "status_interval",
     .flag = "--status-interval",
     .placeholder = "DURATION",
     .kind = OptionKind::kDuration,
     .default_text = "10s",
     .summary = "how often the server hears from the relay at least",
     .doc = "The relay goes below it by itself where wal_sender_timeout demands that.",
     .example = "\"10s\"",
     .verbs = kRelaying,
     .apply = WALPOST_STORE(StoreDuration, settings.relay.status_interval)},
    {.section = "relay",
     .key = "stall_timeout",
     .flag = "--stall-timeout",
     .placeholder = "DURATION",
     .kind = OptionKind::kDuration,
     .default_text = "60s",
     .summary = "how long the server may be silent before it is taken for gone",
     .doc = "Less notices a dead server sooner; too little drops one that is only busy.",
     .example = "\"60s\"",
     .verbs = kRelaying,
     .apply = WALPOST_STORE(StoreDuration, settings.relay.stall_timeout)},
    {.section = "relay",
     .key = "start_timeout",
     .flag = "--start-timeout",
     .placeholder = "DURATION",
     .kind = OptionKind::kDuration,
     .default_text = "15s",
     .summary = "how long failures at the start are retried",
     .doc = "After it `run` ends with the last error. Once it has streamed it retries for ever; "
            "forever does so from the start.",
     .example = "\"15s\"",
     .verbs = kRelaying,
     .apply = ApplyStartTimeout},
    {.section = "relay",
     .key = "drain_timeout",
     .flag = "--drain-timeout",
     .placeholder = "DURATION",
     .kind = OptionKind::kDuration,
     .default_text = "3s",
     .summary = "how long a stop waits for acknowledgements",
     .doc = "What is not acknowledged by then is published again after the restart. Keep it below "
            "the time that the service manager grants.",
     .example = "\"3s\"",
     .verbs = kRelaying,
     .apply = WALPOST_STORE(StoreDuration, settings.relay.drain_timeout)},
    {.section = "relay",
     .key = "reconnect_min_delay",
     .flag = "--reconnect-min-delay",
     .placeholder = "DURATION",
     .kind = OptionKind::kDuration,
     .default_text = "100ms",
     .summary = "delay before the first attempt to connect again",
     .doc = "Doubled at each further attempt, with jitter.",
     .example = "\"100ms\"",
     .verbs = kRelaying,
     .apply = WALPOST_STORE(StoreDuration, settings.relay.reconnect_min_delay)},
    {.section = "relay",
     .key = "reconnect_max_delay",
     .flag = "--reconnect-max-delay",
     .placeholder = "DURATION",
     .kind = OptionKind::kDuration,
     .default_text = "10s",
     .summary = "longest delay between attempts to connect again",
     .doc =
         "Less comes back sooner after a long outage; more is kinder to a server that struggles.",
     .example = "\"10s\"",
     .verbs = kRelaying,
     .apply = WALPOST_STORE(StoreDuration, settings.relay.reconnect_max_delay)},
    {.section = "relay",
     .key = "standby_retry_interval",
     .flag = "--standby-retry-interval",
     .placeholder = "DURATION",
     .kind = OptionKind::kDuration,
     .default_text = "1s",
     .summary = "how often a standby tries the slot that another instance holds",
     .doc = "About the time that a takeover needs after the other one is gone.",
     .example = "\"1s\"",
     .verbs = kRelaying,
     .apply = WALPOST_STORE(StoreDuration, settings.relay.standby_retry_interval)},

    {.section = "admin",
     .key = "listen",
     .flag = "--admin-listen",
     .placeholder = "HOST:PORT",
     .default_note = "empty: no server",
     .summary = "address for /metrics, /healthz and /readyz",
     .doc = "It has neither encryption nor passwords: keep it on a private address.",
     .example = "\"127.0.0.1:9464\"",
     .verbs = kRelaying,
     .listed = kRun,
     .apply = ApplyListen},

    {.section = "log",
     .key = "level",
     .flag = "--log-level",
     .placeholder = "LEVEL",
     .kind = OptionKind::kEnum,
     .allowed = kLogLevels,
     .default_text = "info",
     .summary = "least serious level that is logged",
     .doc = "error: an operator must act. Payloads and secrets are not logged at any level.",
     .example = "\"info\"",
     .verbs = kAll,
     .listed = kRun,
     .apply = ApplyLogLevel},
    {.section = "log",
     .key = "format",
     .flag = "--log-format",
     .placeholder = "FORMAT",
     .kind = OptionKind::kEnum,
     .allowed = kLogFormats,
     .default_text = "logfmt",
     .summary = "how a log line is written",
     .doc = "logfmt for people and grep, json for machines; one line for each entry in both.",
     .example = "\"logfmt\"",
     .verbs = kAll,
     .listed = kRun,
     .apply = ApplyLogFormat},
};

#undef WALPOST_TEXT
#undef WALPOST_STORE

}  // namespace

std::span<const OptionDef> Options() { return kOptions; }
std::span<const SectionDef> Sections() { return kSections; }
std::span<const PresetDoc> Presets() { return kPresets; }

const OptionDef* FindOption(std::string_view section, std::string_view key) {
  for (const OptionDef& option : kOptions) {
    if (option.section == section && option.key == key) return &option;
  }
  return nullptr;
}

const SectionDef* FindSection(std::string_view name) {
  for (const SectionDef& section : kSections) {
    if (section.name == name) return &section;
  }
  return nullptr;
}

const PresetDoc* FindPreset(std::string_view name) {
  for (const PresetDoc& preset : kPresets) {
    if (preset.name == name) return &preset;
  }
  return nullptr;
}

std::vector<std::string_view> KeysOf(std::string_view section) {
  std::vector<std::string_view> keys;
  for (const OptionDef& option : kOptions) {
    if (option.section == section) keys.push_back(option.key);
  }
  return keys;
}

std::string OptionName(const OptionDef& option) {
  return absl::StrCat(ToAbsl(option.section), ".", ToAbsl(option.key));
}

std::string EnvironmentName(const OptionDef& option) {
  return absl::AsciiStrToUpper(
      absl::StrCat("WALPOST_", ToAbsl(option.section), "_", ToAbsl(option.key)));
}

}  // namespace walpost::config
