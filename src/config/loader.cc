#include "config/loader.h"

#include <absl/status/status.h>
#include <absl/strings/str_cat.h>
#include <absl/strings/str_join.h>

#include <algorithm>
#include <map>
#include <utility>

#include "base/strings.h"
#include "config/assignment.h"
#include "config/file_layer.h"
#include "config/file_text.h"
#include "config/secret_mask.h"
#include "core/outbox_presets.h"
#include "core/qualified_name.h"
#include "core/topic_name.h"

namespace walpost::config {
namespace {

constexpr std::string_view kFileSuffix = "_file";

// What one property of Kafka was set to, and by whom.
struct Property {
  std::string text;  // the value, or the path of the file that holds it
  bool is_path = false;
  const Assignment* by = nullptr;
};

class Loader {
 public:
  explicit Loader(const LoadRequest& request)
      : request_(request), properties_option_(FindOption("kafka", "properties")) {}

  absl::StatusOr<LoadedConfig> Load() {
    ReadFile();
    ReadEnvironment();
    ReadFlags();
    loaded_.settings.outboxes.resize(std::max<std::size_t>(blocks_, 1));
    ApplyAll();
    ApplyProperties();
    FillTables();
    CheckTables();
    CheckOutboxes();
    CheckDelays();
    CheckDeadLetters();
    CheckKafka();
    if (!errors_.empty()) return Failure();
    ShowAll();
    return std::move(loaded_);
  }

 private:
  void ReadFile() {
    if (request_.file.empty()) return;
    absl::StatusOr<std::string> text = ReadFileText(request_.file);
    if (!text.ok()) {
      Error({}, absl::StrCat(request_.file, ": cannot be read: ", text.status().message(),
                             "; hint: check --config or WALPOST_CONFIG"));
      return;
    }
    FileLayer layer = ReadFileLayer(*text, request_.file);
    assignments_ = std::move(layer.assignments);
    errors_ = std::move(layer.errors);
    blocks_ = layer.outbox_blocks;
  }

  void ReadEnvironment() {
    if (!request_.environment) return;
    for (const OptionDef& option : Options()) {
      std::string name = EnvironmentName(option);
      std::optional<std::string> text = request_.environment(name);
      if (!text.has_value()) continue;
      Assignment assignment = {
          .option = &option, .place = name, .origin = absl::StrCat("env ", name)};
      if (option.kind != OptionKind::kMap) {
        assignment.value.text = *std::move(text);
      } else if (absl::StatusOr<NamedTexts> map = ParseNamedTexts(*text); map.ok()) {
        assignment.value.map = *std::move(map);
      } else {
        ValueError(assignment, map.status());
        continue;
      }
      assignments_.push_back(std::move(assignment));
    }
  }

  void ReadFlags() {
    for (const FlagValue& given : request_.flags) {
      std::string flag(given.flag.empty() ? given.option->flag : given.flag);
      Assignment assignment = {
          .option = given.option, .place = flag, .origin = absl::StrCat("flag ", flag)};
      if (given.option->section == "outbox" && blocks_ > 1) {
        Error(kBehindTheFile, absl::StrCat(flag, ": the file has ", blocks_,
                                           " [[outbox]] blocks, and a flag cannot say which; hint: "
                                           "set ",
                                           ToAbsl(given.option->key), " in the file"));
        continue;
      }
      if (given.option->kind != OptionKind::kMap) {
        assignment.value.text = given.text;
        assignments_.push_back(std::move(assignment));
      } else if (auto pair = ParseNamedText(given.text); pair.ok()) {
        MapOfFlag(std::move(assignment)).push_back(*std::move(pair));
      } else {
        ValueError(assignment, pair.status());
      }
    }
  }

  // A repeated flag adds to what it has begun.
  NamedTexts& MapOfFlag(Assignment assignment) {
    bool begun = !assignments_.empty() && assignments_.back().option == assignment.option &&
                 assignments_.back().place == assignment.place;
    if (!begun) assignments_.push_back(std::move(assignment));
    return assignments_.back().value.map;
  }

