#include "config/router_placement.h"

#include <absl/strings/ascii.h>
#include <absl/strings/str_cat.h>
#include <absl/strings/str_split.h>

#include <algorithm>
#include <vector>

#include "base/status_macros.h"
#include "base/strings.h"

namespace walpost::config {
namespace {

struct Part {
  std::string column;
  std::string where;
  std::string alias;
};

// `column:placement[:alias]`.
absl::StatusOr<Part> ParsePart(const std::string& text) {
  std::vector<std::string> words;
  for (absl::string_view word : absl::StrSplit(text, ':')) words.push_back(Trimmed(ToStd(word)));
  // As Java splits.
  while (!words.empty() && words.back().empty()) words.pop_back();
  if (words.size() < 2 || words.size() > 3 || words[0].empty()) {
    return absl::InvalidArgumentError(absl::StrCat(Quoted(text),
                                                   " is not of the form column:placement or "
                                                   "column:placement:alias"));
  }
  Part part = {words[0], absl::AsciiStrToLower(words[1]), words.back()};
  if (words.size() == 2) part.alias = part.column;
  if (part.where != "header" && part.where != "envelope" && part.where != "partition") {
    return absl::InvalidArgumentError(absl::StrCat(Quoted(text),
                                                   ": the placement is none of header, envelope, "
                                                   "partition"));
  }
  return part;
}

bool Has(const NamedTexts& texts, std::string_view name) {
  return std::any_of(texts.begin(), texts.end(),
                     [name](const auto& one) { return one.first == name; });
}

// Why it cannot be put there; empty when it can.
std::string Obstacle(const Part& part, const RouterPlacement& placement) {
  if (part.where == "header" && part.alias == "id") {
    return "every event has one header id already";
  }
  if (part.where == "header" && Has(placement.headers, part.alias)) {
    return "a header of that name is there already";
  }
  if (part.where == "envelope" &&
      (part.alias == "payload" || Has(placement.envelope, part.alias))) {
    return "a member of that name is there already";
  }
  if (part.where == "partition" && !placement.partition.empty()) {
    return "there is a column for the partition already";
  }
  return {};
}

}  // namespace

absl::StatusOr<RouterPlacement> ReadPlacement(ConnectorReader& reader, std::string_view name) {
  RouterPlacement placement;
  const std::string* value = reader.Find(name);
  if (value == nullptr) return placement;
  if (Trimmed(*value).empty()) return PropertyError(name, "is empty");
  for (const std::string& text : CommaList(*value)) {
    const absl::StatusOr<Part> part = ParsePart(text);
    if (!part.ok()) return PropertyError(name, ToStd(part.status().message()));
    const std::string obstacle = Obstacle(*part, placement);
    if (!obstacle.empty()) {
      reader.ChangesEvents(name,
                           ToStd(absl::StrCat(Quoted(text), " cannot be honoured: ", obstacle)));
    } else if (part->where == "header") {
      placement.headers.emplace_back(part->alias, part->column);
    } else if (part->where == "envelope") {
      placement.envelope.emplace_back(part->alias, part->column);
    } else {
      placement.partition = part->column;
    }
  }
  return placement;
}

}  // namespace walpost::config
