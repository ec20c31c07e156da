#include "config/option_table.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "unit/config/settings_text.h"

namespace walpost::config {
namespace {

TEST(OptionTable, DescribesEveryOptionWhole) {
  for (const OptionDef& option : Options()) {
    SCOPED_TRACE(OptionName(option));
    EXPECT_NE(FindSection(option.section), nullptr);
    EXPECT_TRUE(option.flag.starts_with("--"));
    EXPECT_FALSE(option.placeholder.empty());
    EXPECT_FALSE(option.summary.empty());
    EXPECT_FALSE(option.summary.ends_with('.'));
    EXPECT_TRUE(option.doc.ends_with('.') || option.doc.ends_with(')')) << option.doc;
    EXPECT_FALSE(option.example.empty());
    EXPECT_TRUE(option.default_text.empty() != option.default_note.empty());
    EXPECT_EQ(option.kind == OptionKind::kEnum, !option.allowed.empty());
    EXPECT_EQ(option.listed & ~option.verbs, 0u) << "help shows a flag that is not taken";
    ASSERT_NE(option.apply, nullptr);
  }
}

TEST(OptionTable, HasEachFlagAndEachVariableOnce) {
  std::set<std::string> names;
  for (const OptionDef& option : Options()) {
    EXPECT_TRUE(names.insert(std::string(option.flag)).second) << option.flag;
    EXPECT_TRUE(names.insert(EnvironmentName(option)).second) << EnvironmentName(option);
  }
}

TEST(OptionTable, StatesTheDefaultsOfTheSettings) {
  for (const OptionDef& option : Options()) {
    if (option.default_text.empty()) continue;
    Settings settings;
    OptionValue value = {.text = std::string(option.default_text), .map = {}};
    absl::Status applied = option.apply(value, {settings, settings.outboxes[0]});
    EXPECT_TRUE(applied.ok()) << OptionName(option) << ": " << applied;
    EXPECT_EQ(SettingsText(settings), SettingsText(Settings{})) << OptionName(option);
  }
}

TEST(OptionTable, TakesEveryAllowedValueAndNoOther) {
  for (const OptionDef& option : Options()) {
    if (option.kind != OptionKind::kEnum) continue;
    Settings settings;
    for (std::string_view allowed : option.allowed) {
      OptionValue value = {.text = std::string(allowed), .map = {}};
      EXPECT_TRUE(option.apply(value, {settings, settings.outboxes[0]}).ok()) << allowed;
    }
    absl::Status refused =
        option.apply({.text = "nonsense", .map = {}}, {settings, settings.outboxes[0]});
    for (std::string_view allowed : option.allowed) {
      EXPECT_NE(refused.message().find(std::string(allowed)), std::string::npos) << refused;
    }
  }
}

TEST(OptionTable, NamesOnlyPresetsThatAreDescribed) {
  for (std::string_view name : FindOption("outbox", "preset")->allowed) {
    EXPECT_NE(FindOutboxPreset(name), nullptr) << name;
  }
}

}  // namespace
}  // namespace walpost::config
