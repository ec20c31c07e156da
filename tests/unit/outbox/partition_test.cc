// Which relation of the stream is which outbox table: by its name, or by what the catalog says.
#include "unit/outbox/mapper_fixture.h"

namespace walpost::outbox {
namespace {

using testing::HasSubstr;

class PartitionTest : public MapperTest {
 protected:
  PartitionTest() {
    Table(kJsonb);
    relation_.name = "outbox_2026_12";
  }
  static std::optional<CatalogTable> Under(const std::vector<std::string>& ancestors,
                                           const std::string& name = "outbox_2026_12") {
    CatalogTable table{
        .name = {"public", name}, .is_partition = false, .ancestors = {}, .columns = {}};
    for (const std::string& root : ancestors) table.ancestors.push_back({"public", root});
    return table;
  }
};

TEST_F(PartitionTest, APartitionIsKnownByTheCatalogWhateverItsName) {
  for (const auto& ancestors :
       {std::vector<std::string>{"outbox"}, std::vector<std::string>{"outbox_2026", "outbox"}}) {
    const auto catalog = Under(ancestors);
    ASSERT_TRUE(Bind(&catalog).ok());
    EXPECT_TRUE(mapper_->IsOutbox(relation_));
    EXPECT_TRUE(Map("{}").ok());
  }
}

TEST_F(PartitionTest, AskedForIsWhatHasAnotherNameWhateverItsColumns) {
  const auto catalog = Under({"outbox"});
  ASSERT_TRUE(Bind(&catalog).ok());
  EXPECT_TRUE(mapper_->NeedsCatalog(relation_));
  pgoutput::Relation other = relation_;
  other.columns.pop_back();
  EXPECT_TRUE(mapper_->NeedsCatalog(other)) << "it may be older than the column";
  other = relation_;
  other.name = "outbox";
  EXPECT_FALSE(mapper_->NeedsCatalog(other));
}

TEST_F(PartitionTest, OneThatLacksAColumnThatIsReadIsRefusedAndNotPassedOver) {
  const auto catalog = Under({"outbox"});
  relation_.columns.back().name = "body";
  const absl::Status refused = Bind(&catalog);
  EXPECT_TRUE(absl::IsFailedPrecondition(refused)) << refused;
  EXPECT_THAT(std::string(refused.message()), HasSubstr("no column 'payload'"));
}

TEST_F(PartitionTest, NobodyGuessesAboutOneWhoseRootHasAnotherNameNow) {
  const auto of_another = Under({"outbox_old"});
  ASSERT_TRUE(Bind(&of_another).ok());
  EXPECT_TRUE(absl::IsDataLoss(Map("{}").status()));
}

TEST_F(PartitionTest, ATableWithOtherColumnsIsNoneWhereverItStands) {
  relation_.columns.resize(2);
  relation_.columns.push_back({.name = "total", .is_key = false, .type_oid = kInt4});
  const std::optional<CatalogTable> gone;
  const auto of_another = Under({"audit"});
  for (const auto* catalog : {&of_another, &gone}) {
    ASSERT_TRUE(Bind(catalog).ok());
    const auto event = MapRow({"id-1", "order", "1"});
    ASSERT_TRUE(event.ok()) << event.status();
    EXPECT_EQ(*event, nullptr);
  }
}

TEST_F(PartitionTest, TheStreamSaysOfWhatTypeItsRowsAre) {
  relation_.name = "outbox_2026";
  relation_.columns.back().type_oid = kBytea;
  settings_.value = "bytes";
  auto altered = Under({"outbox"});
  altered->columns.push_back({.name = "payload", .type = kText});
  ASSERT_TRUE(Bind(&altered).ok());
  EXPECT_EQ((*Map(R"(\x0102)"))->value, "\x01\x02");
}

TEST_F(PartitionTest, NobodyGuessesATypeThatTheCatalogCannotExplainAnyMore) {
  relation_.name = "outbox";
  relation_.columns.back().type_oid = 70000;  // a domain
  settings_.value = "bytes";
  const std::optional<CatalogTable> gone;
  auto renamed = Under({});
  renamed->columns.push_back({.name = "body", .type = kBytea});
  for (const std::optional<CatalogTable>* catalog :
       std::initializer_list<const std::optional<CatalogTable>*>{&gone, &renamed}) {
    ASSERT_TRUE(Bind(catalog).ok());
    const absl::Status status = Map(R"(\x0102)").status();
    EXPECT_TRUE(absl::IsDataLoss(status)) << status;
    EXPECT_THAT(std::string(status.message()), HasSubstr("'payload' of a type made by users"));
  }
  renamed->columns.back().name = "payload";
  ASSERT_TRUE(Bind(&renamed).ok());
  EXPECT_EQ((*Map(R"(\x0102)"))->value, "\x01\x02");
}

TEST_F(PartitionTest, AnOutboxIsKnownUnderAnEarlierName) {
  const auto renamed = Under({}, "outbox");
  ASSERT_TRUE(Bind(&renamed).ok());
  EXPECT_TRUE(mapper_->IsOutbox(relation_));
  EXPECT_TRUE(Map("{}").ok());
}

TEST_F(PartitionTest, NobodyGuessesAboutATableThatMerelyLooksLikeAnOutbox) {
  const auto catalog = Under({}, "outbox_archive");
  ASSERT_TRUE(Bind(&catalog).ok());
  EXPECT_FALSE(mapper_->IsOutbox(relation_));
  const absl::Status status = Map("{}").status();
  EXPECT_TRUE(absl::IsDataLoss(status)) << status;
  EXPECT_THAT(std::string(status.message()), HasSubstr("public.outbox_2026_12"));
  EXPECT_THAT(std::string(status.message()),
              HasSubstr("name public.outbox_archive in an [[outbox]] block, or attach it again"));
  EXPECT_THAT(std::string(status.message()),
              HasSubstr("name public.outbox_2026_12 in relay.ignored_tables"));
}

TEST_F(PartitionTest, NobodyGuessesAboutATableThatIsGone) {
  const std::optional<CatalogTable> gone;
  // A partition is described also where its rows come as those of the root.
  ASSERT_TRUE(Bind(&gone).ok());
  const absl::Status status = Map("{}").status();
  EXPECT_TRUE(absl::IsDataLoss(status)) << status;
  EXPECT_THAT(std::string(status.message()), HasSubstr("does not exist any more"));
}

TEST_F(PartitionTest, AnIgnoredTableHasNoEvents) {
  ignored_ = {{"public", "outbox_2026_12"}, {"public", "audit"}};
  const std::optional<CatalogTable> gone;
  const auto other = Under({});
  const auto inherits = Under({"outbox"});
  for (const auto* catalog : {&gone, &other, &inherits}) {
    ASSERT_TRUE(Bind(catalog).ok());
    EXPECT_TRUE(mapper_->IsIgnored(relation_));
    const auto event = Map("{}");
    ASSERT_TRUE(event.ok()) << event.status();
    EXPECT_EQ(*event, nullptr);
  }
  relation_.name = "audit_2026_12";
  const auto partition_of_one = Under({"audit"}, "audit_2026_12");
  ASSERT_TRUE(Bind(&partition_of_one).ok());
  EXPECT_EQ(*Map("{}"), nullptr);
}

TEST_F(PartitionTest, AnIgnoredTableThatIsAnOutboxNowIsADoubt) {
  ignored_ = {{"public", "outbox_2026_12"}};
  auto renamed = Under({}, "outbox");
  auto attached = Under({"outbox"});
  attached->is_partition = true;
  for (auto* catalog : {&renamed, &attached}) {
    ASSERT_TRUE(Bind(catalog).ok());
    EXPECT_FALSE(mapper_->IsIgnored(relation_));
    const absl::Status status = Map("{}").status();
    EXPECT_TRUE(absl::IsDataLoss(status)) << status;
    EXPECT_THAT(std::string(status.message()), HasSubstr("take it out of relay.ignored_tables"));
  }
}

TEST_F(PartitionTest, WhatHasBeenAnOutboxIsNotPassedOverWhateverItsColumnsAre) {
  relation_.name = "outbox";
  ASSERT_TRUE(Bind().ok());
  relation_.name = "archive";
  relation_.columns.resize(1);
  mapper_->Reset();
  const auto archive = Under({}, "archive");
  ASSERT_TRUE(mapper_->OnRelation(relation_, &archive).ok());
  EXPECT_TRUE(absl::IsDataLoss(MapRow({"id-1"}).status()));
}

TEST_F(PartitionTest, EachTableHasItsOwnRules) {
  OutboxSettings other;
  other.table = "shop.events";
  other.topic = "events";
  other.key = "";
  auto mapper = EventMapper::Create({settings_, other});
  ASSERT_TRUE(mapper.ok()) << mapper.status();
  mapper_.emplace(*std::move(mapper));
  relation_.name = "outbox";
  pgoutput::Relation events = relation_;
  events.id = 2;
  events.schema = "shop";
  events.name = "events";
  ASSERT_TRUE(mapper_->OnRelation(relation_).ok());
  ASSERT_TRUE(mapper_->OnRelation(events).ok());
  ASSERT_TRUE(Map("{}").ok());
  const auto event = mapper_->Map(pgoutput::Insert{&events, row_}, 0);
  ASSERT_TRUE(event.ok());
  EXPECT_EQ((*event)->topic, "events");
  EXPECT_EQ((*event)->key, std::nullopt);
  EXPECT_EQ((*Map("{}"))->topic, "outbox.event.order");
}

TEST_F(PartitionTest, ADeadLetterHoldsTheRowAndSaysWhatIsWrong) {
  relation_.name = "outbox";
  const auto poison = MapRow({"id-1", std::nullopt, "k-1", "T", R"({"a": "b"})"});
  ASSERT_FALSE(poison.ok());
  const OutboxEvent& letter = mapper_->DeadLetter("dead", poison.status(), Lsn(0x10));
  EXPECT_EQ(letter.topic, "dead");
  EXPECT_EQ(letter.key, "k-1");
  EXPECT_EQ(
      letter.value,
      R"({"id":"id-1","aggregatetype":null,"aggregateid":"k-1","type":"T","payload":"{\"a\": \"b\"}"})");
  const auto headers = Headers(letter);
  ASSERT_EQ(headers.size(), 5u);
  EXPECT_EQ(headers[0], std::make_pair(std::string("id"), Field("id-1")));
  EXPECT_EQ(headers[1].second, "public.outbox");
  EXPECT_EQ(headers[2].second, "0/10");
  EXPECT_EQ(headers[3].second, "topic");
  EXPECT_THAT(*headers[4].second, HasSubstr("aggregatetype, part of the topic, is NULL"));
}

TEST_F(PartitionTest, ADeadLetterWithoutItsRowKeepsAKeyUnlessThatIsWhatIsTooLarge) {
  relation_.name = "outbox";
  for (const std::size_t size : {std::size_t{10}, std::size_t{2'000'000}}) {
    const std::string key(size, 'k');
    ASSERT_TRUE(MapRow({"id-1", "order", key, "T", "{}"}).ok());
    const absl::Status refused = mapper_->Reject(absl::InvalidArgumentError("too large"));
    const OutboxEvent& letter = mapper_->DeadLetter("dead", refused, Lsn(0x10), /*with_row=*/false);
    EXPECT_EQ(letter.key.has_value(), size == 10);
    EXPECT_EQ(mapper_->DeadLetter("dead", refused, Lsn(0x10)).key, key);
  }
}

}  // namespace
}  // namespace walpost::outbox
