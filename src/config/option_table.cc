#include "config/option_table.h"

#include <absl/strings/ascii.h>
#include <absl/strings/str_cat.h>

#include "base/strings.h"
#include "config/option_groups.h"

namespace walpost::config {
namespace {

constexpr SectionDef kSections[] = {
    {"postgres", false,
     "The database whose outbox is relayed. What a conninfo does not say comes from libpq's own "
     "variables (PGHOST, PGUSER, PGPASSWORD, PGPASSFILE, PGSERVICE, ...)."},
    {"kafka", false, "The cluster that events are published to."},
    {"outbox", true,
     "One block for each outbox table; several tables share the slot. A preset names the columns "
     "and the topic rule; every option below overrides it. The environment speaks of the "
     "first block; flags do too, and are refused when there are several."},
    {"relay", false, "How much is in flight, how often is confirmed, how long is waited."},
    {"admin", false, "The HTTP server with /metrics, /healthz and /readyz."},
    {"log", false, "Log lines go to standard error."},
};

std::vector<OptionDef> AllOptions() {
  std::vector<OptionDef> all;
  for (const auto group : {ConnectionOptions(), OutboxOptions(), FormatOptions(),
                           RelayOptionsGroup(), OutputOptions()}) {
    all.insert(all.end(), group.begin(), group.end());
  }
  return all;
}

}  // namespace

std::span<const OptionDef> Options() {
  static const std::vector<OptionDef> all = AllOptions();
  return all;
}
std::span<const SectionDef> Sections() { return kSections; }

const OptionDef* FindOption(std::string_view section, std::string_view key) {
  for (const OptionDef& option : Options()) {
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

std::string PresetHeaders(const OutboxPreset& preset) {
  if (preset.event_type.empty()) return "{}";
  return TomlTable({{"eventType", std::string(preset.event_type)}});
}

std::vector<std::string_view> KeysOf(std::string_view section) {
  std::vector<std::string_view> keys;
  for (const OptionDef& option : Options()) {
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