  void ApplyAll() {
    for (const Assignment& assignment : assignments_) {
      if (assignment.option == properties_option_) AddProperties(assignment);
      OptionTarget target{loaded_.settings, loaded_.settings.outboxes[assignment.block]};
      absl::Status applied = assignment.option->apply(assignment.value, target);
      if (!applied.ok()) ValueError(assignment, applied);
      winners_[{assignment.option, assignment.block}] = &assignment;
    }
  }

  void AddProperties(const Assignment& assignment) {
    for (const auto& [name, text] : assignment.value.map) {
      bool is_path = name.size() > kFileSuffix.size() && name.ends_with(kFileSuffix);
      std::string base = is_path ? name.substr(0, name.size() - kFileSuffix.size()) : name;
      auto before = properties_.find(base);
      if (before != properties_.end() && before->second.by == &assignment &&
          before->second.is_path != is_path) {
        ValueError(assignment, absl::InvalidArgumentError(absl::StrCat(
                                   "both ", Quoted(base), " and ", Quoted(base + "_file"),
                                   " are set; hint: keep one of them")));
      }
      properties_[base] = {text, is_path, &assignment};
    }
  }

  void ApplyProperties() {
    NamedTexts merged;
    for (const auto& [name, property] : properties_) {
      std::string text = property.text;
      if (property.is_path) {
        absl::StatusOr<std::string> content = ReadFileText(property.text);
        if (!content.ok()) {
          ValueError(*property.by, absl::InvalidArgumentError(
                                       absl::StrCat("cannot read ", Quoted(property.text), " for ",
                                                    Quoted(name), ": ", content.status().message(),
                                                    "; hint: check the path and its permissions")));
          continue;
        }
        text = *std::move(content);
        if (text.ends_with('\n')) text.pop_back();
        if (text.ends_with('\r')) text.pop_back();
      }
      merged.emplace_back(name, std::move(text));
    }
    std::map<std::string, std::string>& properties = loaded_.settings.kafka.properties;
    properties = {merged.begin(), merged.end()};
  }

  // Each preset knows its table.
  void FillTables() {
    const OptionDef* option = FindOption("outbox", "table");
    for (std::size_t block = 0; block < loaded_.settings.outboxes.size(); ++block) {
      OutboxSettings& outbox = loaded_.settings.outboxes[block];
      const OutboxPreset* preset = FindOutboxPreset(outbox.preset);
      if (preset == nullptr || winners_.contains({option, block})) continue;
      outbox.table = std::string(preset->table);
    }
  }

  // What only the mapping itself can say of a block. Its errors begin with the option.
  void CheckOutboxes() {
    if (!request_.check_outbox || !errors_.empty()) return;
    for (std::size_t block = 0; block < loaded_.settings.outboxes.size(); ++block) {
      const absl::Status checked = request_.check_outbox(loaded_.settings.outboxes[block]);
      if (checked.ok()) continue;
      std::string_view key = ToStd(checked.message());
      key.remove_prefix(std::min(key.find('.') + 1, key.size()));
      ErrorAt("outbox", key.substr(0, key.find_first_of(".: ")), block, ToStd(checked.message()));
    }
  }

  // What only the producer can say of its properties.
  void CheckKafka() {
    if (!request_.check_kafka || !errors_.empty()) return;
    const absl::Status checked = request_.check_kafka(loaded_.settings.kafka);
    if (!checked.ok()) ErrorAt("kafka", "properties", 0, ToStd(checked.message()));
  }

  void CheckDeadLetters() {
    const RelayOptions& relay = loaded_.settings.relay;
    if (!relay.dead_letter_topic.empty()) {
      const std::string_view fault = TopicNameFault(relay.dead_letter_topic);
      if (fault.empty()) return;
      ErrorAt("relay", "dead_letter_topic", 0,
              ToStd(absl::StrCat("relay.dead_letter_topic: ", ToAbsl(fault),
                                 "; hint: name the topic as Kafka does")));
      return;
    }
    if (relay.on_poison != PoisonAction::kDeadLetter) return;
    ErrorAt("relay", "on_poison", 0,
            "relay.on_poison: 'dead-letter' needs a topic; hint: set relay.dead_letter_topic "
            "(--dead-letter-topic)");
  }

