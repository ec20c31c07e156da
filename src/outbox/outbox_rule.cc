#include "outbox/outbox_rule.h"

#include <absl/status/status.h>
#include <absl/strings/ascii.h>
#include <absl/strings/str_cat.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "base/status_macros.h"
#include "base/strings.h"
#include "core/outbox_presets.h"
#include "core/topic_name.h"
#include "outbox/cloud_event.h"

namespace walpost::outbox {
namespace {

using Texts = OutboxSettings::Texts;

template <typename Value>
struct Choice {
  std::string_view text;
  Value value;
};

constexpr std::array kValueFormats = {
    Choice<ValueFormat>{"text", ValueFormat::kText},
    Choice<ValueFormat>{"bytes", ValueFormat::kBytes},
    Choice<ValueFormat>{"json", ValueFormat::kJson},
    Choice<ValueFormat>{"json-escaped", ValueFormat::kJsonEscaped},
    Choice<ValueFormat>{"json-schema", ValueFormat::kJsonSchema},
    Choice<ValueFormat>{"envelope", ValueFormat::kEnvelope},
    Choice<ValueFormat>{"struct", ValueFormat::kStruct},
    Choice<ValueFormat>{"cloudevents", ValueFormat::kCloudEvents}};
constexpr std::array kKeyFormats = {Choice<KeyFormat>{"text", KeyFormat::kText},
                                    Choice<KeyFormat>{"json", KeyFormat::kJson},
                                    Choice<KeyFormat>{"json-schema", KeyFormat::kJsonSchema},
                                    Choice<KeyFormat>{"bytes", KeyFormat::kBytes}};
// Either of two words; the second is true.
constexpr std::array kEmptyPayload = {Choice<bool>{"publish", false},
                                      Choice<bool>{"tombstone", true}};
constexpr std::array kJsonStyle = {Choice<bool>{"lossless", false}, Choice<bool>{"debezium", true}};
constexpr std::array kDropOrKeep = {Choice<bool>{"drop", false}, Choice<bool>{"keep", true}};
constexpr std::array kHeaderFormat = {Choice<bool>{"text", false}, Choice<bool>{"json", true}};
constexpr std::array kColumnText = {Choice<bool>{"postgres", false},
                                    Choice<bool>{"debezium", true}};
constexpr std::array kCloudEventsMode = {Choice<bool>{"binary", false},
                                         Choice<bool>{"structured", true}};
constexpr std::array kMessageScope = {Choice<bool>{"transactional", false},
                                      Choice<bool>{"all", true}};

absl::Status Bad(std::string_view option, std::string_view what) {
  return absl::InvalidArgumentError(absl::StrCat("outbox.", ToAbsl(option), ": ", ToAbsl(what)));
}

template <typename Choices>
absl::StatusOr<decltype(Choices::value_type::value)> Choose(const Choices& choices,
                                                            std::string_view option,
                                                            std::string_view text) {
  std::string all;
  for (const auto& choice : choices) {
    if (choice.text == text) return choice.value;
    absl::StrAppend(&all, all.empty() ? "" : ", ", ToAbsl(choice.text));
  }
  return Bad(option, ToStd(absl::StrCat("'", ToAbsl(text), "' is not one of: ", all)));
}

absl::StatusOr<std::vector<NamedSource>> CompileSources(const Texts& texts,
                                                        std::string_view option) {
  std::vector<NamedSource> sources;
  for (const auto& [name, text] : texts) {
    if (name.empty()) return Bad(option, "a name is empty");
    WALPOST_ASSIGN_OR_RETURN(
        FieldSource source,
        FieldSource::Parse(text, ToStd(absl::StrCat("outbox.", ToAbsl(option), ".", name))));
    sources.push_back({name, std::move(source)});
  }
  return sources;
}

absl::Status CompileHeaders(const OutboxSettings& settings, const OutboxPreset& preset,
                            OutboxRule& rule) {
  Texts texts;
  if (settings.headers) {
    texts = *settings.headers;
  } else if (!preset.event_type.empty()) {
    texts.emplace_back("eventType", preset.event_type);
  }
  for (const auto& header : texts) {
    if (header.first != "id") continue;
    return Bad("headers",
               "the name 'id' cannot be used; hint: every event already has the header 'id', from "
               "the column of outbox.id; choose another name");
  }
  WALPOST_ASSIGN_OR_RETURN(rule.headers, CompileSources(texts, "headers"));
  rule.headers_column = settings.headers_from.value_or(std::string(preset.headers_from));
  WALPOST_ASSIGN_OR_RETURN(rule.json_headers,
                           Choose(kHeaderFormat, "header_format", settings.header_format));
  rule.tracing_column = settings.tracing;
  return absl::OkStatus();
}

// What is text in each topic, and no router can mend, must be legal before the first row comes.
absl::Status CheckTopicText(const ColumnTemplate& topic) {
  std::string text;
  bool whole = true;
  for (const ColumnTemplate::Part& part : topic.parts) {
    if (part.is_column) whole = false;
    if (!part.is_column) text.append(part.text);
  }
  const std::string_view fault = whole ? TopicNameFault(text) : TopicPartFault(text);
  if (fault.empty()) return absl::OkStatus();
  return Bad("topic", ToStd(absl::StrCat(ToAbsl(fault), "; hint: mend the text around ${column}")));
}

absl::Status CompileTopic(const OutboxSettings& settings, const OutboxPreset& preset,
                          OutboxRule& rule) {
  WALPOST_ASSIGN_OR_RETURN(
      rule.topic,
      ColumnTemplate::Parse(settings.topic.value_or(std::string(preset.topic)), "outbox.topic"));
  if (settings.topic_regex.empty()) {
    WALPOST_RETURN_IF_ERROR(CheckTopicText(rule.topic));
    if (settings.topic_replacement.empty()) return absl::OkStatus();
    return Bad("topic_replacement", "of no effect without outbox.topic_regex; hint: set that too");
  }
  WALPOST_ASSIGN_OR_RETURN(rule.router,
                           TopicRouter::Compile(settings.topic_regex, settings.topic_replacement));
  if (settings.topic_replacement.empty()) {
    return Bad("topic_replacement",
               "missing, so that a topic which outbox.topic_regex matches would have no name; "
               "hint: set it, such as '$1' for the first group");
  }
  return absl::OkStatus();
}

absl::Status CompileKey(const OutboxSettings& settings, const OutboxPreset& preset,
                        OutboxRule& rule) {
  WALPOST_ASSIGN_OR_RETURN(rule.key_format, Choose(kKeyFormats, "key_format", settings.key_format));
  const std::string key = settings.key.value_or(std::string(preset.key));
  if (key.empty()) return absl::OkStatus();
  WALPOST_ASSIGN_OR_RETURN(rule.key, FieldSource::Parse(key, "outbox.key"));
  const bool whole_column = !rule.key->is_constant() && !rule.key->is_pointer();
  if (rule.key_format == KeyFormat::kText || whole_column) return absl::OkStatus();
  return Bad("key_format",
             "only a column can be a key in another format than text; hint: set "
             "outbox.key to one, or leave out outbox.key_format");
}

// A setting that would do nothing is a misunderstanding.
absl::Status CheckJsonStyle(const OutboxSettings& settings, const OutboxRule& rule) {
  const bool structured_event =
      rule.value_format == ValueFormat::kCloudEvents && settings.cloudevents_mode == "structured";
  const bool embeds = rule.value_format == ValueFormat::kJson ||
                      rule.value_format == ValueFormat::kJsonSchema ||
                      rule.value_format == ValueFormat::kStruct || structured_event;
  if (rule.expand && !embeds) {
    return Bad("json_style",
               "'debezium' goes with outbox.value = json, json-schema or struct, and with "
               "structured CloudEvents; hint: change outbox.value, or leave it out");
  }
  const bool expands = rule.expand || rule.value_format == ValueFormat::kStruct;
  for (const auto& [option, text] : {std::pair("json_nulls", &settings.json_nulls),
                                     std::pair("json_empty_arrays", &settings.json_empty_arrays)}) {
    if (*text == "drop" || expands) continue;
    return Bad(option,
               "of no effect without outbox.json_style = debezium; hint: lossless JSON keeps all");
  }
  return absl::OkStatus();
}

absl::Status CompileValue(const OutboxSettings& settings, const OutboxPreset& preset,
                          OutboxRule& rule) {
  rule.value_column = settings.payload.value_or(std::string(preset.payload));
  WALPOST_ASSIGN_OR_RETURN(
      rule.value_format,
      Choose(kValueFormats, "value", settings.value.value_or(std::string(preset.value))));
  WALPOST_ASSIGN_OR_RETURN(rule.expand, Choose(kJsonStyle, "json_style", settings.json_style));
  WALPOST_RETURN_IF_ERROR(CheckJsonStyle(settings, rule));
  if (rule.value_format == ValueFormat::kStruct) rule.expand = true;
  WALPOST_ASSIGN_OR_RETURN(rule.expand_options.keep_nulls,
                           Choose(kDropOrKeep, "json_nulls", settings.json_nulls));
  WALPOST_ASSIGN_OR_RETURN(rule.expand_options.keep_empty_arrays,
                           Choose(kDropOrKeep, "json_empty_arrays", settings.json_empty_arrays));
  WALPOST_ASSIGN_OR_RETURN(rule.tombstone_when_empty,
                           Choose(kEmptyPayload, "empty_payload", settings.empty_payload));
  WALPOST_ASSIGN_OR_RETURN(rule.envelope, CompileSources(settings.envelope, "envelope"));
  const bool takes_envelope = rule.value_format == ValueFormat::kJson ||
                              rule.value_format == ValueFormat::kJsonSchema ||
                              rule.value_format == ValueFormat::kEnvelope;
  if (!rule.envelope.empty() && !takes_envelope) {
    return Bad("envelope",
               "goes with outbox.value = envelope, json or json-schema only; hint: change "
               "outbox.value");
  }
  for (const NamedSource& member : rule.envelope) {
    if (member.name == "payload" || member.source.is_constant() || member.source.is_pointer()) {
      return Bad("envelope", ToStd(absl::StrCat(
                                 "member '", member.name,
                                 "' has to come from a column, under another name than payload")));
    }
  }
  return absl::OkStatus();
}

// Source:
// https://github.com/cloudevents/spec/blob/v1.0.2/cloudevents/spec.md#attribute-naming-convention
bool IsAttributeName(std::string_view name) {
  return !name.empty() && name != "data" && name != "specversion" &&
         std::all_of(name.begin(), name.end(), [](char c) {
           const auto u = static_cast<unsigned char>(c);
           return absl::ascii_islower(u) || absl::ascii_isdigit(u);
         });
}

absl::Status CompileCloudEvents(const OutboxSettings& settings, OutboxRule& rule) {
  WALPOST_ASSIGN_OR_RETURN(rule.structured,
                           Choose(kCloudEventsMode, "cloudevents_mode", settings.cloudevents_mode));
  WALPOST_ASSIGN_OR_RETURN(rule.cloudevents, CompileSources(settings.cloudevents, "cloudevents"));
  if (rule.value_format != ValueFormat::kCloudEvents) {
    if (rule.structured) {
      return Bad("cloudevents_mode",
                 "of no effect without outbox.value = cloudevents; hint: set that too");
    }
    if (rule.cloudevents.empty()) return absl::OkStatus();
    return Bad("cloudevents",
               "of no effect without outbox.value = cloudevents; hint: set that too");
  }
  const auto has = [&rule](std::string_view name) {
    return std::any_of(rule.cloudevents.begin(), rule.cloudevents.end(),
                       [name](const NamedSource& one) { return one.name == name; });
  };
  if (!has("source") || !has("type")) {
    return Bad("cloudevents",
               "a CloudEvent needs source and type; hint: cloudevents = { source = \"'/shop'\", "
               "type = \"type\" }");
  }
  for (const NamedSource& attribute : rule.cloudevents) {
    if (attribute.source.is_constant()) {
      const absl::Status fit = CheckCloudEventValue(attribute.name, attribute.source.constant);
      if (!fit.ok()) {
        return Bad("cloudevents",
                   ToStd(absl::StrCat(fit.message(), "; hint: change the constant")));
      }
    }
    if (IsAttributeName(attribute.name)) continue;
    return Bad("cloudevents",
               ToStd(absl::StrCat("'", attribute.name,
                                  "' cannot be the name of an attribute; hint: use a to z and 0 "
                                  "to 9, other than data and specversion")));
  }
  return absl::OkStatus();
}

absl::Status CompileTimestamp(const OutboxSettings& settings, OutboxRule& rule) {
  if (settings.timestamp.empty()) {
    return Bad("timestamp", "it is empty; hint: write commit, now, or a column");
  }
  rule.timestamp = TimestampSource::kColumn;
  if (settings.timestamp == "commit") rule.timestamp = TimestampSource::kCommit;
  if (settings.timestamp == "now") rule.timestamp = TimestampSource::kNow;
  if (rule.timestamp == TimestampSource::kColumn) rule.timestamp_column = settings.timestamp;
  return absl::OkStatus();
}

// That what names a column alone names one: only key, headers and cloudevents take a JSON pointer.
absl::Status CheckColumnName(std::string_view option, std::string_view name) {
  if (name.empty()) return Bad(option, "it is empty; hint: name the column, or leave it out");
  if (name.find(":/") == std::string_view::npos) return absl::OkStatus();
  return Bad(option, ToStd(absl::StrCat("'", ToAbsl(name),
                                        "' is a JSON pointer, which only key, headers and "
                                        "cloudevents take; hint: name a column")));
}

absl::Status CheckColumnNames(const OutboxRule& rule) {
  WALPOST_RETURN_IF_ERROR(CheckColumnName("id", rule.id_column));
  WALPOST_RETURN_IF_ERROR(CheckColumnName("payload", rule.value_column));
  for (const ColumnTemplate::Part& part : rule.topic.parts) {
    if (part.is_column) WALPOST_RETURN_IF_ERROR(CheckColumnName("topic", part.text));
  }
  // Those that may be left out.
  for (const auto& [option, name] :
       {std::pair("headers_from", &rule.headers_column), std::pair("tracing", &rule.tracing_column),
        std::pair("partition", &rule.partition_column),
        std::pair("timestamp", &rule.timestamp_column)}) {
    if (!name->empty()) WALPOST_RETURN_IF_ERROR(CheckColumnName(option, *name));
  }
  return absl::OkStatus();
}

absl::Status CompileTable(const OutboxSettings& settings, OutboxRule& rule) {
  WALPOST_ASSIGN_OR_RETURN(rule.all_messages,
                           Choose(kMessageScope, "message_scope", settings.message_scope));
  rule.is_message = settings.preset == kMessagePreset;
  if (rule.is_message) {
    rule.prefix = settings.prefix;
    return absl::OkStatus();
  }
  const OutboxSettings defaults;
  for (const auto& [option, same] :
       {std::pair("prefix", settings.prefix == defaults.prefix),
        std::pair("message_scope", settings.message_scope == defaults.message_scope)}) {
    if (!same) return Bad(option, "goes with the preset message alone; hint: leave it out");
  }
  auto table = QualifiedName::Parse(settings.table);
  if (!table.ok()) return Bad("table", ToStd(table.status().message()));
  rule.table = *std::move(table);
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<OutboxRule> OutboxRule::Compile(const OutboxSettings& settings) {
  const OutboxPreset* preset = FindOutboxPreset(settings.preset);
  if (preset == nullptr) {
    std::string all;
    for (std::string_view name : kOutboxPresetNames) absl::StrAppend(&all, " ", ToAbsl(name));
    return Bad("preset", ToStd(absl::StrCat("unknown preset '", settings.preset,
                                            "'; hint: use one of", all)));
  }
  OutboxRule rule;
  WALPOST_RETURN_IF_ERROR(CompileTable(settings, rule));
  rule.id_column = settings.id.value_or(std::string(preset->id));
  WALPOST_RETURN_IF_ERROR(CompileTopic(settings, *preset, rule));
  WALPOST_RETURN_IF_ERROR(CompileKey(settings, *preset, rule));
  WALPOST_RETURN_IF_ERROR(CompileValue(settings, *preset, rule));
  WALPOST_RETURN_IF_ERROR(CompileHeaders(settings, *preset, rule));
  WALPOST_RETURN_IF_ERROR(CompileCloudEvents(settings, rule));
  WALPOST_RETURN_IF_ERROR(CompileTimestamp(settings, rule));
  rule.partition_column = settings.partition;
  WALPOST_RETURN_IF_ERROR(CheckColumnNames(rule));
  WALPOST_ASSIGN_OR_RETURN(rule.debezium_text,
                           Choose(kColumnText, "column_text", settings.column_text));
  return rule;
}

std::string OutboxRule::Name() const {
  return is_message ? absl::StrCat("messages with prefix '", prefix, "'") : table.ToString();
}

std::vector<OutboxColumn> OutboxRule::Columns() const {
  std::vector<OutboxColumn> columns;
  auto add = [&columns](const std::string& name, std::string_view setting,
                        std::vector<std::uint32_t> types = {}) {
    if (name.empty()) return;
    auto same = std::find_if(columns.begin(), columns.end(),
                             [&name](const OutboxColumn& other) { return other.name == name; });
    if (same == columns.end()) {
      columns.push_back({name, absl::StrCat("outbox.", ToAbsl(setting)), std::move(types)});
    } else if (same->types.empty() && !types.empty()) {
      *same = {name, absl::StrCat("outbox.", ToAbsl(setting)), std::move(types)};
    }
  };
  add(id_column, "id");
  for (const ColumnTemplate::Part& part : topic.parts) {
    if (part.is_column) add(part.text, "topic");
  }
  if (key) add(key->column, "key");
  add(value_column, "payload");
  for (const NamedSource& member : envelope) add(member.source.column, "envelope");
  add(tracing_column, "tracing");
  for (const NamedSource& header : headers) add(header.source.column, "headers");
  add(headers_column, "headers_from");
  add(partition_column, "partition", {std::begin(kPartitionTypes), std::end(kPartitionTypes)});
  add(timestamp_column, "timestamp", {std::begin(kTimestampTypes), std::end(kTimestampTypes)});
  for (const NamedSource& attribute : cloudevents) add(attribute.source.column, "cloudevents");
  return columns;
}

}  // namespace walpost::outbox
