// The configuration knows the options of [[outbox]] by name and text, the mapper by what they do;
// the two must agree.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/app.h"
#include "config/option_table.h"
#include "core/outbox_presets.h"

namespace walpost {
namespace {

// A block for which each value of each option makes sense.
OutboxSettings Block(std::string_view preset) {
  OutboxSettings settings;
  settings.preset = std::string(preset);
  settings.key = "key";
  return settings;
}

TEST(OutboxOptions, EachValueThatTheConfigurationTakesIsKnownToTheMapper) {
  for (const config::OptionDef& option : config::Options()) {
    if (option.section != "outbox") continue;
    for (std::string_view value : option.allowed) {
      config::Settings settings;
      settings.outboxes[0] = Block("debezium");
      ASSERT_TRUE(
          option.apply({.text = std::string(value), .map = {}}, {settings, settings.outboxes[0]})
              .ok());
      OutboxSettings& block = settings.outboxes[0];
      // What goes with another option alone.
      if (option.key == "message_scope") block.preset = "message";
      if (option.key == "cloudevents_mode") block.value = "cloudevents";
      if (option.key.starts_with("json_")) {
        block.value = "json";
        block.json_style = "debezium";
      }
      if (block.value == "cloudevents") {
        block.cloudevents = {{"source", "'/shop'"}, {"type", "type"}};
      }
      const absl::Status checked = app::CheckOutbox(settings.outboxes[0]);
      EXPECT_TRUE(checked.ok()) << config::OptionName(option) << " = " << value << ": " << checked;
    }
  }
}

TEST(OutboxOptions, TheExampleOfEachIsRight) {
  for (const config::OptionDef& option : config::Options()) {
    if (option.section != "outbox" || option.kind != config::OptionKind::kText) continue;
    config::Settings settings;
    std::string text(option.example.substr(1, option.example.size() - 2));
    if (option.key == "topic_replacement") settings.outboxes[0].topic_regex = "(a)(b)";
    if (option.key == "topic_regex") settings.outboxes[0].topic_replacement = "$1";
    ASSERT_TRUE(option.apply({.text = text, .map = {}}, {settings, settings.outboxes[0]}).ok());
    const absl::Status checked = app::CheckOutbox(settings.outboxes[0]);
    EXPECT_TRUE(checked.ok()) << config::OptionName(option) << ": " << checked;
  }
}

}  // namespace
}  // namespace walpost
