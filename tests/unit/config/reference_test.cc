#include "config/reference.h"

#include <absl/strings/str_cat.h>
#include <absl/strings/str_replace.h>
#include <absl/strings/str_split.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>

#include "base/strings.h"
#include "config/loader.h"
#include "unit/config/settings_text.h"
#include "unit/config/temporary_file.h"

namespace walpost::config {
namespace {

TEST(Sample, IsTheFileThatIsShipped) {
  std::ifstream file(std::string(WALPOST_SOURCE_DIR) + "/deploy/walpost.toml");
  std::stringstream shipped;
  shipped << file.rdbuf();
  EXPECT_EQ(shipped.str(), RenderSample())
      << "write it with: walpost config reference --toml > deploy/walpost.toml";
}

TEST(Sample, ConfiguresWhatNoFileConfigures) {
  TemporaryFile file(RenderSample());
  absl::StatusOr<LoadedConfig> loaded = Load({.file = file.path(), .flags = {}, .environment = {}});
  ASSERT_TRUE(loaded.ok()) << loaded.status();
  EXPECT_EQ(SettingsText(loaded->settings), SettingsText(Settings{}));
}

TEST(Sample, ShowsEveryOption) {
  std::string sample = RenderSample();
  for (const OptionDef& option : Options()) {
    std::string line = absl::StrCat(ToAbsl(option.key), " = ");
    bool shown = sample.find("\n" + line) != std::string::npos ||
                 sample.find("\n#" + line) != std::string::npos;
    EXPECT_TRUE(shown) << OptionName(option);
  }
}

TEST(Sample, StillParsesWithEveryExampleTurnedOn) {
  TemporaryFile secret("hunter2\n");
  std::string sample = RenderSample();
  for (const OptionDef& option : Options()) {
    std::string line = absl::StrCat(ToAbsl(option.key), " = ");
    absl::StrReplaceAll({{absl::StrCat("\n#", line), absl::StrCat("\n", line)}}, &sample);
  }
  absl::StrReplaceAll({{"/run/secrets/kafka", secret.path()}}, &sample);
  TemporaryFile file(sample);
  absl::StatusOr<LoadedConfig> loaded = Load({.file = file.path(), .flags = {}, .environment = {}});
  ASSERT_TRUE(loaded.ok()) << loaded.status();
  for (const ShownValue& value : loaded->values) {
    EXPECT_TRUE(value.origin.starts_with(file.path())) << value.name << " from " << value.origin;
  }
}

TEST(Reference, SaysOfEveryOptionItsFlagVariableAndDefault) {
  std::string reference = RenderReference();
  for (const OptionDef& option : Options()) {
    EXPECT_NE(reference.find(absl::StrCat("### ", ToAbsl(option.key), "\n")), std::string::npos);
    EXPECT_NE(reference.find(absl::StrCat(ToAbsl(option.flag), " ")), std::string::npos);
    EXPECT_NE(reference.find(EnvironmentName(option)), std::string::npos);
    EXPECT_NE(reference.find(option.default_text), std::string::npos);
  }
}

TEST(Reference, FitsATerminal) {
  for (const std::string& text : {RenderReference(), RenderSample()}) {
    for (absl::string_view line : absl::StrSplit(text, '\n'))
      EXPECT_LE(line.size(), 110u) << ToStd(line);
  }
}

}  // namespace
}  // namespace walpost::config
