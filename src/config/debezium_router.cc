#include "config/debezium_router.h"

#include <absl/strings/str_cat.h>
#include <absl/strings/str_join.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "base/status_macros.h"
#include "base/strings.h"
#include "config/debezium_converters.h"
#include "config/router_placement.h"
#include "config/router_topic.h"
#include "config/table_list.h"

namespace walpost::config {
namespace {

constexpr std::string_view kPlacement = "table.fields.additional.placement";

// Options of the router that become no option by themselves.
struct RouterNote {
  std::string_view name;
  std::string_view why;
};

constexpr RouterNote kNothingToDo[] = {
    {"type", "what walpost takes the place of"},
    {"table.field.event.type", "the router does not use it"},
};

class RouterWriter {
 public:
  RouterWriter(ConnectorReader& reader, std::string_view prefix)
      : reader_(reader), prefix_(prefix) {}

  absl::StatusOr<RouterSection> Write() {
    for (const RouterNote& note : kNothingToDo) reader_.NothingToDo(Name(note.name), note.why);
    WALPOST_ASSIGN_OR_RETURN(placement_, ReadPlacement(reader_, Name(kPlacement)));
    WALPOST_RETURN_IF_ERROR(WriteColumn("table.field.event.id", "id"));
    WALPOST_RETURN_IF_ERROR(WriteTopic());
    WALPOST_RETURN_IF_ERROR(WriteKey());
    WALPOST_RETURN_IF_ERROR(WriteColumn("table.field.event.payload", "payload"));
    WALPOST_RETURN_IF_ERROR(WriteValue());
    WALPOST_RETURN_IF_ERROR(WriteEmptyPayload());
    WALPOST_RETURN_IF_ERROR(WriteHeaders());
    WALPOST_RETURN_IF_ERROR(WriteTracing());
    WritePartition();
    WALPOST_RETURN_IF_ERROR(WriteTimestamp());
    body_.Comment("columns that are not text are written as Debezium does");
    body_.Option("column_text", TomlString("debezium"));
    WALPOST_RETURN_IF_ERROR(ReportSchemaVersion());
    WALPOST_RETURN_IF_ERROR(ReportMissingColumns());
    ReportOthers();
    WriteBlocks();
    return std::move(section_);
  }

 private:
  std::string Name(std::string_view option) const { return absl::StrCat(prefix_, ToAbsl(option)); }

  // Writes an option under the names of the properties that it comes from; without any of them it
  // has the first one's default.
  void Option(const std::vector<std::string>& properties, std::string_view key,
              std::string_view value) {
    std::vector<std::string> set;
    for (const std::string& property : properties) {
      if (reader_.Find(property) == nullptr) continue;
      set.push_back(property);
      reader_.Carried(property, ToStd(absl::StrCat("outbox.", ToAbsl(key))));
    }
    body_.Comment(set.empty() ? absl::StrCat("the default of ", properties.front())
                              : absl::StrCat("from ", absl::StrJoin(set, ", ")));
    body_.Option(key, value);
  }

  // The column that a router option names. Error: it names none.
  absl::StatusOr<std::string> Column(std::string_view option, std::string_view fallback) const {
    const std::string column = reader_.TextOr(Name(option), fallback);
    if (column.empty() && reader_.Find(Name(option)) != nullptr) {
      return PropertyError(Name(option), "is empty; hint: name a column, or remove it");
    }
    return column;
  }

  // A column that the preset knows unless it is set.
  absl::Status WriteColumn(std::string_view option, std::string_view key) {
    WALPOST_ASSIGN_OR_RETURN(const std::string column, Column(option, ""));
    if (!column.empty()) Option({Name(option)}, key, TomlString(column));
    return absl::OkStatus();
  }

