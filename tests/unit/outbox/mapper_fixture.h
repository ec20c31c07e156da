#ifndef WALPOST_TESTS_UNIT_OUTBOX_MAPPER_FIXTURE_H_
#define WALPOST_TESTS_UNIT_OUTBOX_MAPPER_FIXTURE_H_

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/poison.h"
#include "outbox/event_mapper.h"

namespace walpost::outbox {

// Type OIDs, as pg_type has them.
inline constexpr std::uint32_t kBool = 16, kBytea = 17, kInt8 = 20, kInt2 = 21, kInt4 = 23,
                               kText = 25, kJson = 114, kTimestamp = 1114, kTimestampTz = 1184,
                               kUuid = 2950, kJsonb = 3802;

// A mapper for one table `public.outbox`, whose columns the test names, and rows for it.
class MapperTest : public testing::Test {
 protected:
  using Field = std::optional<std::string>;
  using Texts = OutboxSettings::Texts;

  // The columns of the preset `debezium`, with a payload of this type, and further ones.
  void Table(std::uint32_t payload_type,
             const std::vector<std::pair<std::string, std::uint32_t>>& more = {}) {
    relation_ = {
        .id = 1, .schema = "public", .name = "outbox", .replica_identity = 'd', .columns = {}};
    for (const char* name : {"id", "aggregatetype", "aggregateid", "type"}) AddColumn(name, kText);
    AddColumn("payload", payload_type);
    for (const auto& [name, type] : more) AddColumn(name, type);
  }
  void AddColumn(const std::string& name, std::uint32_t type) {
    relation_.columns.push_back(
        {.name = name, .is_key = false, .type_oid = type, .type_modifier = -1});
  }

  // What OnRelation() says.
  absl::Status Bind(const std::optional<CatalogTable>* catalog = nullptr) {
    auto mapper = EventMapper::Create({settings_}, ignored_);
    if (!mapper.ok()) return mapper.status();
    mapper_.emplace(*std::move(mapper));
    return mapper_->OnRelation(relation_, catalog);
  }

  // A row that is fine, with this payload and the values of further columns.
  absl::StatusOr<const OutboxEvent*> Map(const Field& payload, const std::vector<Field>& more = {},
                                         std::int64_t time_us = 0) {
    return MapRow({"id-1", "order", "o-1", "OrderPlaced", payload}, more, time_us);
  }
  absl::StatusOr<const OutboxEvent*> MapRow(std::vector<Field> fields,
                                            const std::vector<Field>& more = {},
                                            std::int64_t time_us = 0) {
    if (!mapper_) {
      const absl::Status bound = Bind();
      EXPECT_TRUE(bound.ok()) << bound;
    }
    fields_ = std::move(fields);
    fields_.insert(fields_.end(), more.begin(), more.end());
    row_.clear();
    for (const Field& field : fields_) {
      row_.push_back(field ? pgoutput::ColumnValue{pgoutput::ValueKind::kText, *field}
                           : pgoutput::ColumnValue{});
    }
    return mapper_->Map(pgoutput::Insert{&relation_, row_}, time_us);
  }

  // The value of the event of such a row.
  Field Value(const Field& payload, const std::vector<Field>& more = {}) {
    const auto event = Map(payload, more);
    EXPECT_TRUE(event.ok()) << event.status();
    if (!event.ok() || !(*event)->value) return std::nullopt;
    return std::string(*(*event)->value);
  }
  static std::vector<std::pair<std::string, Field>> Headers(const OutboxEvent& event) {
    std::vector<std::pair<std::string, Field>> headers;
    for (const EventHeader& header : event.headers) {
      headers.emplace_back(header.name,
                           header.value ? Field(std::string(*header.value)) : std::nullopt);
    }
    return headers;
  }
  void ExpectPoison(const absl::StatusOr<const OutboxEvent*>& event, PoisonReason reason,
                    const std::string& text) {
    EXPECT_TRUE(absl::IsInvalidArgument(event.status())) << event.status();
    EXPECT_EQ(PoisonReasonOf(event.status()), reason) << event.status();
    EXPECT_THAT(std::string(event.status().message()), testing::HasSubstr(text));
  }

  OutboxSettings settings_;
  std::vector<QualifiedName> ignored_;
  pgoutput::Relation relation_;
  std::optional<EventMapper> mapper_;
  std::vector<Field> fields_;
  std::vector<pgoutput::ColumnValue> row_;
};

}  // namespace walpost::outbox

#endif  // WALPOST_TESTS_UNIT_OUTBOX_MAPPER_FIXTURE_H_
