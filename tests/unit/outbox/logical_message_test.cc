// The outbox without a table: what pg_logical_emit_message() wrote.
#include "unit/outbox/mapper_fixture.h"

namespace walpost::outbox {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

class LogicalMessageTest : public MapperTest {
 protected:
  LogicalMessageTest() { settings_.preset = "message"; }

  absl::StatusOr<const OutboxEvent*> Emit(std::string content, std::string_view prefix = "walpost",
                                          bool transactional = true) {
    if (!mapper_) {
      auto mapper = EventMapper::Create({settings_});
      EXPECT_TRUE(mapper.ok()) << mapper.status();
      mapper_.emplace(*std::move(mapper));
    }
    content_ = std::move(content);
    message_ = {transactional, Lsn(0x1'0000'0010), prefix, content_};
    return mapper_->Map(message_, 0);
  }

  std::string content_;
  pgoutput::LogicalMessage message_;
};

TEST_F(LogicalMessageTest, NamesTopicKeyHeadersAndPayload) {
  const auto event =
      Emit(R"({"topic": "orders", "key": "o-1", "headers": {"type": "Placed", "n": 1},)"
           R"( "payload": {"a": 1.50,  "b": []}})");
  ASSERT_TRUE(event.ok()) << event.status();
  ASSERT_NE(*event, nullptr);
  EXPECT_EQ((*event)->topic, "orders");
  EXPECT_EQ((*event)->key, "o-1");
  EXPECT_EQ((*event)->value, R"({"a": 1.50,  "b": []})") << "as it was written";
  EXPECT_THAT(Headers(**event), ElementsAre(Pair("id", Field("1/10")),
                                            Pair("type", Field("Placed")), Pair("n", Field("1"))));
}

TEST_F(LogicalMessageTest, HasAnIdOfItsOwnWhenTheContentNamesNone) {
  EXPECT_THAT(Headers(**Emit(R"({"topic":"t","payload":1})")),
              ElementsAre(Pair("id", Field("1/10"))));
  EXPECT_THAT(Headers(**Emit(R"({"topic":"t","id":"e-7","payload":1})")),
              ElementsAre(Pair("id", Field("e-7"))));
}

TEST_F(LogicalMessageTest, ATextPayloadIsTheTextAndNullIsATombstone) {
  EXPECT_EQ((*Emit(R"({"topic":"t","payload":"a\"b"})"))->value, "a\"b");
  EXPECT_EQ((*Emit(R"({"topic":"t","payload":1.50})"))->value, "1.50");
  EXPECT_EQ((*Emit(R"({"topic":"t","payload":null})"))->value, std::nullopt);
  EXPECT_EQ((*Emit(R"({"topic":"t"})"))->value, std::nullopt);
  EXPECT_EQ((*Emit(R"({"topic":"t"})"))->key, std::nullopt);
}

TEST_F(LogicalMessageTest, AMessageWithoutATopicIsNamedByTheMemberThatItLacks) {
  const auto event = Emit(R"({"payload":1})");
  EXPECT_THAT(std::string(event.status().message()),
              HasSubstr("member topic, part of the topic, is missing"));
}

TEST_F(LogicalMessageTest, TheLastOfMembersWithOneNameCounts) {
  EXPECT_EQ((*Emit(R"({"topic":"a","topic":"b"})"))->topic, "b");
}

TEST_F(LogicalMessageTest, OtherMembersCanBeUsedInTheMapping) {
  settings_.topic = "outbox.event.${aggregatetype}";
  settings_.key = "aggregateid";
  settings_.value = "json";
  settings_.headers = Texts{{"eventType", "type"}};
  const auto event =
      Emit(R"({"aggregatetype":"order","aggregateid":7,"type":"Placed","payload":"s","other":{}})");
  ASSERT_TRUE(event.ok()) << event.status();
  EXPECT_EQ((*event)->topic, "outbox.event.order");
  EXPECT_EQ((*event)->key, "7");
  EXPECT_EQ((*event)->value, "\"s\"");
}

TEST_F(LogicalMessageTest, LeavesOtherPrefixesAlone) {
  EXPECT_EQ(*Emit("no JSON", "audit"), nullptr);
  settings_.prefix = "audit";
  mapper_.reset();
  EXPECT_NE(*Emit(R"({"topic":"t"})", "audit"), nullptr);
  EXPECT_EQ(*Emit(R"({"topic":"t"})"), nullptr);
}

TEST_F(LogicalMessageTest, TakesNonTransactionalOnesOnlyWhereThatIsAskedFor) {
  EXPECT_EQ(*Emit(R"({"topic":"t"})", "walpost", false), nullptr);
  settings_.message_scope = "all";
  mapper_.reset();
  EXPECT_NE(*Emit(R"({"topic":"t"})", "walpost", false), nullptr);
}

TEST_F(LogicalMessageTest, WhatDoesNotParseIsPoisonThatNamesTheMessage) {
  for (const char* content : {"", "no JSON", "[1]", "\"s\"", "{", "{\"topic\":\"\xff\"}"}) {
    ExpectPoison(Emit(content), PoisonReason::kMessage, "message with id 1/10");
  }
  ExpectPoison(Emit(R"({"payload":1})"), PoisonReason::kTopic, "topic");
  ExpectPoison(Emit(R"({"topic":"t","headers":[1]})"), PoisonReason::kHeader, "headers");
}

TEST_F(LogicalMessageTest, ADeadLetterHoldsTheContentAsItWas) {
  const auto poison = Emit("no JSON");
  const OutboxEvent& letter = mapper_->DeadLetter("dead", poison.status(), Lsn(5));
  EXPECT_EQ(letter.topic, "dead");
  EXPECT_EQ(letter.value, "no JSON");
  EXPECT_THAT(Headers(letter), testing::Contains(Pair("walpost_prefix", Field("walpost"))));
  EXPECT_THAT(Headers(letter), testing::Contains(Pair("walpost_reason", Field("message"))));
}

TEST_F(LogicalMessageTest, ADeadLetterHasTheKeyOfItsMessage) {
  const auto poison = Emit(R"({"topic":"bad topic","key":"k-1","payload":"x"})");
  EXPECT_EQ(mapper_->DeadLetter("dead", poison.status(), Lsn(5)).key, "k-1");
  const auto unread = Emit("no JSON");
  EXPECT_EQ(mapper_->DeadLetter("dead", unread.status(), Lsn(5)).key, std::nullopt);
}

TEST_F(LogicalMessageTest, HalfASurrogatePairIsPoisonOnlyWhereItsTextIsNeeded) {
  const std::string content = R"({"topic":"t","payload":"\ud800","other":"\ud800"})";
  ExpectPoison(Emit(content), PoisonReason::kMessage, "no Unicode");
  settings_.value = "json";
  mapper_.reset();
  const auto event = Emit(content);
  ASSERT_TRUE(event.ok()) << event.status();
  EXPECT_EQ((*event)->value, R"("\ud800")");
}

TEST_F(LogicalMessageTest, ATableNeedsNoMessages) {
  settings_ = {};
  auto mapper = EventMapper::Create({settings_});
  ASSERT_TRUE(mapper.ok());
  EXPECT_FALSE(mapper->WantsMessages());
  EXPECT_EQ(mapper->Tables().size(), 1u);
  OutboxSettings messages;
  messages.preset = "message";
  auto both = EventMapper::Create({settings_, messages});
  ASSERT_TRUE(both.ok()) << both.status();
  EXPECT_TRUE(both->WantsMessages());
  EXPECT_EQ(both->Tables().size(), 1u);
  EXPECT_FALSE(EventMapper::Create({messages, messages}).ok());
}

}  // namespace
}  // namespace walpost::outbox
