#include "outbox/outbox_rule.h"

#include <absl/status/status.h>
#include <absl/strings/str_cat.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "base/status_macros.h"
#include "base/strings.h"

namespace walpost::outbox {
namespace {

// What a preset says where the configuration is silent.
struct Preset {
  std::string_view name;
  std::string_view id_column;
  std::string_view topic;
  std::string_view key;
  std::string_view value_column;
};

constexpr Preset kPresets[] = {
    {"debezium", "id", "outbox.event.${aggregatetype}", "aggregateid", "payload"},
};

const Preset* FindPreset(std::string_view name) {
  for (const Preset& preset : kPresets) {
    if (preset.name == name) return &preset;
  }
  return nullptr;
}

absl::Status CheckHeaderName(std::string_view name) {
  if (!name.empty() && name != "id") return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("outbox.headers: the name '", ToAbsl(name),
                   "' cannot be used; hint: every event already has the header "
                   "'id'; choose another name"));
}

absl::StatusOr<std::vector<HeaderRule>> CompileHeaders(const OutboxSettings& settings) {
  std::vector<HeaderRule> headers;
  if (!settings.headers) return headers;
  for (const auto& [name, source] : *settings.headers) {
    WALPOST_RETURN_IF_ERROR(CheckHeaderName(name));
    WALPOST_ASSIGN_OR_RETURN(FieldSource parsed,
                             FieldSource::Parse(source, absl::StrCat("outbox.headers.", name)));
    headers.push_back({name, std::move(parsed)});
  }
  return headers;
}

}  // namespace

absl::StatusOr<OutboxRule> OutboxRule::Compile(const OutboxSettings& settings) {
  const Preset* preset = FindPreset(settings.preset);
  if (preset == nullptr) {
    return absl::InvalidArgumentError(
        absl::StrCat("outbox.preset: unknown preset '", settings.preset, "'; hint: use debezium"));
  }
  if (settings.value && *settings.value != "text") {
    return absl::InvalidArgumentError(
        absl::StrCat("outbox.value: unknown format '", *settings.value, "'; hint: use text"));
  }
  OutboxRule rule;
  WALPOST_ASSIGN_OR_RETURN(rule.table, QualifiedName::Parse(settings.table));
  rule.id_column = std::string(preset->id_column);
  rule.value_column = std::string(preset->value_column);
  WALPOST_ASSIGN_OR_RETURN(
      rule.topic,
      ColumnTemplate::Parse(settings.topic.value_or(std::string(preset->topic)), "outbox.topic"));
  const std::string key = settings.key.value_or(std::string(preset->key));
  if (!key.empty()) {
    WALPOST_ASSIGN_OR_RETURN(rule.key, FieldSource::Parse(key, "outbox.key"));
  }
  WALPOST_ASSIGN_OR_RETURN(rule.headers, CompileHeaders(settings));
  return rule;
}

std::vector<std::string> OutboxRule::Columns() const {
  std::vector<std::string> columns;
  auto add = [&columns](const std::string& name) {
    if (std::find(columns.begin(), columns.end(), name) == columns.end()) columns.push_back(name);
  };
  add(id_column);
  for (const ColumnTemplate::Part& part : topic.parts) {
    if (part.is_column) add(part.text);
  }
  if (key) add(key->column);
  add(value_column);
  for (const HeaderRule& header : headers) add(header.source.column);
  return columns;
}

}  // namespace walpost::outbox
