#include "outbox/event_mapper.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace walpost::outbox {
namespace {

using pgoutput::ColumnValue;
using pgoutput::Relation;
using pgoutput::ValueKind;
using testing::ElementsAre;
using testing::HasSubstr;
using Headers = std::vector<std::pair<std::string, std::string>>;

ColumnValue Text(std::string_view text) { return {ValueKind::kText, text}; }
constexpr ColumnValue kNull{};

Relation OutboxRelation() {
  Relation relation{
      .id = 1, .schema = "public", .name = "outbox", .replica_identity = 'd', .columns = {}};
  for (const char* name : {"id", "aggregatetype", "aggregateid", "type", "payload"}) {
    relation.columns.push_back(
        {.name = name, .is_key = false, .type_oid = 25, .type_modifier = -1});
  }
  return relation;
}

// A mapper that has been told of its table.
class EventMapperTest : public testing::Test {
 protected:
  void Configure(OutboxSettings settings) {
    auto mapper = EventMapper::Create({std::move(settings)});
    ASSERT_TRUE(mapper.ok()) << mapper.status();
    mapper_.emplace(*std::move(mapper));
    ASSERT_TRUE(mapper_->OnRelation(relation_).ok());
  }
  absl::StatusOr<const OutboxEvent*> Map(std::vector<ColumnValue> row, std::int64_t time_us = 0) {
    row_ = std::move(row);
    return mapper_->Map({&relation_, row_}, time_us);
  }
  // A row that is fine, with one column replaced.
  std::vector<ColumnValue> Row(std::size_t column = 99, ColumnValue value = {}) {
    std::vector<ColumnValue> row = {Text("id-1"), Text("order"), Text("o-1"), Text("OrderPlaced"),
                                    Text(R"({"a": 1})")};
    if (column < row.size()) row[column] = value;
    return row;
  }
  void ExpectPoison(std::vector<ColumnValue> row, const std::string& reason) {
    const auto status = Map(std::move(row)).status();
    EXPECT_TRUE(absl::IsInvalidArgument(status)) << status;
    EXPECT_THAT(std::string(status.message()), HasSubstr(reason));
    EXPECT_THAT(std::string(status.message()), HasSubstr("public.outbox"));
  }

