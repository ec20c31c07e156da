#include "config/debezium_import.h"

#include <absl/strings/str_cat.h>

#include <algorithm>
#include <utility>

#include "base/status_macros.h"
#include "base/strings.h"
#include "config/connector_reader.h"
#include "config/debezium_connection.h"
#include "config/debezium_router.h"
#include "config/debezium_rules.h"
#include "config/debezium_transforms.h"
#include "config/toml_draft.h"

namespace walpost::config {
namespace {

void CheckClass(ConnectorReader& reader) {
  constexpr std::string_view kName = "connector.class";
  const std::string* value = reader.Find(kName);
  if (value == nullptr ||
      NamesClass(Trimmed(*value), "io.debezium.connector.postgresql.PostgresConnector",
                 "Connector")) {
    return;
  }
  reader.ChangesEvents(kName, ToStd(absl::StrCat(Quoted(*value),
                                                 " is not Debezium's connector for PostgreSQL; "
                                                 "hint: walpost reads no other database")));
}

// A value that decides what events look like has to be known.
absl::Status CheckProviders(const ConnectorReader& reader) {
  absl::Status status;
  reader.ForEachOpen([&](const std::string& name, const std::string& value) {
    const bool decides = name.starts_with("transforms") || name.starts_with("table.include") ||
                         name == "slot.name" || name == "publication.name" ||
                         name == "key.converter" || name == "value.converter" ||
                         name == "header.converter" || name.ends_with(".schemas.enable");
    if (!status.ok() || !decides || !IsFromProvider(value)) return;
    status = PropertyError(name,
                           "its value is fetched by a config provider of Connect; hint: write the "
                           "value itself into the file");
  });
  return status;
}

absl::Status WriteOnPoison(ConnectorReader& reader, TomlDraft& draft) {
  constexpr std::string_view kName = "errors.tolerance";
  WALPOST_ASSIGN_OR_RETURN(const std::string tolerance,
                           reader.WordOr(kName, "none", {"none", "all"}));
  if (reader.Find(kName) == nullptr) return absl::OkStatus();
  reader.Carried(kName, "relay.on_poison");
  draft.Comment("from errors.tolerance");
  if (tolerance == "all") {
    draft.Comment(
        "WARNING: a row that cannot be an event is lost with skip; dead-letter keeps it, halt "
        "waits "
        "for a person");
  }
  draft.Option("on_poison", TomlString(tolerance == "all" ? "skip" : "halt"));
  return absl::OkStatus();
}

absl::Status WriteOnUpdate(ConnectorReader& reader, std::string_view router, TomlDraft& draft) {
  const std::string name = absl::StrCat(ToAbsl(router), "table.op.invalid.behavior");
  WALPOST_ASSIGN_OR_RETURN(const std::string behavior,
                           reader.WordOr(name, "warn", {"warn", "error", "fatal"}));
  if (reader.Find(name) == nullptr) return absl::OkStatus();
  reader.Carried(name, "relay.on_update");
  draft.Comment("from " + name);
  if (behavior == "fatal") draft.Comment("the publication has to publish updates for that");
  draft.Option("on_update", TomlString(behavior == "fatal" ? "halt" : "ignore"));
  return absl::OkStatus();
}

absl::Status WriteStatusInterval(ConnectorReader& reader, TomlDraft& draft) {
  constexpr std::string_view kName = "status.update.interval.ms";
  const std::string* value = reader.Find(kName);
  if (value == nullptr) return absl::OkStatus();
  const std::string text = Trimmed(*value) + "ms";
  if (!ParseDuration(text).ok()) {
    return PropertyError(
        kName, ToStd(absl::StrCat(Quoted(*value), " is no number of milliseconds above zero")));
  }
  reader.Carried(kName, "relay.status_interval");
  draft.Comment(absl::StrCat("from ", ToAbsl(kName)));
  draft.Option("status_interval", TomlString(text));
  return absl::OkStatus();
}

absl::Status WriteRelaySection(ConnectorReader& reader, std::string_view router, TomlDraft& draft) {
  TomlDraft options;
  WALPOST_RETURN_IF_ERROR(WriteOnPoison(reader, options));
  WALPOST_RETURN_IF_ERROR(WriteOnUpdate(reader, router, options));
  WALPOST_RETURN_IF_ERROR(WriteStatusInterval(reader, options));
  if (options.text().empty()) return absl::OkStatus();
  draft.Section("[relay]");
  draft.Append(options);
  return absl::OkStatus();
}

void ApplyRule(ConnectorReader& reader, const RouterSection& router, const PropertyRule& rule,
               const std::string& name, const std::string& value) {
  if (IsSame(rule, value)) return reader.NothingToDo(name, rule.same_why);
  switch (rule.effect) {
    case RuleEffect::kNothing:
      return reader.NothingToDo(name, rule.why);
    case RuleEffect::kDropped:
      return reader.Dropped(name, rule.why);
    case RuleEffect::kEvents:
      return reader.ChangesEvents(name, rule.why);
    case RuleEffect::kSchemas:
      if (router.has_schemas) return reader.ChangesEvents(name, rule.why);
      return reader.NothingToDo(name, "shows in JSON schemas only");
  }
}

void ReportSkippedOperations(ConnectorReader& reader) {
  constexpr std::string_view kName = "skipped.operations";
  for (const std::string& operation : CommaList(reader.TextOr(kName, ""))) {
    if (operation != "c") continue;
    reader.ChangesEvents(kName, "an INSERT is an event, and not skipped");
  }
}

// What no section has taken.
void ReportTheRest(ConnectorReader& reader, const RouterSection& router) {
  reader.ForEachOpen([&](const std::string& name, const std::string& value) {
    const PropertyRule* rule = FindPropertyRule(name);
    if (rule == nullptr) {
      reader.Unknown(name, "no property of Debezium or Kafka Connect that walpost knows");
    } else {
      ApplyRule(reader, router, *rule, name, value);
    }
  });
}

void WriteFindings(const std::vector<ImportedProperty>& findings, ImportOutcome outcome,
                   std::string_view title, TomlDraft& draft) {
  bool first = true;
  for (const ImportedProperty& one : findings) {
    if (one.outcome != outcome) continue;
    if (first) {
      draft.Gap();
      draft.Comment(title);
    }
    first = false;
    draft.Comment(absl::StrCat("  ", one.name, ": ", one.text));
  }
}

std::string Assemble(const TomlDraft& sections, const std::vector<ImportedProperty>& findings,
                     bool whole, std::string_view source) {
  TomlDraft draft;
  draft.Comment(
      absl::StrCat("Made by `walpost config import-debezium` from ", ToAbsl(source), "."));
  draft.Comment("What became of the properties that are not named here stands at the end.");
  if (!whole) {
    draft.Comment(
        "There is no connector.class in it: what a whole connector would have to say is "
        "not missed.");
  }
  draft.Gap();
  draft.Append(sections);
  WriteFindings(findings, ImportOutcome::kChangesEvents,
                "Cannot be honoured, and consumers may see it:", draft);
  WriteFindings(findings, ImportOutcome::kAssumed, "Assumed; check it:", draft);
  WriteFindings(findings, ImportOutcome::kDropped,
                "Cannot be honoured; consumers see no difference:", draft);
  WriteFindings(findings, ImportOutcome::kUnknown, "Unknown:", draft);
  WriteFindings(findings, ImportOutcome::kNothingToDo, "Nothing to do:", draft);
  return draft.text();
}

}  // namespace

bool DebeziumImport::changes_events() const {
  return std::any_of(properties.begin(), properties.end(), [](const ImportedProperty& one) {
    return one.outcome == ImportOutcome::kChangesEvents;
  });
}

absl::StatusOr<DebeziumImport> ImportDebezium(const NamedTexts& connector, const NamedTexts& worker,
                                              std::string_view source) {
  ConnectorReader reader(connector, worker);
  CheckClass(reader);
  WALPOST_RETURN_IF_ERROR(CheckProviders(reader));
  WALPOST_ASSIGN_OR_RETURN(const std::string prefix, FindRouter(reader));
  WALPOST_ASSIGN_OR_RETURN(const RouterSection router, WriteRouterSection(reader, prefix));
  TomlDraft sections;
  WALPOST_RETURN_IF_ERROR(WritePostgresSection(reader, sections));
  WALPOST_RETURN_IF_ERROR(WriteKafkaSection(reader, sections));
  sections.Gap();
  sections.Append(router.blocks);
  WALPOST_RETURN_IF_ERROR(WriteRelaySection(reader, prefix, sections));
  ReportOtherTransforms(reader, prefix);
  ReportSkippedOperations(reader);
  ReportTheRest(reader, router);
  DebeziumImport result;
  result.properties = reader.TakeFindings();
  result.toml = Assemble(sections, result.properties, reader.whole(), source);
  return result;
}

}  // namespace walpost::config
