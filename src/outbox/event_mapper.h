#ifndef WALPOST_OUTBOX_EVENT_MAPPER_H_
#define WALPOST_OUTBOX_EVENT_MAPPER_H_

#include <absl/status/status.h>
#include <absl/status/statusor.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/outbox_settings.h"
#include "outbox/outbox_rule.h"
#include "pgoutput/message.h"
#include "walpost/outbox_event.h"

namespace walpost::outbox {

// Maps the INSERTs of the outbox tables to events, by column name, and rejects what does not fit.
// Rows of other tables of the publication are told apart and left alone.
//
// Values pass through as the server's text, byte for byte. Nothing is allocated for a row once the
// scratch space has grown, unless a key or a header is taken out of JSON.
//
// To be told of every Relation message of the stream. Not thread-safe.
class EventMapper {
 public:
  // Error: kInvalidArgument, naming the setting.
  static absl::StatusOr<EventMapper> Create(const std::vector<OutboxSettings>& settings);

  // What the stream must carry.
  std::vector<OutboxTable> Tables() const;

  // Learns where the columns are. Error: kFailedPrecondition for an outbox table that lacks one, or
  // has a type that cannot be published.
  absl::Status OnRelation(const pgoutput::Relation& relation);

  // Whether the relation is one of the outbox tables. To be asked after OnRelation().
  bool IsOutbox(const pgoutput::Relation& relation) const { return bound_.contains(relation.id); }

  // The event of one row, valid until the next call; nullptr when its table is no outbox.
  // `commit_time_us` is the commit time of its transaction in microseconds since 2000-01-01 UTC,
  // and becomes the record's time stamp. Error: kInvalidArgument for a row that cannot be an event,
  // naming the table, the row's id and the reason.
  absl::StatusOr<const OutboxEvent*> Map(const pgoutput::Insert& insert,
                                         std::int64_t commit_time_us);

  // An error that says which row cannot be an event, by table and id, and why; for a row of an
  // outbox table that was mapped and then refused by the sink.
  absl::Status Reject(const pgoutput::Insert& insert, const absl::Status& reason);

  // Forgets the relations; for a new stream.
  void Reset();

 private:
  // A rule with the places of its columns in the relation's rows.
  struct BoundField {
    std::size_t column = 0;
    std::string pointer;
  };
  struct BoundPart {
    std::string text;
    std::optional<std::size_t> column;
  };
  struct BoundRule {
    std::string table;
    std::size_t id = 0;
    std::size_t value = 0;
    std::vector<BoundPart> topic;
    std::optional<BoundField> key;
    std::vector<BoundField> headers;
    std::vector<std::string> header_names;
  };

  explicit EventMapper(std::vector<OutboxRule> rules) : rules_(std::move(rules)) {}

  absl::StatusOr<BoundRule> Bind(const OutboxRule& rule, const pgoutput::Relation& relation) const;
  const BoundRule* FindRule(std::uint32_t relation_id);
  absl::Status Fill(const BoundRule& rule, pgoutput::Tuple row);
  absl::Status RenderTopic(const BoundRule& rule, pgoutput::Tuple row);
  absl::StatusOr<std::optional<std::string_view>> ReadField(const BoundField& field,
                                                            pgoutput::Tuple row,
                                                            std::string& scratch) const;

  std::vector<OutboxRule> rules_;
  std::unordered_map<std::uint32_t, BoundRule> bound_;
  // Rows come in runs of one table.
  std::uint32_t last_relation_ = 0;
  const BoundRule* last_rule_ = nullptr;

  // What event_ points to, reused from row to row.
  OutboxEvent event_;
  std::string topic_;
  std::string legal_topic_;  // the last that passed the check
  std::string key_scratch_;
  std::vector<std::string> header_scratch_;
  std::vector<EventHeader> headers_;
};

}  // namespace walpost::outbox

#endif  // WALPOST_OUTBOX_EVENT_MAPPER_H_
