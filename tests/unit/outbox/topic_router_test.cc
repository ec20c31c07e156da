#include "outbox/topic_router.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace walpost::outbox {
namespace {

using testing::HasSubstr;

std::string Route(const std::string& regex, std::string_view replacement, std::string topic) {
  auto router = TopicRouter::Compile(regex, replacement);
  EXPECT_TRUE(router.ok()) << router.status();
  if (!router.ok()) return "";
  EXPECT_TRUE((*router)->Route(topic).ok());
  return topic;
}

std::string ErrorOf(const std::string& regex, std::string_view replacement) {
  const auto router = TopicRouter::Compile(regex, replacement);
  EXPECT_TRUE(absl::IsInvalidArgument(router.status())) << router.status();
  return std::string(router.status().message());
}

TEST(TopicRouter, ReplacesAWholeMatchByNumberAndName) {
  EXPECT_EQ(Route("(cust|ord)(.*)", "x-$1-y-$2", "customer"), "x-cust-y-omer");
  EXPECT_EQ(Route("(?<routedByValue>.*)", "outbox.event.${routedByValue}", "order"),
            "outbox.event.order");
}

TEST(TopicRouter, KeepsTheBareValueWithoutAWholeMatch) {
  EXPECT_EQ(Route("Or", "x", "Order"), "Order");
  EXPECT_EQ(Route("(.*)", "x-$1", "two\nlines"), "two\nlines") << "a dot matches no line end";
  EXPECT_EQ(Route("a.b", "x", "a\u2028b"), "a\u2028b");
}

TEST(TopicRouter, ReplacesWhatIsFoundFirstWhichNeedNotBeTheWhole) {
  EXPECT_EQ(Route("a|ab", "x", "ab"), "xb");
}

TEST(TopicRouter, AGroupThatTookNoPartIsEmpty) {
  EXPECT_EQ(Route("(a)|(b)", "<$1|$2>", "b"), "<|b>");
  EXPECT_EQ(Route("(a)|(b)", "<$1|$2>", "a"), "<a|>");
}

TEST(TopicRouter, TakesAsManyDigitsAsThereAreGroups) {
  EXPECT_EQ(Route("(a)(b)", "$12", "ab"), "a2");
  EXPECT_EQ(Route("(a)(b)", "$0!", "ab"), "ab!");
  EXPECT_EQ(Route("(a)(b)(c)(d)(e)(f)(g)(h)(i)(j)(k)", "$11", "abcdefghijk"), "k");
}

TEST(TopicRouter, ABackslashTakesTheNextCharacterAsItIs) {
  EXPECT_EQ(Route("a", "\\$1\\\\", "a"), "$1\\");
}

TEST(TopicRouter, KnowsJavasLookAroundAndPossessiveQuantifiers) {
  EXPECT_EQ(Route("(?=o)(o.*)", "x-$1", "order"), "x-order");
  EXPECT_EQ(Route("a*+b", "x", "aab"), "x");
}

TEST(TopicRouter, RefusesWhatCannotWorkAtTheStart) {
  EXPECT_THAT(ErrorOf("(", "x"), HasSubstr("outbox.topic_regex"));
  EXPECT_THAT(ErrorOf("a", "$1"), HasSubstr("no group 1"));
  EXPECT_THAT(ErrorOf("a", "${type}"), HasSubstr("'${type}' names no group"));
  EXPECT_THAT(ErrorOf("a", "${type"), HasSubstr("without '}'"));
  EXPECT_THAT(ErrorOf("a", "x$"), HasSubstr("outbox.topic_replacement"));
  EXPECT_THAT(ErrorOf("a", "x\\"), HasSubstr("backslash"));
}

TEST(TopicRouter, RefusesWhatMeansSomethingElseInJava) {
  for (const char* regex :
       {"[a-c[m-z]]+", "[a-z&&[^o]]+(.*)", "[[:alpha:]]+", "[]a]+", "(?U)(.+)", "(?J)a", "(?x) a",
        "(?|a|b)", "(?R)?", "(?1)(a)", "(?P<n>a)", "(*ANY)a", "a\\Kb", "\\N+", "(a)\\g1"}) {
    EXPECT_THAT(ErrorOf(regex, "x"), HasSubstr("not the same here as in Java")) << regex;
  }
}

TEST(TopicRouter, TakesWhatBothRead) {
  for (const char* regex :
       {"[a-c\\[&]+", "\\[[^\\]]\\]", "(?i)a(?-i:b)", "(?:a)(?=b)(?!c)(?<=b)(?<!c)",
        "(?<n>a)\\k<n>", "(?>a+)b", "\\Q[[(?U\\E.*", "[\\Q&&\\E]", "\\h\\d\\p{Lu}"}) {
    EXPECT_TRUE(TopicRouter::Compile(regex, "x").ok()) << regex;
  }
}

TEST(TopicRouter, AnExpressionThatRunsAwayIsAnErrorAndNoHang) {
  auto router = TopicRouter::Compile("(a+)+[bc]", "x");
  ASSERT_TRUE(router.ok());
  std::string topic(200, 'a');
  EXPECT_TRUE(absl::IsInvalidArgument((*router)->Route(topic)));
}

TEST(TopicRouter, BytesThatAreNotUtf8AreAnError) {
  auto router = TopicRouter::Compile("(.*)", "x");
  ASSERT_TRUE(router.ok());
  std::string topic = "\xff";
  EXPECT_TRUE(absl::IsInvalidArgument((*router)->Route(topic)));
}

}  // namespace
}  // namespace walpost::outbox
