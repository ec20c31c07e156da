#include "config/connector_reader.h"

#include <absl/strings/ascii.h>
#include <absl/strings/str_cat.h>
#include <absl/strings/str_join.h>
#include <absl/strings/str_split.h>

#include <algorithm>
#include <cstddef>
#include <utility>

#include "base/strings.h"

namespace walpost::config {
namespace {

constexpr std::string_view kConverters[] = {"key.converter", "value.converter", "header.converter"};

bool StartsWithAny(std::string_view name, std::initializer_list<std::string_view> prefixes) {
  return std::any_of(prefixes.begin(), prefixes.end(),
                     [name](std::string_view prefix) { return name.starts_with(prefix); });
}

// Connect takes a converter with all its settings from one place.
bool CountsFromWorker(std::string_view name, const ConnectorReader& connector) {
  for (std::string_view converter : kConverters) {
    if (name != converter && !name.starts_with(std::string(converter) + ".")) continue;
    return connector.Find(converter) == nullptr;
  }
  return name == "bootstrap.servers" || name == "exactly.once.source.support" ||
         StartsWithAny(name, {"producer."});
}

}  // namespace

ConnectorReader::ConnectorReader(const NamedTexts& connector, const NamedTexts& worker) {
  for (const auto& [name, value] : connector) {
    if (values_.insert_or_assign(name, value).second) names_.push_back(name);
  }
  const ConnectorReader* self = this;
  NamedTexts taken;
  for (const auto& named : worker) {
    if (CountsFromWorker(named.first, *self)) taken.push_back(named);
  }
  for (const auto& [name, value] : taken) {
    if (std::find(names_.begin(), names_.end(), name) == names_.end()) names_.push_back(name);
    values_.insert_or_assign(name, value);
  }
}

const std::string* ConnectorReader::Find(std::string_view name) const {
  const auto found = values_.find(name);
  return found == values_.end() ? nullptr : &found->second;
}

std::string ConnectorReader::TextOr(std::string_view name, std::string_view fallback) const {
  const std::string* value = Find(name);
  return value == nullptr ? std::string(fallback) : *value;
}

absl::StatusOr<bool> ConnectorReader::FlagOr(std::string_view name, bool fallback) const {
  const std::string* value = Find(name);
  if (value == nullptr) return fallback;
  const std::string word = absl::AsciiStrToLower(Trimmed(*value));
  if (word == "true" || word == "false") return word == "true";
  return PropertyError(name, ToStd(absl::StrCat(Quoted(*value), " is neither true nor false")));
}

absl::StatusOr<std::string> ConnectorReader::WordOr(
    std::string_view name, std::string_view fallback,
    const std::vector<std::string_view>& allowed) const {
  const std::string* value = Find(name);
  if (value == nullptr) return std::string(fallback);
  const std::string word = absl::AsciiStrToLower(Trimmed(*value));
  if (std::find(allowed.begin(), allowed.end(), word) != allowed.end()) return word;
  const std::vector<std::string> words(allowed.begin(), allowed.end());
  return PropertyError(name, ToStd(absl::StrCat(Quoted(*value), " is none of Debezium's values: ",
                                                absl::StrJoin(words, ", "))));
}

void ConnectorReader::Carried(std::string_view name, std::string_view option) {
  if (Find(name) != nullptr) Add(name, ImportOutcome::kCarriedOver, option);
}

void ConnectorReader::NothingToDo(std::string_view name, std::string_view why) {
  if (Find(name) != nullptr) Add(name, ImportOutcome::kNothingToDo, why);
}

void ConnectorReader::Assumed(std::string_view name, std::string_view what) {
  Add(name, ImportOutcome::kAssumed, what);
}

void ConnectorReader::Dropped(std::string_view name, std::string_view why) {
  Add(name, ImportOutcome::kDropped, why);
}

void ConnectorReader::ChangesEvents(std::string_view name, std::string_view why) {
  Add(name, ImportOutcome::kChangesEvents, why);
}

void ConnectorReader::Unknown(std::string_view name, std::string_view why) {
  Add(name, ImportOutcome::kUnknown, why);
}

void ConnectorReader::ForEachOpen(
    const std::function<void(const std::string&, const std::string&)>& callback) const {
  // The callback adds findings.
  std::vector<std::string> open;
  for (const std::string& name : names_) {
    const bool known = std::any_of(findings_.begin(), findings_.end(),
                                   [&](const ImportedProperty& one) { return one.name == name; });
    if (!known) open.push_back(name);
  }
  for (const std::string& name : open) callback(name, values_.at(name));
}

std::vector<ImportedProperty> ConnectorReader::TakeFindings() {
  std::map<std::string, std::size_t, std::less<>> places;
  for (std::size_t i = 0; i < names_.size(); ++i) places.emplace(names_[i], i);
  const auto place = [&](const ImportedProperty& one) {
    const auto found = places.find(one.name);
    return found == places.end() ? names_.size() : found->second;
  };
  std::stable_sort(
      findings_.begin(), findings_.end(),
      [&](const ImportedProperty& a, const ImportedProperty& b) { return place(a) < place(b); });
  return std::exchange(findings_, {});
}

void ConnectorReader::Add(std::string_view name, ImportOutcome outcome, std::string_view text) {
  const bool there =
      std::any_of(findings_.begin(), findings_.end(), [&](const ImportedProperty& one) {
        return one.name == name && one.outcome == outcome && one.text == text;
      });
  if (!there) findings_.push_back({std::string(name), outcome, std::string(text)});
}

bool IsFromProvider(std::string_view value) {
  const std::size_t open = value.find("${");
  if (open == std::string_view::npos) return false;
  const std::string_view rest = value.substr(open);
  const std::size_t close = rest.find('}');
  return close != std::string_view::npos && rest.substr(0, close).find(':') < close;
}

absl::Status PropertyError(std::string_view name, std::string_view what) {
  return absl::InvalidArgumentError(absl::StrCat(ToAbsl(name), ": ", ToAbsl(what)));
}

std::string Trimmed(std::string_view text) {
  return std::string(absl::StripAsciiWhitespace(ToAbsl(text)));
}

std::vector<std::string> CommaList(std::string_view text) {
  std::vector<std::string> parts;
  for (absl::string_view part : absl::StrSplit(ToAbsl(text), ',')) {
    std::string trimmed = Trimmed(ToStd(part));
    if (!trimmed.empty()) parts.push_back(std::move(trimmed));
  }
  return parts;
}

}  // namespace walpost::config
