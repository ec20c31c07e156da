#include "base/strings.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <unordered_map>

namespace walpost {
namespace {

using namespace std::string_view_literals;

TEST(StringBridge, KeepsTheBytesInBothDirections) {
  std::string_view text = "a\0b\xff"sv;
  EXPECT_EQ(ToStd(ToAbsl(text)), text);
  EXPECT_EQ(ToAbsl(text).data(), text.data()) << "a view, not a copy";
}

TEST(StringBridge, KeepsAViewOfNothing) { EXPECT_TRUE(ToStd(ToAbsl(std::string_view())).empty()); }

TEST(StringHash, FindsAStringByAView) {
  std::unordered_map<std::string, int, StringHash, std::equal_to<>> map = {{"orders", 1}};
  auto it = map.find("orders and more"sv.substr(0, 6));
  ASSERT_NE(it, map.end());
  EXPECT_EQ(it->second, 1);
  EXPECT_EQ(map.find("order"sv), map.end());
}

}  // namespace
}  // namespace walpost
