// The configuration knows the presets by name and text, the mapper by what they do; the two must
// agree.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "config/option_table.h"
#include "outbox/outbox_rule.h"

namespace walpost {
namespace {

TEST(Presets, EachThatTheConfigurationOffersCanBeMapped) {
  ASSERT_FALSE(config::Presets().empty());
  for (const auto& preset : config::Presets()) {
    OutboxSettings settings;
    settings.preset = std::string(preset.name);
    EXPECT_TRUE(outbox::OutboxRule::Compile(settings).ok()) << preset.name;
  }
}

}  // namespace
}  // namespace walpost
