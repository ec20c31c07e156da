#ifndef WALPOST_OUTBOX_OUTBOX_RULE_H_
#define WALPOST_OUTBOX_OUTBOX_RULE_H_

#include <absl/status/statusor.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/outbox_settings.h"
#include "core/qualified_name.h"
#include "outbox/column_template.h"
#include "outbox/field_source.h"
#include "outbox/json_expand.h"
#include "outbox/topic_router.h"

namespace walpost::outbox {

struct NamedSource {
  std::string name;
  FieldSource source;
};

enum class KeyFormat { kText, kJson, kJsonSchema, kBytes };
enum class ValueFormat {
  kText,
  kBytes,
  kJson,
  kJsonEscaped,
  kJsonSchema,
  kEnvelope,
  kStruct,
  kCloudEvents,
};
enum class TimestampSource { kCommit, kNow, kColumn };

// How the rows of one table become events, by column name: a preset with what the configuration
// overrides. Movable.
struct OutboxRule {
  QualifiedName table;  // empty for logical decoding messages
  bool is_message = false;
  std::string prefix;  // of the messages
  bool all_messages = false;

  std::string id_column;
  ColumnTemplate topic;
  std::unique_ptr<TopicRouter> router;  // null: the topic stays as the template renders it
  std::optional<FieldSource> key;
  KeyFormat key_format = KeyFormat::kText;
  std::string value_column;
  ValueFormat value_format = ValueFormat::kText;
  bool expand = false;  // the payload as Debezium expands it
  ExpandOptions expand_options;
  std::vector<NamedSource> envelope;
  bool tombstone_when_empty = false;

  std::string tracing_column;  // empty: none
  std::vector<NamedSource> headers;
  std::string headers_column;  // empty: none
  bool json_headers = false;
  std::string partition_column;  // empty: none
  TimestampSource timestamp = TimestampSource::kCommit;
  std::string timestamp_column;
  bool debezium_text = false;  // columns are written as Debezium's connector does
  std::vector<NamedSource> cloudevents;
  bool structured = false;  // CloudEvents in structured mode

  // Error: kInvalidArgument, naming the setting first: "outbox.topic: ...".
  static absl::StatusOr<OutboxRule> Compile(const OutboxSettings& settings);

  // For errors: the table, or the messages.
  std::string Name() const;

  // Each column that the rule reads, once, in order of first use.
  std::vector<OutboxColumn> Columns() const;
};

// The types that can be a partition, and a timestamp.
inline constexpr std::uint32_t kPartitionTypes[] = {21, 23, 20};  // int2, int4, int8
inline constexpr std::uint32_t kTimestampTypes[] = {1114, 1184};  // timestamp, timestamptz

}  // namespace walpost::outbox

#endif  // WALPOST_OUTBOX_OUTBOX_RULE_H_
