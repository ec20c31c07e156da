#ifndef WALPOST_OUTBOX_EVENT_MAPPER_H_
#define WALPOST_OUTBOX_EVENT_MAPPER_H_

#include <absl/status/status.h>
#include <absl/status/statusor.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "core/outbox_settings.h"
#include "outbox/bound_rule.h"
#include "outbox/dead_letter.h"
#include "outbox/message_row.h"
#include "outbox/outbox_rule.h"
#include "outbox/row_mapper.h"
#include "pgoutput/message.h"
#include "walpost/lsn.h"
#include "walpost/outbox_event.h"

namespace walpost::outbox {

// Maps the INSERTs of the outbox tables, and the logical decoding messages of the preset `message`,
// to events, and rejects what does not fit. Rows of other tables of the publication are told apart
// and left alone.
//
// A table is known by its name in the stream, which it had when the row was written; else by what
// the catalog says of it now: it is an outbox under another name, or a partition of one. What is
// not asked for is not touched: with `value = "text"` the payload passes byte for byte, and nothing
// is allocated for a row once the scratch space has grown.
//
// To be told of every Relation message of the stream. Not thread-safe.
class EventMapper {
 public:
  // Error: kInvalidArgument, naming the setting.
  // `ignored` are tables of the publication whose rows are no events, whatever their columns.
  static absl::StatusOr<EventMapper> Create(const std::vector<OutboxSettings>& settings,
                                            const std::vector<QualifiedName>& ignored = {});

  // What the stream must carry.
  std::vector<OutboxTable> Tables() const;
  // Whether the stream must carry logical decoding messages.
  bool WantsMessages() const { return message_rule_ != nullptr; }

  // Whether the mapping can work with an outbox table as it is now, before its first row comes.
  // Error: that of OnRelation().
  absl::Status CheckTable(const QualifiedName& name, const CatalogTable& table) const;

  // Whether OnRelation() has to be given what the catalog says of this table: it may be a partition
  // of an outbox table, or has types that the stream does not explain.
  bool NeedsCatalog(const pgoutput::Relation& relation) const;

  // Learns where the columns are. `catalog` is the answer about this table, nothing in it when the
  // table is no more; nullptr when it was not asked for.
  //
  // Error: kFailedPrecondition for an outbox table that lacks a column, or has a type that cannot
  // be published. A table of which nobody can say whether its rows are events, since it has the
  // columns of an outbox table and neither is one nor is ignored, or what the type of a column was,
  // is an error once a row of it comes: a partition is described also where its rows come as those
  // of the root.
  absl::Status OnRelation(const pgoutput::Relation& relation,
                          const std::optional<CatalogTable>* catalog = nullptr);

  // Whether the relation is one of the outbox tables. To be asked after OnRelation().
  bool IsOutbox(const pgoutput::Relation& relation) const { return bound_.contains(relation.id); }

  // Whether the relation is no outbox because it is one of the `ignored`. To be asked after
  // OnRelation().
  bool IsIgnored(const pgoutput::Relation& relation) const {
    return passed_over_.contains(relation.id);
  }
  // Of what the catalog says now of an ignored table, which had that name. kDataLoss: it is an
  // outbox, or a partition of one.
  absl::Status CheckIgnored(const QualifiedName& name,
                            const std::optional<CatalogTable>& catalog) const;

  // The event of one row, valid until the next call; nullptr when its table is no outbox.
  // `commit_time_us` is the commit time of its transaction in microseconds since 2000-01-01 UTC.
  // Errors: a poison error (core/poison.h) for a row that cannot be an event, naming the table, the
  // row's id and the reason. kDataLoss for a row of which nobody can say whether it is one.
  absl::StatusOr<const OutboxEvent*> Map(const pgoutput::Insert& insert,
                                         std::int64_t commit_time_us);
  // The same for a logical decoding message; nullptr when its prefix is not ours, or it is not
  // transactional and those are not wanted.
  absl::StatusOr<const OutboxEvent*> Map(const pgoutput::LogicalMessage& message,
                                         std::int64_t commit_time_us);

  // About the row or message that was last given to Map(), whose bytes must still be there:
  // an error that says which it is, by table and id, and why it cannot be an event;
  absl::Status Reject(const absl::Status& reason) const;
  // and the event that carries it to a dead-letter topic: as value the row as a JSON object of its
  // columns (or the content of the message), as key the key that it would have had, if that can be
  // told, and headers that say what it is and what is wrong with it. Valid until the next call.
  // `reason` is what Map() or Reject() answered. One that would be too large may leave the row out,
  // and with it a key that is too long itself.
  const OutboxEvent& DeadLetter(std::string_view topic, const absl::Status& reason, Lsn position,
                                bool with_row = true);

  // Forgets the relations; for a new stream.
  void Reset();

 private:
  EventMapper(std::vector<OutboxRule> rules, const std::vector<QualifiedName>& ignored);

  absl::Status BindMessageRule();
  const OutboxRule* RuleNamed(const pgoutput::Relation& relation) const;
  absl::Status CheckTypesKnown(const pgoutput::Relation& relation, const OutboxRule& rule,
                               const std::optional<CatalogTable>* catalog) const;
  const OutboxRule* RuleOf(const QualifiedName& table) const;
  const OutboxRule* RuleNow(const CatalogTable& table) const;
  bool IsListed(const QualifiedName& name, const std::optional<CatalogTable>& catalog) const;
  bool HasColumnsOfAnOutbox(const pgoutput::Relation& relation) const;
  absl::StatusOr<const OutboxRule*> RuleByCatalog(const pgoutput::Relation& relation,
                                                  const std::optional<CatalogTable>& catalog);
  const BoundRule* FindRule(std::uint32_t relation_id);
  std::optional<std::string_view> LastId() const;

  std::vector<OutboxRule> rules_;
  std::vector<QualifiedName> ignored_;
  std::unordered_map<std::uint32_t, BoundRule> bound_;
  // Relations that are passed over as `ignored`.
  std::unordered_set<std::uint32_t> passed_over_;
  // Relations that ever were an outbox, in this stream or an earlier one.
  std::unordered_set<std::uint32_t> have_been_outboxes_;
  // Relations whose rows nobody can judge, and why.
  std::unordered_map<std::uint32_t, absl::Status> doubtful_;
  // Rows come in runs of one table.
  std::uint32_t last_relation_ = 0;
  const BoundRule* last_rule_ = nullptr;

  std::unique_ptr<BoundRule> message_rule_;  // of the preset `message`
  MessageRow message_row_;
  RowMapper row_mapper_;

  // What Map() was last given.
  pgoutput::Insert row_;
  std::optional<pgoutput::LogicalMessage> message_;
  const BoundRule* rule_ = nullptr;
  DeadLetterWriter dead_letter_;
};

}  // namespace walpost::outbox

#endif  // WALPOST_OUTBOX_EVENT_MAPPER_H_
