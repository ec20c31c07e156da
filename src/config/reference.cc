#include "config/reference.h"

#include <absl/strings/str_cat.h>
#include <absl/strings/str_join.h>
#include <absl/strings/str_split.h>

#include <cstddef>
#include <string_view>
#include <utility>
#include <vector>

#include "base/strings.h"
#include "config/option_table.h"

namespace walpost::config {
namespace {

constexpr std::size_t kColumns = 96;

constexpr std::string_view kPrecedence =
    "A value comes from the first of these that has one: a flag, the environment, the file, the "
    "default. The file is TOML and is named by --config FILE or WALPOST_CONFIG.";
constexpr std::string_view kUnits =
    "A size is a whole number of bytes with B, KB, MB, GB (thousands) or KiB, MiB, GiB. A duration "
    "is a number with ms, s, m or h, as 100ms or 1m30s.";

// Breaks `text` at spaces; each line begins with `prefix`.
std::string Wrapped(std::string_view text, std::string_view prefix) {
  std::string out;
  std::string line;
  auto finish = [&] {
    if (!line.empty()) absl::StrAppend(&out, ToAbsl(prefix), line, "\n");
    line.clear();
  };
  for (absl::string_view word : absl::StrSplit(ToAbsl(text), ' ')) {
    if (prefix.size() + line.size() + 1 + word.size() > kColumns) finish();
    absl::StrAppend(&line, line.empty() ? "" : " ", word);
  }
  finish();
  return out;
}

std::string Sentence(std::string_view summary) {
  std::string out(summary);
  // A summary is written to stand in a table.
  if (out[0] >= 'a' && out[0] <= 'z') out[0] = static_cast<char>(out[0] - 'a' + 'A');
  return out + ".";
}

std::string Header(const SectionDef& section) {
  return section.repeated ? absl::StrCat("[[", ToAbsl(section.name), "]]")
                          : absl::StrCat("[", ToAbsl(section.name), "]");
}

std::string DefaultLine(const OptionDef& option) {
  return std::string(option.default_text.empty() ? option.default_note : option.default_text);
}

std::string List(std::span<const std::string_view> words) {
  return absl::StrJoin(words, ", ",
                       [](std::string* out, std::string_view word) { out->append(word); });
}

std::string VerbList(VerbMask verbs) {
  constexpr std::pair<VerbMask, std::string_view> kVerbs[] = {
      {kRun, "run"}, {kSetup, "setup"}, {kDemo, "demo"}, {kShow, "config"}};
  std::vector<std::string_view> names;
  for (const auto& [bit, name] : kVerbs) {
    if ((verbs & bit) != 0) names.push_back(name);
  }
  return List(names);
}

std::string PresetHeaderList(const OutboxPreset& preset) {
  std::string out = "id";
  if (!preset.event_type.empty()) absl::StrAppend(&out, ", and ", PresetHeaders(preset));
  if (!preset.headers_from.empty()) {
    absl::StrAppend(&out, ", and those of ", ToAbsl(preset.headers_from));
  }
  return out;
}

std::string PresetText(std::string_view prefix) {
  std::string out;
  for (const OutboxPreset& preset : OutboxPresets()) {
    auto line = [&](std::string_view name, std::string_view text) {
      absl::StrAppend(&out, ToAbsl(prefix), "    ", ToAbsl(name),
                      std::string(10 - name.size(), ' '), ToAbsl(text), "\n");
    };
    absl::StrAppend(&out, Wrapped(absl::StrCat("Preset ", ToAbsl(preset.name), ": ",
                                               ToAbsl(preset.purpose), "."),
                                  prefix));
    line("columns", preset.columns);
    if (!preset.table.empty()) line("table", preset.table);
    line("topic", preset.topic);
    line("key", preset.key.empty() ? "none" : preset.key);
    line("headers", PresetHeaderList(preset));
    line("value", preset.value);
  }
  return out;
}

void RenderOption(const OptionDef& option, std::string& out) {
  auto line = [&](std::string_view name, std::string_view text) {
    absl::StrAppend(&out, "    ", ToAbsl(name), std::string(10 - name.size(), ' '), ToAbsl(text),
                    "\n");
  };
  absl::StrAppend(&out, "### ", ToAbsl(option.key), "\n\n");
  absl::StrAppend(
      &out, Wrapped(absl::StrCat(Sentence(option.summary), " ", ToAbsl(option.doc)), ""), "\n");
  line("flag", absl::StrCat(ToAbsl(option.flag), " ", ToAbsl(option.placeholder), " (",
                            VerbList(option.verbs), ")"));
  line("env", EnvironmentName(option));
  if (!option.allowed.empty()) line("one of", List(option.allowed));
  line("default", DefaultLine(option));
  line("example", absl::StrCat(ToAbsl(option.key), " = ", ToAbsl(option.example)));
  absl::StrAppend(&out, "\n");
}

void SampleOption(const OptionDef& option, std::string& out) {
  absl::StrAppend(&out, "\n",
                  Wrapped(absl::StrCat(Sentence(option.summary), " ", ToAbsl(option.doc)), "# "));
  if (!option.allowed.empty()) absl::StrAppend(&out, "# One of: ", List(option.allowed), "\n");
  absl::StrAppend(&out, "# Default: ", DefaultLine(option), "\n");
  if (option.default_text.empty()) {
    absl::StrAppend(&out, "#", ToAbsl(option.key), " = ", ToAbsl(option.example), "\n");
  } else if (option.kind == OptionKind::kCount) {
    absl::StrAppend(&out, ToAbsl(option.key), " = ", ToAbsl(option.default_text), "\n");
  } else {
    absl::StrAppend(&out, ToAbsl(option.key), " = ", TomlString(option.default_text), "\n");
  }
}

}  // namespace

std::string RenderReference() {
  std::string out = "# walpost: every option\n\n";
  absl::StrAppend(&out, Wrapped(kPrecedence, ""), "\n", Wrapped(kUnits, ""), "\n");
  for (const SectionDef& section : Sections()) {
    absl::StrAppend(&out, "## ", Header(section), "\n\n", Wrapped(section.doc, ""), "\n");
    if (section.repeated) absl::StrAppend(&out, PresetText(""), "\n");
    for (const OptionDef& option : Options()) {
      if (option.section == section.name) RenderOption(option, out);
    }
  }
  out.pop_back();  // the empty line behind the last option
  return out;
}

std::string RenderSample() {
  std::string out = Wrapped(
      "walpost: every option. What has a default is set to it here; the rest is commented out and "
      "shows an example.",
      "# ");
  absl::StrAppend(&out, "#\n", Wrapped(kPrecedence, "# "), "#\n", Wrapped(kUnits, "# "));
  for (const SectionDef& section : Sections()) {
    absl::StrAppend(&out, "\n", Wrapped(section.doc, "# "));
    if (section.repeated) absl::StrAppend(&out, "#\n", PresetText("# "));
    absl::StrAppend(&out, Header(section), "\n");
    for (const OptionDef& option : Options()) {
      if (option.section == section.name) SampleOption(option, out);
    }
  }
  return out;
}

}  // namespace walpost::config