  absl::Status WriteTopic() {
    WALPOST_ASSIGN_OR_RETURN(const std::string column, Column("route.by.field", "aggregatetype"));
    if (column.find('}') != std::string::npos) {
      reader_.ChangesEvents(Name("route.by.field"),
                            "a template cannot name this column; hint: rename the column");
    }
    const std::string regex = reader_.TextOr(Name("route.topic.regex"), "(?<routedByValue>.*)");
    const std::string replacement =
        reader_.TextOr(Name("route.topic.replacement"), "outbox.event.${routedByValue}");
    const absl::StatusOr<TopicRule> rule = TranslateTopic(column, regex, replacement);
    if (!rule.ok()) {
      return PropertyError(Name("route.topic.replacement"), ToStd(rule.status().message()));
    }
    if (!rule->regex.empty()) {
      Option({Name("route.by.field")}, "topic", TomlString(rule->topic));
      Option({Name("route.topic.regex")}, "topic_regex", TomlString(rule->regex));
      Option({Name("route.topic.replacement")}, "topic_replacement", TomlString(rule->replacement));
      const std::string_view difference = DifferenceToJava(rule->regex);
      if (!difference.empty()) {
        reader_.ChangesEvents(Name("route.topic.regex"),
                              ToStd(absl::StrCat(ToAbsl(difference),
                                                 ", which walpost reads in "
                                                 "another way than Java")));
      }
      return absl::OkStatus();
    }
    Option({Name("route.topic.replacement"), Name("route.by.field"), Name("route.topic.regex")},
           "topic", TomlString(rule->topic));
    return absl::OkStatus();
  }

  absl::Status WriteKey() {
    WALPOST_RETURN_IF_ERROR(WriteColumn("table.field.event.key", "key"));
    WALPOST_ASSIGN_OR_RETURN(const ConverterKind kind, ReadConverter(reader_, "key.converter"));
    switch (kind) {
      case ConverterKind::kNotSet:
        ReportNoConverter("key.converter", "StringConverter");
        body_.Option("key_format", TomlString("text"));
        break;
      case ConverterKind::kText:
        Option({"key.converter"}, "key_format", TomlString("text"));
        break;
      case ConverterKind::kJson:
        Option({"key.converter", "key.converter.schemas.enable"}, "key_format", TomlString("json"));
        break;
      case ConverterKind::kJsonSchema:
        section_.has_schemas = true;
        Option({"key.converter", "key.converter.schemas.enable"}, "key_format",
               TomlString("json-schema"));
        break;
      case ConverterKind::kBytes:
        Option({"key.converter"}, "key_format", TomlString("bytes"));
        break;
      case ConverterKind::kOther:
        WriteOtherFormat("key.converter", "key_format", "text");
        break;
    }
    return absl::OkStatus();
  }

  // In a part of a connector there is nothing to be said against it.
  void ReportNoConverter(std::string_view name, std::string_view assumed) {
    const std::string text =
        absl::StrCat("is not set, so the worker's counts; taken for ", ToAbsl(assumed));
    body_.Comment(absl::StrCat(ToAbsl(name), " ", text));
    if (!reader_.whole()) return;
    reader_.Assumed(
        name, ToStd(absl::StrCat(text, "; hint: give the worker's properties with --worker")));
  }

  void WriteOtherFormat(std::string_view converter, std::string_view key, std::string_view format) {
    body_.Comment(absl::StrCat(ToAbsl(converter), " has no counterpart; choose a format"));
    body_.Example(key, TomlString(format));
  }

  absl::Status WriteValue() {
    WALPOST_ASSIGN_OR_RETURN(const bool expand,
                             reader_.FlagOr(Name("table.expand.json.payload"), false));
    WALPOST_ASSIGN_OR_RETURN(const ConverterKind kind, ReadConverter(reader_, "value.converter"));
    const std::vector<std::string> json = {"value.converter", "value.converter.schemas.enable"};
    const bool envelope = !placement_.envelope.empty();
    bool expands = expand;
    bool takes_envelope = false;
    switch (kind) {
      case ConverterKind::kNotSet:
        ReportNoConverter("value.converter", "StringConverter");
        body_.Option("value", TomlString(expand ? "struct" : "text"));
        break;
      case ConverterKind::kText:
        Option({"value.converter"}, "value", TomlString(expand ? "struct" : "text"));
        break;
      case ConverterKind::kJson:
        takes_envelope = true;
        Option(json, "value", TomlString(expand ? "json" : envelope ? "envelope" : "json-escaped"));
        break;
      case ConverterKind::kJsonSchema:
        takes_envelope = true;
        section_.has_schemas = true;
        section_.has_envelope_schema = envelope;
        Option(json, "value", TomlString("json-schema"));
        break;
      case ConverterKind::kBytes:
        expands = false;
        Option({"value.converter"}, "value", TomlString("bytes"));
        break;
      case ConverterKind::kOther:
        expands = false;
        WriteOtherFormat("value.converter", "value", "text");
        break;
    }
    WALPOST_RETURN_IF_ERROR(WriteExpansion(expand, expands));
    WriteEnvelope(takes_envelope);
    return absl::OkStatus();
  }

