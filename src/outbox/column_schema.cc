#include <absl/strings/str_cat.h>

#include <string>
#include <string_view>

#include "base/strings.h"
#include "outbox/column_format.h"
#include "outbox/json_string.h"

namespace walpost::outbox {
namespace {

// A type of Kafka Connect, and the name that says what its values mean.
struct ConnectType {
  std::string_view type;
  std::string_view name = {};
};

// That of the values which AppendJson() writes, in either style.
ConnectType SharedTypeOf(ColumnType type) {
  switch (type) {
    case ColumnType::kUuid:
      return {"string", "io.debezium.data.Uuid"};
    case ColumnType::kJson:
      return {"string", "io.debezium.data.Json"};
    case ColumnType::kXml:
      return {"string", "io.debezium.data.Xml"};
    case ColumnType::kBool:
      return {"boolean"};
    case ColumnType::kInt16:
      return {"int16"};
    case ColumnType::kInt32:
      return {"int32"};
    case ColumnType::kInt64:
      return {"int64"};
    case ColumnType::kFloat32:
      return {"float"};
    case ColumnType::kFloat64:
      return {"double"};
    case ColumnType::kBytea:
      return {"bytes"};
    default:
      return {"string"};
  }
}

ConnectType DebeziumTypeOf(ColumnType type) {
  switch (type) {
    case ColumnType::kNumeric:
      return {"bytes", "org.apache.kafka.connect.data.Decimal"};
    case ColumnType::kDate:
      return {"int32", "io.debezium.time.Date"};
    case ColumnType::kTimeMs:
      return {"int32", "io.debezium.time.Time"};
    case ColumnType::kTimeUs:
      return {"int64", "io.debezium.time.MicroTime"};
    case ColumnType::kTimeTz:
      return {"string", "io.debezium.time.ZonedTime"};
    case ColumnType::kTimestampMs:
      return {"int64", "io.debezium.time.Timestamp"};
    case ColumnType::kTimestampUs:
      return {"int64", "io.debezium.time.MicroTimestamp"};
    case ColumnType::kTimestampTz:
      return {"string", "io.debezium.time.ZonedTimestamp"};
    case ColumnType::kInterval:
      return {"int64", "io.debezium.time.MicroDuration"};
    default:
      return SharedTypeOf(type);
  }
}

ConnectType PostgresTypeOf(ColumnType type) {
  const bool is_numeric = type == ColumnType::kNumeric || type == ColumnType::kNumericAny;
  return is_numeric ? ConnectType{"double"} : SharedTypeOf(type);
}

}  // namespace

std::string ColumnFormat::SchemaJson(bool optional, std::string_view field) const {
  const ConnectType connect = debezium ? DebeziumTypeOf(type) : PostgresTypeOf(type);
  std::string json = absl::StrCat(R"({"type":")", ToAbsl(connect.type), R"(","optional":)",
                                  optional ? "true" : "false");
  if (!connect.name.empty()) {
    absl::StrAppend(&json, R"(,"name":")", ToAbsl(connect.name), R"(","version":1)");
  }
  if (debezium && type == ColumnType::kNumeric) {
    absl::StrAppend(&json, R"(,"parameters":{"scale":")", scale,
                    R"(","connect.decimal.precision":")", precision, R"("})");
  }
  if (!field.empty()) {
    json.append(R"(,"field":)");
    AppendJsonString(field, json);
  }
  json.push_back('}');
  return json;
}

}  // namespace walpost::outbox