  // An event of a table with two blocks would be published twice, or by a rule left to chance.
  void CheckTables() {
    std::map<QualifiedName, std::size_t> seen;
    bool has_messages = false;
    for (std::size_t block = 0; block < loaded_.settings.outboxes.size(); ++block) {
      if (loaded_.settings.outboxes[block].preset == kMessagePreset) {
        CheckMessages(block, std::exchange(has_messages, true));
        continue;
      }
      absl::StatusOr<QualifiedName> name =
          QualifiedName::Parse(loaded_.settings.outboxes[block].table);
      if (!name.ok()) continue;
      CheckNotIgnored(*name);
      if (seen.emplace(*name, block).second) continue;
      ErrorAt("outbox", "table", block,
              absl::StrCat(name->ToString(),
                           " has two [[outbox]] blocks; hint: keep one block for each table"));
    }
  }

  void CheckNotIgnored(const QualifiedName& outbox) {
    const std::vector<QualifiedName>& ignored = loaded_.settings.ignored_tables;
    if (std::find(ignored.begin(), ignored.end(), outbox) == ignored.end()) return;
    ErrorAt("relay", "ignored_tables", 0,
            absl::StrCat("relay.ignored_tables: ", outbox.ToString(),
                         " has an [[outbox]] block; hint: remove one of the two"));
  }

  void CheckMessages(std::size_t block, bool is_second) {
    if (is_second) {
      ErrorAt("outbox", "preset", block,
              "outbox.preset: there are two [[outbox]] blocks with the preset 'message'; hint: "
              "keep one");
    }
    if (!winners_.contains({FindOption("outbox", "table"), block})) return;
    ErrorAt("outbox", "table", block,
            "outbox.table: the preset 'message' reads no table; hint: remove it, or choose the "
            "preset of the table");
  }

  void CheckDelays() {
    const RelayOptions& relay = loaded_.settings.relay;
    if (relay.reconnect_max_delay >= relay.reconnect_min_delay) return;
    ErrorAt(
        "relay", "reconnect_max_delay", 0,
        absl::StrCat("relay.reconnect_max_delay (", absl::FormatDuration(relay.reconnect_max_delay),
                     ") is less than relay.reconnect_min_delay (",
                     absl::FormatDuration(relay.reconnect_min_delay), "); hint: raise it"));
  }

  // An error about an option that fits badly with another. One that is not set stands where its
  // [[outbox]] block begins, for there may be several.
  void ErrorAt(std::string_view section, std::string_view key, std::size_t block,
               std::string_view message) {
    const auto winner = winners_.find({FindOption(section, key), block});
    const Assignment* by = winner != winners_.end() ? winner->second : nullptr;
    for (const Assignment& other : assignments_) {
      if (by != nullptr || section != "outbox") break;
      if (other.option->section == section && other.block == block) by = &other;
    }
    Error(by != nullptr ? by->position : kBehindTheFile,
          by != nullptr ? absl::StrCat(by->place, ": ", ToAbsl(message)) : std::string(message));
  }

  void ShowAll() {
    for (const OptionDef& option : Options()) {
      if (&option == properties_option_) {
        ShowProperties();
        continue;
      }
      bool repeated = FindSection(option.section)->repeated;
      std::size_t count = repeated ? loaded_.settings.outboxes.size() : 1;
      for (std::size_t block = 0; block < count; ++block) ShowOption(option, block, repeated);
    }
  }