  Relation relation_ = OutboxRelation();
  std::optional<EventMapper> mapper_;
  std::vector<ColumnValue> row_;
};

TEST_F(EventMapperTest, MapsADebeziumRowVerbatim) {
  Configure({});
  const auto event = Map(Row(), 1'500'999);
  ASSERT_TRUE(event.ok()) << event.status();
  EXPECT_EQ((*event)->topic, "outbox.event.order");
  EXPECT_EQ((*event)->key, "o-1");
  EXPECT_EQ((*event)->value, R"({"a": 1})");
  ASSERT_EQ((*event)->headers.size(), 1u);
  EXPECT_EQ((*event)->headers[0].name, "id");
  EXPECT_EQ((*event)->headers[0].value, "id-1");
  EXPECT_EQ((*event)->timestamp_ms, 946'684'801'500);
  EXPECT_FALSE((*event)->partition);
}

TEST_F(EventMapperTest, KeepsNullApartFromEmpty) {
  Configure({});
  EXPECT_EQ((*Map(Row(4, kNull)))->value, std::nullopt);
  EXPECT_EQ((*Map(Row(4, Text(""))))->value, "");
  EXPECT_EQ((*Map(Row(2, kNull)))->key, std::nullopt);
  EXPECT_EQ((*Map(Row(2, Text(""))))->key, "");
}

TEST_F(EventMapperTest, RoundsTimesBefore2000Down) {
  Configure({});
  EXPECT_EQ((*Map(Row(), -1))->timestamp_ms, 946'684'799'999);
}

TEST_F(EventMapperTest, TakesTopicKeyAndHeadersFromTheSettings) {
  OutboxSettings settings;
  settings.topic = "shop.${type}.${aggregatetype}";
  settings.key = "payload:/order/id";
  settings.headers =
      Headers{{"eventType", "type"}, {"tenant", "payload:/tenant"}, {"none", "payload:/none"}};
  Configure(settings);
  const auto event = Map(Row(4, Text(R"({"order":{"id":42},"tenant":"acme"})")));
  ASSERT_TRUE(event.ok()) << event.status();
  EXPECT_EQ((*event)->topic, "shop.OrderPlaced.order");
  EXPECT_EQ((*event)->key, "42");
  ASSERT_EQ((*event)->headers.size(), 4u);
  EXPECT_EQ((*event)->headers[1].name, "eventType");
  EXPECT_EQ((*event)->headers[1].value, "OrderPlaced");
  EXPECT_EQ((*event)->headers[2].value, "acme");
  EXPECT_EQ((*event)->headers[3].value, std::nullopt);
}

TEST_F(EventMapperTest, AnEmptyKeySettingMeansNoKey) {
  OutboxSettings settings;
  settings.key = "";
  Configure(settings);
  EXPECT_EQ((*Map(Row()))->key, std::nullopt);
}

TEST_F(EventMapperTest, FindsColumnsByNameWhateverTheirOrder) {
  std::reverse(relation_.columns.begin(), relation_.columns.end());
  Configure({});
  std::vector<ColumnValue> row = Row();
  std::reverse(row.begin(), row.end());
  const auto event = Map(row);
  ASSERT_TRUE(event.ok());
  EXPECT_EQ((*event)->topic, "outbox.event.order");
  EXPECT_EQ((*event)->key, "o-1");
}

TEST_F(EventMapperTest, LeavesRowsOfOtherTablesAlone) {
  Configure({});
  Relation other = OutboxRelation();
  other.id = 2;
  other.schema = "audit";
  ASSERT_TRUE(mapper_->OnRelation(other).ok());
  EXPECT_FALSE(mapper_->IsOutbox(other));
  row_ = Row();
  EXPECT_EQ(*mapper_->Map({&other, row_}, 0), nullptr);
  EXPECT_NE(*mapper_->Map({&relation_, row_}, 0), nullptr);
}

TEST_F(EventMapperTest, MatchesMixedCaseNamesExactly) {
  OutboxSettings settings;
  settings.table = R"("Shop"."Outbox")";
  auto mapper = EventMapper::Create({settings});
  ASSERT_TRUE(mapper.ok());
  Relation exact = OutboxRelation();
  exact.schema = "Shop";
  exact.name = "Outbox";
  ASSERT_TRUE(mapper->OnRelation(exact).ok());
  EXPECT_TRUE(mapper->IsOutbox(exact));
  Relation folded = OutboxRelation();
  folded.id = 2;
  folded.schema = "shop";
  folded.name = "outbox";
  ASSERT_TRUE(mapper->OnRelation(folded).ok());
  EXPECT_FALSE(mapper->IsOutbox(folded));
}

TEST_F(EventMapperTest, FollowsAChangedRelation) {
  Configure({});
  relation_.columns.insert(relation_.columns.begin(),
                           {.name = "extra", .is_key = false, .type_oid = 25, .type_modifier = -1});
  ASSERT_TRUE(mapper_->OnRelation(relation_).ok());
  std::vector<ColumnValue> row = Row();
  row.insert(row.begin(), Text("x"));
  EXPECT_EQ((*Map(row))->key, "o-1");
}

TEST_F(EventMapperTest, RefusesATableWithoutAColumnItNeeds) {
  auto mapper = EventMapper::Create({OutboxSettings{}});
  relation_.columns.pop_back();
  const absl::Status status = mapper->OnRelation(relation_);
  EXPECT_TRUE(absl::IsFailedPrecondition(status));
  EXPECT_THAT(std::string(status.message()), HasSubstr("payload"));
}

TEST_F(EventMapperTest, RefusesAByteaPayloadAsText) {
  auto mapper = EventMapper::Create({OutboxSettings{}});
  relation_.columns[4].type_oid = 17;
  const absl::Status status = mapper->OnRelation(relation_);
  EXPECT_TRUE(absl::IsFailedPrecondition(status));
  EXPECT_THAT(std::string(status.message()), HasSubstr("bytea"));
}

TEST_F(EventMapperTest, ANullOrIllegalTopicIsPoisonThatNamesTheRow) {
  Configure({});
  ExpectPoison(Row(1, kNull), "aggregatetype, part of the topic, is NULL");
  ExpectPoison(Row(1, Text("has space")), "id-1");
  ExpectPoison(Row(1, Text(std::string(300, 'x'))), "longer than 249");
}

TEST_F(EventMapperTest, PoisonNeverShowsThePayload) {
  OutboxSettings settings;
  settings.key = "payload:/id";
  Configure(settings);
  const auto status = Map(Row(4, Text("secret, not JSON"))).status();
  EXPECT_TRUE(absl::IsInvalidArgument(status));
  EXPECT_THAT(std::string(status.message()), testing::Not(HasSubstr("secret")));
}

TEST_F(EventMapperTest, AValueThatDidNotComeIsADoubtAboutTheStreamAndNoFaultOfTheRow) {
  Configure({});
  for (std::size_t column : {1u, 2u, 4u}) {
    EXPECT_TRUE(absl::IsDataLoss(Map(Row(column, {ValueKind::kUnchanged, {}})).status())) << column;
    EXPECT_TRUE(absl::IsDataLoss(Map(Row(column, {ValueKind::kBinary, "x"})).status())) << column;
  }
}

TEST_F(EventMapperTest, AnEmptyTopicIsPoisonAlsoInTheFirstRow) {
  OutboxSettings settings;
  settings.topic = "${aggregatetype}";
  Configure(settings);
  ExpectPoison(Row(1, Text("")), "the topic name is empty");
}

TEST_F(EventMapperTest, AGoodRowAfterPoisonIsMappedAsIfNothingHadBeen) {
  Configure({});
  ASSERT_FALSE(Map(Row(1, Text("bad topic"))).ok());
  EXPECT_EQ((*Map(Row()))->topic, "outbox.event.order");
  ASSERT_FALSE(Map(Row(1, Text("bad topic"))).ok());
}

TEST_F(EventMapperTest, TellsWhichColumnsTheStreamMustCarry) {
  OutboxSettings settings;
  settings.topic = "x.${tenant}";
  settings.headers = Headers{{"t", "tenant"}, {"e", "type"}};
  const auto mapper = EventMapper::Create({settings});
  ASSERT_TRUE(mapper.ok());
  ASSERT_EQ(mapper->Tables().size(), 1u);
  std::vector<std::string> names;
  const std::vector<OutboxTable> tables = mapper->Tables();
  for (const OutboxColumn& column : tables[0].columns) names.push_back(column.name);
  EXPECT_THAT(names, ElementsAre("id", "tenant", "aggregateid", "payload", "type"));
}

TEST(EventMapperCreate, RefusesSettingsThatCannotBeRight) {
  const auto status_of = [](auto change) {
    OutboxSettings settings;
    change(settings);
    return EventMapper::Create({settings}).status();
  };
  EXPECT_TRUE(absl::IsInvalidArgument(status_of([](OutboxSettings& s) { s.preset = "nope"; })));
  EXPECT_TRUE(absl::IsInvalidArgument(status_of([](OutboxSettings& s) { s.value = "yaml"; })));
  EXPECT_TRUE(absl::IsInvalidArgument(status_of([](OutboxSettings& s) { s.table = "a.b.c"; })));
  EXPECT_TRUE(absl::IsInvalidArgument(status_of([](OutboxSettings& s) {
    s.headers = Headers{{"id", "type"}};
  })));
  EXPECT_TRUE(
      absl::IsInvalidArgument(EventMapper::Create({OutboxSettings{}, OutboxSettings{}}).status()));
  EXPECT_TRUE(absl::IsInvalidArgument(EventMapper::Create({}).status()));
}

}  // namespace
}  // namespace walpost::outbox