  // `expand` is what was asked for, `expands` whether the converter has any use for it.
  absl::Status WriteExpansion(bool expand, bool expands) {
    const std::string name = Name("table.expand.json.payload");
    const std::string nulls = Name("table.json.payload.null.behavior");
    const std::string arrays = Name("table.json.payload.empty.array.behavior");
    const std::string adjustment = Name("field.name.adjustment.mode");
    WALPOST_ASSIGN_OR_RETURN(const std::string null_behavior,
                             reader_.WordOr(nulls, "ignore", {"ignore", "optional_bytes"}));
    WALPOST_ASSIGN_OR_RETURN(const std::string array_behavior,
                             reader_.WordOr(arrays, "ignore", {"ignore", "optional_string"}));
    if (!expands) {
      reader_.NothingToDo(name, expand ? "bytes are no JSON text" : "as walpost does it");
      for (const std::string& option : {nulls, arrays, adjustment}) {
        reader_.NothingToDo(option, "of no effect without an expanded payload");
      }
      return absl::OkStatus();
    }
    Option({name}, "json_style", TomlString("debezium"));
    if (reader_.Find(nulls) != nullptr) {
      Option({nulls}, "json_nulls", TomlString(null_behavior == "ignore" ? "drop" : "keep"));
    }
    if (reader_.Find(arrays) != nullptr) {
      Option({arrays}, "json_empty_arrays",
             TomlString(array_behavior == "ignore" ? "drop" : "keep"));
    }
    if (Trimmed(reader_.TextOr(adjustment, "none")) == "none") {
      reader_.NothingToDo(adjustment, "as walpost does it");
    } else {
      reader_.ChangesEvents(adjustment, "members keep their names");
    }
    return absl::OkStatus();
  }

  void WriteEnvelope(bool takes_envelope) {
    if (placement_.envelope.empty()) return;
    if (section_.has_envelope_schema) {
      reader_.ChangesEvents(Name(kPlacement),
                            "envelope: the name of its schema, which depends on the connector and "
                            "on the order of its events, is left out");
    }
    if (takes_envelope) {
      Option({Name(kPlacement)}, "envelope", TomlTable(placement_.envelope));
      return;
    }
    std::vector<std::string> members;
    for (const auto& [alias, column] : placement_.envelope) members.push_back(alias);
    reader_.ChangesEvents(
        Name(kPlacement),
        ToStd(absl::StrCat("envelope: there are no members beside the payload with this "
                           "value.converter: ",
                           absl::StrJoin(members, ", "), "; hint: see value = \"envelope\"")));
  }

  absl::Status WriteEmptyPayload() {
    const std::string name = Name("route.tombstone.on.empty.payload");
    WALPOST_ASSIGN_OR_RETURN(const bool tombstone, reader_.FlagOr(name, false));
    if (reader_.Find(name) == nullptr) return absl::OkStatus();
    Option({name}, "empty_payload", TomlString(tombstone ? "tombstone" : "publish"));
    return absl::OkStatus();
  }

