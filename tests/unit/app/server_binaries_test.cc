#include "app/server_binaries.h"

#include <gtest/gtest.h>

namespace walpost::app {
namespace {

TEST(ParseServerVersion, ReadsReleasesAndBetas) {
  const auto release = ParseServerVersion("postgres (PostgreSQL) 15.18 (Debian 15.18-0+deb12u1)\n");
  ASSERT_TRUE(release.has_value());
  EXPECT_EQ(release->major, 15);
  EXPECT_EQ(release->version, "15.18");
  const auto beta = ParseServerVersion("postgres (PostgreSQL) 17beta1");
  ASSERT_TRUE(beta.has_value());
  EXPECT_EQ(beta->major, 17);
}

TEST(ParseServerVersion, RefusesWhatIsNoServer) {
  for (const char* text : {"", "postgres", "mysqld 8.0", "postgres (PostgreSQL) "}) {
    EXPECT_FALSE(ParseServerVersion(text).has_value()) << text;
  }
}

TEST(NewestServer, SaysHowToInstallOneWhenThereIsNone) {
  const auto status = NewestServer({}).status();
  EXPECT_TRUE(absl::IsFailedPrecondition(status));
  EXPECT_NE(status.message().find("hint:"), absl::string_view::npos);
}

TEST(ServerFolders, PassesOverFoldersWithoutTheTwoPrograms) {
  EXPECT_TRUE(ServerFolders("/nonexistent:/proc", {"/nonexistent"}).empty());
}

}  // namespace
}  // namespace walpost::app
