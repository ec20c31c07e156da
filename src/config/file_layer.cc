#include "config/file_layer.h"

#include <absl/status/statusor.h>
#include <absl/strings/str_cat.h>

#include <optional>
#include <string>
#include <utility>

#include "base/strings.h"
#include "config/nearest.h"
#include "config/toml_document.h"
#include "config/value_text.h"

namespace walpost::config {
namespace {

using Type = TomlNode::Type;

class FileReader {
 public:
  explicit FileReader(std::string_view name) : name_(name) {}

  FileLayer Read(const TomlNode& root) {
    for (const TomlNode& child : root.children) ReadTopLevel(child);
    return std::move(layer_);
  }

 private:
  void ReadTopLevel(const TomlNode& node) {
    const SectionDef* section = FindSection(node.key);
    if (section == nullptr) {
      UnknownTopLevel(node);
    } else if (section->repeated) {
      ReadBlocks(*section, node);
    } else if (node.type == Type::kTable) {
      for (const TomlNode& child : node.children) ReadKey(*section, child);
    } else {
      Error(node.key_position,
            absl::StrCat("'", node.key, "' is a section, not a key; hint: write [", node.key, "]"));
    }
  }

  void ReadBlocks(const SectionDef& section, const TomlNode& node) {
    std::string header = absl::StrCat("[[", ToAbsl(section.name), "]]");
    if (node.type != Type::kArray) {
      Error(node.key_position, absl::StrCat("[", ToAbsl(section.name),
                                            "] may occur several times; hint: write ", header));
      return;
    }
    for (const TomlNode& block : node.children) {
      if (block.type != Type::kTable) {
        Error(block.value_position,
              absl::StrCat("'", node.key, "' holds ", ToAbsl(TypeName(block.type)),
                           "; hint: write ", header, " and the keys below it"));
        continue;
      }
      for (const TomlNode& child : block.children) ReadKey(section, child);
      ++layer_.outbox_blocks;
    }
  }

  void ReadKey(const SectionDef& section, const TomlNode& node) {
    const OptionDef* option = FindOption(section.name, node.key);
    if (option == nullptr) {
      Error(node.key_position, absl::StrCat("unknown key '", ToAbsl(section.name), ".", node.key,
                                            "'", HintForKey(section, node.key)));
      return;
    }
    std::optional<OptionValue> value = ReadValue(*option, node);
    if (!value.has_value()) return;
    layer_.assignments.push_back({.option = option,
                                  .block = section.repeated ? layer_.outbox_blocks : 0,
                                  .value = *std::move(value),
                                  .position = node.value_position,
                                  .place = Place(node.value_position),
                                  .origin = absl::StrCat(name_, ":", node.key_position.line)});
  }

  // Nothing when the type is wrong, which is reported.
  std::optional<OptionValue> ReadValue(const OptionDef& option, const TomlNode& node) {
    OptionValue value;
    bool number = option.kind == OptionKind::kSize || option.kind == OptionKind::kCount;
    std::string_view wanted = "text";
    if (number) wanted = "text or an integer";
    if (option.kind == OptionKind::kDuration) wanted = "text with a unit";
    if (option.kind == OptionKind::kMap) {
      wanted = "a table";
      if (node.type == Type::kTable) return ReadMap(option, node, "");
    } else if (node.type == Type::kText || (node.type == Type::kInteger && number)) {
      value.text = node.text;
      return value;
    }
    Error(node.value_position, absl::StrCat(OptionName(option), ": expected ", ToAbsl(wanted),
                                            ", got ", ToAbsl(TypeName(node.type)), "; hint: write ",
                                            ToAbsl(option.key), " = ", ToAbsl(option.example)));
    return std::nullopt;
  }

  // Names with dots that were not quoted are nested tables to TOML; they mean the same.
  OptionValue ReadMap(const OptionDef& option, const TomlNode& table, std::string_view prefix) {
    OptionValue value;
    for (const TomlNode& child : table.children) {
      std::string name = absl::StrCat(ToAbsl(prefix), child.key);
      if (child.type == Type::kTable) {
        OptionValue inner = ReadMap(option, child, name + ".");
        value.map.insert(value.map.end(), inner.map.begin(), inner.map.end());
      } else if (child.type == Type::kText || child.type == Type::kInteger ||
                 child.type == Type::kBoolean) {
        value.map.emplace_back(name, child.text);
      } else {
        Error(child.value_position,
              absl::StrCat(OptionName(option), ": ", Quoted(name), " is ",
                           ToAbsl(TypeName(child.type)), "; hint: write text in double quotes"));
      }
    }
    return value;
  }

  void UnknownTopLevel(const TomlNode& node) {
    std::vector<std::string_view> names;
    for (const SectionDef& section : Sections()) names.push_back(section.name);
    bool section_like = node.type == Type::kTable || node.type == Type::kArray;
    std::string hint = section_like ? HintFor(node.key, names, "the sections are") : "";
    if (!section_like) {
      std::string owner = OwnerOf(node.key);
      hint = owner.empty() ? HintFor(node.key, names, "every key is in a section; these are")
                           : absl::StrCat("; hint: write it below ", owner);
    }
    Error(node.key_position,
          absl::StrCat("unknown ", section_like ? "section" : "key", " '", node.key, "'", hint));
  }

  static std::string HintForKey(const SectionDef& section, std::string_view key) {
    std::vector<std::string_view> keys = KeysOf(section.name);
    std::string owner = OwnerOf(key);
    if (!owner.empty()) {
      return absl::StrCat("; hint: '", ToAbsl(key), "' belongs to ", owner);
    }
    return HintFor(key, keys, absl::StrCat(Header(section), " takes"));
  }

  static std::string Header(const SectionDef& section) {
    std::string_view name = section.name;
    return section.repeated ? absl::StrCat("[[", ToAbsl(name), "]]")
                            : absl::StrCat("[", ToAbsl(name), "]");
  }

  // The section that has exactly this key; empty when none has.
  static std::string OwnerOf(std::string_view key) {
    for (const SectionDef& section : Sections()) {
      if (FindOption(section.name, key) != nullptr) return Header(section);
    }
    return "";
  }

  std::string Place(SourcePosition at) const {
    return absl::StrCat(name_, ":", at.line, ":", at.column);
  }

  void Error(SourcePosition at, std::string_view message) {
    layer_.errors.push_back({at, absl::StrCat(Place(at), ": ", ToAbsl(message))});
  }

  const std::string name_;
  FileLayer layer_;
};

}  // namespace

FileLayer ReadFileLayer(std::string_view text, std::string_view name) {
  absl::StatusOr<TomlNode> root = ParseToml(text, name);
  if (!root.ok()) {
    FileLayer layer;
    layer.errors.push_back({{}, std::string(ToStd(root.status().message()))});
    return layer;
  }
  return FileReader(name).Read(*root);
}

}  // namespace walpost::config