  absl::Status WriteHeaders() {
    if (!placement_.headers.empty()) {
      Option({Name(kPlacement)}, "headers", TomlTable(placement_.headers));
    }
    WALPOST_RETURN_IF_ERROR(ReportContextHeaders());
    WALPOST_ASSIGN_OR_RETURN(const ConverterKind kind, ReadConverter(reader_, "header.converter"));
    switch (kind) {
      case ConverterKind::kNotSet:
      case ConverterKind::kText:
        Option({"header.converter"}, "header_format", TomlString("text"));
        break;
      case ConverterKind::kJson:
        Option({"header.converter", "header.converter.schemas.enable"}, "header_format",
               TomlString("json"));
        break;
      case ConverterKind::kJsonSchema:
        reader_.ChangesEvents("header.converter", "headers have no schema");
        Option({"header.converter", "header.converter.schemas.enable"}, "header_format",
               TomlString("json"));
        break;
      case ConverterKind::kBytes:
        reader_.ChangesEvents("header.converter", "headers are written as text");
        WriteOtherFormat("header.converter", "header_format", "text");
        break;
      case ConverterKind::kOther:
        WriteOtherFormat("header.converter", "header_format", "text");
        break;
    }
    return absl::OkStatus();
  }

  // They name the connector and its run, so nobody takes them for a part of the event; only who has
  // asked for them may miss them.
  absl::Status ReportContextHeaders() {
    constexpr std::string_view kName = "extended.headers.enabled";
    WALPOST_ASSIGN_OR_RETURN(const bool enabled, reader_.FlagOr(kName, true));
    if (!enabled) {
      reader_.NothingToDo(kName, "as walpost does it");
    } else if (reader_.Find(kName) != nullptr) {
      reader_.Dropped(kName,
                      "the headers __debezium.context.* are not sent; hint: constants can "
                      "stand for them: headers = { NAME = \"'value'\" }");
    } else if (reader_.whole()) {
      reader_.Dropped(kName,
                      "is not set, so Debezium 3.2 and later send the headers "
                      "__debezium.context.*, which name the connector and its run; they are not "
                      "sent any more");
    }
    return absl::OkStatus();
  }

  // Debezium looks for the column only when it runs with OpenTelemetry, walpost whenever it is told
  // to, and then the table has to have it.
  absl::Status WriteTracing() {
    const std::string field = Name("tracing.span.context.field");
    const std::string only = Name("tracing.with.context.field.only");
    const std::string operation = Name("tracing.operation.name");
    WALPOST_ASSIGN_OR_RETURN(const bool context_only, reader_.FlagOr(only, true));
    const bool asked = reader_.Find(field) != nullptr || reader_.Find(only) != nullptr ||
                       reader_.Find(operation) != nullptr;
    if (!asked) {
      body_.Comment("where Debezium runs with OpenTelemetry and the table has this column");
      body_.Example("tracing", TomlString("tracingspancontext"));
      return absl::OkStatus();
    }
    WALPOST_ASSIGN_OR_RETURN(const std::string column,
                             Column("tracing.span.context.field", "tracingspancontext"));
    Option({field, only}, "tracing", TomlString(column));
    if (reader_.Find(operation) != nullptr) {
      reader_.Dropped(operation, "walpost forwards the trace and adds no span of its own");
    }
    if (!context_only) {
      reader_.ChangesEvents(only, "an event without a trace of its own gets none");
    }
    return absl::OkStatus();
  }

  void WritePartition() {
    if (placement_.partition.empty()) return;
    Option({Name(kPlacement)}, "partition", TomlString(placement_.partition));
  }

  absl::Status WriteTimestamp() {
    WALPOST_ASSIGN_OR_RETURN(const std::string column, Column("table.field.event.timestamp", ""));
    if (!column.empty()) body_.Comment("where the column is NULL, it is the time of the commit");
    if (column == "now" || column == "commit") {
      reader_.ChangesEvents(Name("table.field.event.timestamp"),
                            "a column of this name means something else to walpost; hint: rename "
                            "the column");
    }
    Option({Name("table.field.event.timestamp")}, "timestamp",
           TomlString(column.empty() ? "now" : column));
    return absl::OkStatus();
  }