  void ShowOption(const OptionDef& option, std::size_t block, bool repeated) {
    ShownValue shown = {.option = &option,
                        .block = repeated ? block + 1 : 0,
                        .name = OptionName(option),
                        .text = std::string(option.default_text),
                        .origin = "default"};
    if (repeated && loaded_.settings.outboxes.size() > 1) {
      shown.name = absl::StrCat(ToAbsl(option.section), "[", block + 1, "].", ToAbsl(option.key));
    }
    OptionValue value;
    auto winner = winners_.find({&option, block});
    if (winner != winners_.end()) {
      value = winner->second->value;
      shown.text = value.text;
      shown.origin = winner->second->origin;
      if (option.kind == OptionKind::kMap) shown.text = TomlTable(value.map);
    } else if (repeated) {
      ShowPreset(option, loaded_.settings.outboxes[block], shown);
    }
    if (option.key == "conninfo" && !shown.text.empty()) shown.text = MaskConninfo(shown.text);
    bool bare = option.kind == OptionKind::kMap || option.kind == OptionKind::kCount;
    shown.toml = bare ? shown.text : TomlString(shown.text);
    loaded_.values.push_back(std::move(shown));
  }

  // What nobody has set comes from the preset, as far as it has a word on it.
  static void ShowPreset(const OptionDef& option, const OutboxSettings& block, ShownValue& shown) {
    const OutboxPreset& preset = *FindOutboxPreset(block.preset);
    if (option.kind == OptionKind::kMap) shown.text = "{}";
    if (option.default_note != kFromPreset && option.key != "table") return;
    shown.text = PresetText(preset, option.key);
    if (shown.text == option.default_text) return;
    shown.origin = absl::StrCat("preset ", ToAbsl(preset.name));
  }

  static std::string PresetText(const OutboxPreset& preset, std::string_view key) {
    if (key == "table") return std::string(preset.table);
    if (key == "id") return std::string(preset.id);
    if (key == "payload") return std::string(preset.payload);
    if (key == "topic") return std::string(preset.topic);
    if (key == "key") return std::string(preset.key);
    if (key == "headers") return PresetHeaders(preset);
    if (key == "headers_from") return std::string(preset.headers_from);
    return std::string(preset.value);
  }

  void ShowProperties() {
    if (properties_.empty()) {
      loaded_.values.push_back({.option = properties_option_,
                                .name = OptionName(*properties_option_),
                                .text = "{}",
                                .toml = "{}",
                                .origin = "default"});
    }
    for (const auto& [name, property] : properties_) {
      // The path is no secret; what the file holds is taken for one, whatever its name.
      std::string key = property.is_path ? absl::StrCat(name, ToAbsl(kFileSuffix)) : name;
      bool secret = !property.is_path && IsSecretProperty(name);
      std::string text = secret ? std::string(kMasked) : property.text;
      loaded_.values.push_back(
          {.option = properties_option_,
           .name = absl::StrCat(OptionName(*properties_option_), ".", TomlString(key)),
           .text = text,
           .toml = TomlString(text),
           .origin = property.by->origin});
    }
  }

  void ValueError(const Assignment& assignment, const absl::Status& status) {
    Error(assignment.position, absl::StrCat(assignment.place, ": ", OptionName(*assignment.option),
                                            ": ", status.message()));
  }

  void Error(SourcePosition position, std::string text) {
    errors_.push_back({position, std::move(text)});
  }

  absl::Status Failure() {
    std::stable_sort(errors_.begin(), errors_.end(), [](const LoadError& a, const LoadError& b) {
      return a.position < b.position;
    });
    return absl::InvalidArgumentError(absl::StrJoin(
        errors_, "\n", [](std::string* out, const LoadError& error) { out->append(error.text); }));
  }

  const LoadRequest& request_;
  const OptionDef* const properties_option_;
  std::vector<Assignment> assignments_;  // from the least to the most binding
  std::vector<LoadError> errors_;
  std::size_t blocks_ = 0;
  std::map<std::pair<const OptionDef*, std::size_t>, const Assignment*> winners_;
  std::map<std::string, Property> properties_;
  LoadedConfig loaded_;
};

}  // namespace

absl::StatusOr<LoadedConfig> Load(const LoadRequest& request) { return Loader(request).Load(); }

}  // namespace walpost::config
