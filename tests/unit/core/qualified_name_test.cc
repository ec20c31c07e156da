#include "core/qualified_name.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace walpost {
namespace {

using namespace std::string_view_literals;

QualifiedName Parsed(std::string_view text) {
  auto result = QualifiedName::Parse(text);
  EXPECT_TRUE(result.ok()) << "'" << text << "': " << result.status();
  return result.ok() ? *result : QualifiedName{};
}

TEST(QualifiedName, IsInPublicWithoutASchema) {
  EXPECT_EQ(Parsed("outbox"), (QualifiedName{"public", "outbox"}));
}

TEST(QualifiedName, HasTheSchemaBeforeTheDot) {
  EXPECT_EQ(Parsed("app.outbox"), (QualifiedName{"app", "outbox"}));
}

TEST(QualifiedName, FoldsWhatIsNotQuotedToLowerCase) {
  EXPECT_EQ(Parsed("App.OutBox"), (QualifiedName{"app", "outbox"}));
}

TEST(QualifiedName, KeepsTheCaseOfWhatIsQuoted) {
  EXPECT_EQ(Parsed("\"OutboxMessages\""), (QualifiedName{"public", "OutboxMessages"}));
  EXPECT_EQ(Parsed("App.\"OutboxMessages\""), (QualifiedName{"app", "OutboxMessages"}));
  EXPECT_EQ(Parsed("\"App\".outbox"), (QualifiedName{"App", "outbox"}));
}

TEST(QualifiedName, MayHoldAnythingBetweenQuotes) {
  EXPECT_EQ(Parsed("\"My Schema\".\"a.b\""), (QualifiedName{"My Schema", "a.b"}));
  EXPECT_EQ(Parsed("\"say \"\"hi\"\"\""), (QualifiedName{"public", "say \"hi\""}));
  EXPECT_EQ(Parsed("\"\"\"\""), (QualifiedName{"public", "\""}));
  EXPECT_EQ(Parsed("\"1st\".\"$x\""), (QualifiedName{"1st", "$x"}));
}

TEST(QualifiedName, MayHoldDigitsUnderscoresDollarsAndOtherLetters) {
  EXPECT_EQ(Parsed("_a1$.out_box2"), (QualifiedName{"_a1$", "out_box2"}));
  EXPECT_EQ(Parsed("b\xC3\xBC"
                   "cher.\xC3\xA9v"),
            (QualifiedName{"b\xC3\xBC"
                           "cher",
                           "\xC3\xA9v"}));
}

TEST(QualifiedName, RejectsWhatSqlWouldNotTakeForATable) {
  for (std::string_view text :
       {""sv,        "."sv,       ".outbox"sv, "public."sv,  "a.b.c"sv,        "a..b"sv,
        "1st"sv,     "a.1st"sv,   "$x"sv,      "a.$x"sv,     "out box"sv,      " outbox"sv,
        "outbox "sv, "out-box"sv, "a . b"sv,   "a,b"sv,      "outbox;drop"sv,  "'outbox'"sv,
        "\"\""sv,    "\"\".a"sv,  "a.\"\""sv,  "\"open"sv,   "\"open\"\""sv,   "a.\"open"sv,
        "\"a\"b"sv,  "a\"b\""sv,  "\""sv,      "out\0box"sv, "\"out\0box\""sv, "out\n"sv}) {
    auto result = QualifiedName::Parse(text);
    EXPECT_EQ(result.status().code(), absl::StatusCode::kInvalidArgument) << "'" << text << "'";
  }
}

TEST(QualifiedName, ComesInListsWithCommasBetweenThem) {
  using Names = std::vector<QualifiedName>;
  const auto parsed = [](std::string_view text) { return QualifiedName::ParseList(text); };
  EXPECT_EQ(*parsed(""), Names());
  EXPECT_EQ(*parsed(" app.outbox "), (Names{{"app", "outbox"}}));
  EXPECT_EQ(*parsed("a,b.c , \"d,e\".\"f\""), (Names{{"public", "a"}, {"b", "c"}, {"d,e", "f"}}));
  for (std::string_view text : {","sv, "a,"sv, ",a"sv, "a,,b"sv, "a b"sv, "a.b.c"sv, "\"a"sv}) {
    EXPECT_TRUE(absl::IsInvalidArgument(parsed(text).status())) << "'" << text << "'";
  }
}

TEST(QualifiedName, NamesTheTextThatItRejectsAndTellsTheForm) {
  std::string message(QualifiedName::Parse("out box").status().message());
  EXPECT_NE(message.find("'out box'"), std::string::npos) << message;
  EXPECT_NE(message.find("; hint: "), std::string::npos) << message;
}

TEST(QualifiedName, IsWrittenWithQuotesOnlyWhereSqlNeedsThem) {
  EXPECT_EQ((QualifiedName{"public", "outbox"}.ToString()), "public.outbox");
  EXPECT_EQ((QualifiedName{"app", "OutboxMessages"}.ToString()), "app.\"OutboxMessages\"");
  EXPECT_EQ((QualifiedName{"My Schema", "a.b"}.ToString()), "\"My Schema\".\"a.b\"");
  EXPECT_EQ((QualifiedName{"1st", "$x"}.ToString()), "\"1st\".\"$x\"");
  EXPECT_EQ((QualifiedName{"a", "say \"hi\""}.ToString()), "a.\"say \"\"hi\"\"\"");
}

TEST(QualifiedName, QuotesASchemaThatIsAReservedWord) {
  EXPECT_EQ((QualifiedName{"order", "outbox"}.ToString()), "\"order\".outbox");
  EXPECT_EQ((QualifiedName{"all", "outbox"}.ToString()), "\"all\".outbox") << "the first word";
  EXPECT_EQ((QualifiedName{"with", "outbox"}.ToString()), "\"with\".outbox") << "the last word";
  EXPECT_EQ((QualifiedName{"orders", "outbox"}.ToString()), "orders.outbox");
}

TEST(QualifiedName, LeavesATableThatIsAReservedWordAsSqlAllowsItAfterADot) {
  EXPECT_EQ((QualifiedName{"public", "order"}.ToString()), "public.order");
}

TEST(QualifiedName, ReadsBackWhatItWrites) {
  for (std::string_view schema : {"public", "My Schema", "order", "1", "$", "\"", "a.b", "ABC"}) {
    for (std::string_view name :
         {"outbox", "Out Box", "user", "9", "$x", "\"\"", ".", "\xC3\xA9"}) {
      QualifiedName original{std::string(schema), std::string(name)};
      EXPECT_EQ(Parsed(original.ToString()), original) << original.ToString();
    }
  }
}

TEST(QuoteIdentifier, DoublesInnerQuotes) {
  EXPECT_EQ(QuoteIdentifier("slot"), "\"slot\"");
  EXPECT_EQ(QuoteIdentifier("a\"b"), "\"a\"\"b\"");
  EXPECT_EQ(QuoteIdentifier("it's"), "\"it's\"");
  EXPECT_EQ(QuoteIdentifier(""), "\"\"");
}

TEST(QuoteLiteral, DoublesInnerQuotesAndLeavesBackslashes) {
  EXPECT_EQ(QuoteLiteral("walpost"), "'walpost'");
  EXPECT_EQ(QuoteLiteral("it's"), "'it''s'");
  EXPECT_EQ(QuoteLiteral("a\"b"), "'a\"b'");
  EXPECT_EQ(QuoteLiteral("a\\"), "'a\\'");
}

}  // namespace
}  // namespace walpost
