#include "config/nearest.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace walpost::config {
namespace {

constexpr std::string_view kNames[] = {"slot", "publication", "conninfo", "run"};

TEST(Nearest, FindsTheNameThatWasMeant) {
  EXPECT_EQ(Nearest("slott", kNames), "slot");
  EXPECT_EQ(Nearest("solt", kNames), "slot");
  EXPECT_EQ(Nearest("SLOT", kNames), "slot");
  EXPECT_EQ(Nearest("conn_info", kNames), "conninfo");
  EXPECT_EQ(Nearest("pubication", kNames), "publication");
  EXPECT_EQ(Nearest("rnu", kNames), "run");
}

TEST(Nearest, FindsNothingForAnotherWord) {
  EXPECT_EQ(Nearest("heartbeat", kNames), "");
  EXPECT_EQ(Nearest("", kNames), "");
  EXPECT_EQ(Nearest("xy", kNames), "");
  EXPECT_EQ(Nearest(std::string(10'000, 's'), kNames), "");
}

TEST(HintFor, ListsTheNamesWhenNoneIsNear) {
  EXPECT_EQ(HintFor("slott", kNames, "the names are"), "; hint: did you mean 'slot'?");
  EXPECT_EQ(HintFor("heartbeat", kNames, "the names are"),
            "; hint: the names are: slot, publication, conninfo, run");
}

}  // namespace
}  // namespace walpost::config