  absl::Status ReportSchemaVersion() {
    const std::string name = Name("table.field.event.schema.version");
    WALPOST_RETURN_IF_ERROR(Column("table.field.event.schema.version", "").status());
    if (reader_.Find(name) == nullptr) return absl::OkStatus();
    if (section_.has_envelope_schema) {
      reader_.ChangesEvents(name, "the schema of an envelope has no version");
    } else {
      reader_.NothingToDo(name, "of no effect without an envelope that has a schema");
    }
    return absl::OkStatus();
  }

  absl::Status ReportMissingColumns() {
    constexpr std::string_view kRefused =
        "a column that the table lacks is refused at the start; hint: leave it out of this file";
    const std::string flag = Name("table.fields.additional.error.on.missing");
    const std::string word = Name("table.field.additional.missing");
    WALPOST_ASSIGN_OR_RETURN(const bool error, reader_.FlagOr(flag, true));
    WALPOST_ASSIGN_OR_RETURN(const std::string missing,
                             reader_.WordOr(word, "error", {"error", "ignore"}));
    if (error) reader_.NothingToDo(flag, "as walpost does it");
    if (!error) reader_.Dropped(flag, kRefused);
    if (missing == "error") reader_.NothingToDo(word, "as walpost does it");
    if (missing != "error") reader_.Dropped(word, kRefused);
    return absl::OkStatus();
  }

  void ReportOthers() {
    reader_.NothingToDo(Name("plugin.version"), "chooses a jar");
    reader_.NothingToDo(Name("negate"), "goes with predicate");
    if (reader_.Find(Name("predicate")) == nullptr) return;
    reader_.ChangesEvents(Name("predicate"),
                          "walpost has no predicates: each row of the table is an event");
  }

  void WriteBlocks() {
    constexpr std::string_view kName = "table.include.list";
    const std::string* text = reader_.Find(kName);
    if (text != nullptr && Trimmed(*text).empty()) {
      reader_.NothingToDo(kName, "is empty, as if it were not set");
      text = nullptr;
    }
    TableList list;
    if (text != nullptr) list = ReadTableList(*text);
    for (const std::string& expression : list.expressions) {
      reader_.ChangesEvents(
          kName,
          ToStd(absl::StrCat(Quoted(expression),
                             " is no SCHEMA.TABLE; hint: write one [[outbox]] block for each "
                             "table that it stands for")));
    }
    for (const QualifiedName& table : list.tables) {
      reader_.Carried(kName, "outbox.table");
      WriteBlock(table.ToString(), "from table.include.list");
    }
    ReportSchemas(list);
    if (!list.tables.empty()) return;
    if (text == nullptr && reader_.whole()) {
      reader_.Assumed(kName,
                      "is not set, so every table of the publication counts; taken for "
                      "public.outbox; hint: write one [[outbox]] block for each outbox table");
    }
    WriteBlock("public.outbox", "table.include.list names no table: check this one");
  }

  // A list of schemas leaves out nothing when it has those of all tables.
  void ReportSchemas(const TableList& list) {
    constexpr std::string_view kName = "schema.include.list";
    const std::vector<std::string> schemas = CommaList(reader_.TextOr(kName, ""));
    const auto has_schema = [&schemas](const QualifiedName& table) {
      return std::find(schemas.begin(), schemas.end(), table.schema) != schemas.end();
    };
    if (list.tables.empty() || !list.expressions.empty()) return;
    if (!std::all_of(list.tables.begin(), list.tables.end(), has_schema)) return;
    reader_.NothingToDo(kName, "has the schema of each table that is named");
  }

  void WriteBlock(std::string_view table, std::string_view comment) {
    section_.blocks.Section("[[outbox]]");
    section_.blocks.Comment(comment);
    section_.blocks.Option("table", TomlString(table));
    section_.blocks.Option("preset", TomlString("debezium"));
    section_.blocks.Append(body_);
  }

  ConnectorReader& reader_;
  std::string prefix_;
  RouterPlacement placement_;
  TomlDraft body_;
  RouterSection section_;
};

}  // namespace

absl::StatusOr<RouterSection> WriteRouterSection(ConnectorReader& reader, std::string_view prefix) {
  return RouterWriter(reader, prefix).Write();
}

}  // namespace walpost::config
