#ifndef WALPOST_CONFIG_OPTION_TABLE_H_
#define WALPOST_CONFIG_OPTION_TABLE_H_

#include <absl/status/status.h>

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "config/settings.h"
#include "config/value_text.h"
#include "core/outbox_presets.h"

namespace walpost::config {

enum class OptionKind {
  kText,
  kSize,      // bytes, with a unit
  kCount,     // a whole number
  kDuration,  // with a unit
  kEnum,      // one of `allowed`
  kMap,       // names with texts
};

// The verbs that take options, as bits.
using VerbMask = unsigned;
inline constexpr VerbMask kRun = 1;
inline constexpr VerbMask kSetup = 2;
inline constexpr VerbMask kDemo = 4;
inline constexpr VerbMask kShow = 8;  // config show and config check

// A value as it was written: a map for options of that kind, text for all others.
struct OptionValue {
  std::string text;
  NamedTexts map;
};

// Where a value goes. `outbox` is the block that an option of [[outbox]] belongs to.
struct OptionTarget {
  Settings& settings;
  OutboxSettings& outbox;
};

// Checks a value and stores it. Error: kInvalidArgument, and what is wrong with the value, without
// the option's name.
using OptionApply = absl::Status (*)(const OptionValue& value, const OptionTarget& target);

// The one definition of an option. The parser of files, environment and flags, `--help`, the
// reference and deploy/walpost.toml are all made from it. The texts are static.
struct OptionDef {
  std::string_view section;
  std::string_view key;
  std::string_view flag;         // with its dashes
  std::string_view placeholder;  // for the flag's value in --help
  OptionKind kind = OptionKind::kText;
  std::span<const std::string_view> allowed = {};
  // As it would be written; applied to Settings{} it changes nothing. Empty where there is no one
  // text to write, and then `default_note` says what applies.
  std::string_view default_text = {};
  std::string_view default_note = {};
  std::string_view summary;  // one line, no full stop
  std::string_view doc;      // sentences: the unit, and what more or less of it does
  std::string_view example;  // a TOML value
  VerbMask verbs = 0;        // that take the flag
  VerbMask listed = 0;       // that show it in --help; the others keep it for the reference
  OptionApply apply = nullptr;
};

struct SectionDef {
  std::string_view name;
  bool repeated;  // written as [[name]]
  std::string_view doc;
};

// default_note of the options of [[outbox]] that a preset answers for.
inline constexpr std::string_view kFromPreset = "the preset's";

// The headers of a preset, as the option `headers`.
std::string PresetHeaders(const OutboxPreset& preset);

// In the order in which they are shown.
std::span<const OptionDef> Options();
std::span<const SectionDef> Sections();

// Null when there is none.
const OptionDef* FindOption(std::string_view section, std::string_view key);
const SectionDef* FindSection(std::string_view name);

std::vector<std::string_view> KeysOf(std::string_view section);

// `postgres.slot`
std::string OptionName(const OptionDef& option);
// `WALPOST_POSTGRES_SLOT`
std::string EnvironmentName(const OptionDef& option);

}  // namespace walpost::config

#endif  // WALPOST_CONFIG_OPTION_TABLE_H_
