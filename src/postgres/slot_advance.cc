#include "postgres/slot_advance.h"

#include <absl/strings/ascii.h>
#include <absl/strings/escaping.h>
#include <absl/strings/match.h>
#include <absl/strings/numbers.h>
#include <absl/strings/str_cat.h>
#include <absl/strings/str_split.h>

#include <string>
#include <utility>
#include <vector>

#include "base/status_macros.h"
#include "base/strings.h"
#include "core/qualified_name.h"
#include "postgres/connection.h"
#include "postgres/preflight.h"
#include "postgres/sql_state.h"
#include "postgres/stream_error.h"

namespace walpost::postgres {
namespace {

using absl::FailedPreconditionError;
using absl::StrCat;

constexpr absl::Duration kAskLimit = absl::Seconds(30);
// For what reads the log, and may have to read a day of it.
constexpr absl::Duration kLongLimit = absl::Hours(12);
// Rows of two small columns: some hundred kilobytes at a time.
constexpr std::size_t kFetch = 5000;

std::string SlotObject(std::string_view name) { return StrCat("slot ", QuoteIdentifier(name)); }

absl::Status SlotIsHeld(std::string_view name, std::string_view by) {
  return FailedPreconditionError(
      StrCat(SlotObject(name), " is in use", ToAbsl(by),
             ", and its owner would move it at the same time; hint: stop the connector first (PUT "
             "/connectors/NAME/stop, and wait until pg_replication_slots.active is false), or the "
             "walpost that runs on it"));
}

absl::Status OtherPlugin(std::string_view name, std::string_view plugin) {
  return FailedPreconditionError(
      StrCat(SlotObject(name), " belongs to the output plugin ", ToAbsl(plugin),
             ", which walpost does not read, and a slot cannot change it; hint: make a slot of its "
             "own with walpost setup --slot NAME while the connector still runs, so that nothing "
             "is missing from it, then stop the connector and advance the new slot instead"));
}

std::string PeekSql(const ConnectionOptions& options, Lsn upto) {
  // Messages too: a transaction that holds nothing else has an end like every other, and a
  // connector that asked for them may stand there. Bytes 66 and 67 are Begin and Commit: no row
  // leaves the server.
  return StrCat("DECLARE ends NO SCROLL CURSOR FOR SELECT lsn, data FROM ",
                "pg_logical_slot_peek_binary_changes(", QuoteLiteral(options.slot), ", '",
                upto.ToString(), "', NULL, 'proto_version', '1', 'messages', 'true', ",
                "'publication_names', ", QuoteLiteral(QuoteIdentifier(options.publication)),
                ") WHERE get_byte(data, 0) IN (66, 67)");
}

absl::Status HandOut(const SqlResult& rows, const SlotAdvance::OnMessage& on_message) {
  for (std::size_t i = 0; i < rows.row_count(); ++i) {
    WALPOST_ASSIGN_OR_RETURN(Lsn position, Lsn::Parse(rows.Text(i, "lsn")));
    std::string_view hex = rows.Text(i, "data");  // \x42...
    std::string message =
        absl::HexStringToBytes(ToAbsl(hex.substr(hex.starts_with("\\x") ? 2 : 0)));
    WALPOST_RETURN_IF_ERROR(on_message(position, message));
  }
  return absl::OkStatus();
}

absl::Status NotInHistory(std::uint32_t timeline) {
  return FailedPreconditionError(StrCat("it is not known where timeline ", timeline, " was left"));
}

}  // namespace

absl::Status CheckSlotMayMove(const std::optional<SlotFacts>& slot, std::string_view name,
                              const ServerFacts& server) {
  if (!slot.has_value()) {
    return FailedPreconditionError(
        StrCat(SlotObject(name),
               " does not exist; hint: name the one that the connector used with postgres.slot "
               "(--slot); its slot.name is debezium unless it was set"));
  }
  if (slot->type == "logical" && slot->plugin != "pgoutput") return OtherPlugin(name, slot->plugin);
  WALPOST_RETURN_IF_ERROR(CheckSlotIsOurs(*slot, name, server));
  if (slot->synced && server.in_recovery) {
    return FailedPreconditionError(
        StrCat(SlotObject(name),
               " is a synchronised copy on a standby, which follows the primary's; hint: name the "
               "primary in postgres.conninfo (--conninfo)"));
  }
  if (slot->active_pid != 0) return SlotIsHeld(name, StrCat(" by pid ", slot->active_pid));
  if (!slot->confirmed_flush.has_value()) {
    return FailedPreconditionError(
        StrCat(SlotObject(name), " has no position yet; hint: wait until its creation is done"));
  }
  return absl::OkStatus();
}

absl::StatusOr<Lsn> SwitchPointOf(std::string_view history, std::uint32_t timeline) {
  // `1<TAB>0/5000000<TAB>no recovery target specified`, one line for each ancestor.
  for (absl::string_view line : absl::StrSplit(ToAbsl(history), '\n')) {
    std::vector<absl::string_view> fields =
        absl::StrSplit(absl::StripAsciiWhitespace(line), absl::ByAnyChar(" \t"), absl::SkipEmpty());
    std::uint32_t ancestor = 0;
    if (fields.size() < 2 || !absl::SimpleAtoi(fields[0], &ancestor)) continue;
    if (ancestor == timeline) return Lsn::Parse(ToStd(fields[1]));
  }
  return NotInHistory(timeline);
}

SlotAdvance::SlotAdvance(ConnectionOptions options, std::unique_ptr<Connection> connection,
                         const StopSignal& stop)
    : options_(std::move(options)), stop_(stop), connection_(std::move(connection)) {}

SlotAdvance::~SlotAdvance() = default;

absl::StatusOr<std::unique_ptr<SlotAdvance>> SlotAdvance::Open(ConnectionOptions options,
                                                               const StopSignal& stop) {
  WALPOST_RETURN_IF_ERROR(CheckSlotName(options.slot));
  WALPOST_ASSIGN_OR_RETURN(std::unique_ptr<Connection> connection,
                           Connection::Open(options, ConnectionMode::kSql, stop));
  // If we are stopped, the server notices and does not go on by itself. Not every platform can.
  absl::Status watched =
      connection->Execute("SET client_connection_check_interval = '1s'", kAskLimit).status();
  if (!watched.ok() && SqlStateOf(watched).empty()) return watched;
  std::unique_ptr<SlotAdvance> advance(
      new SlotAdvance(std::move(options), std::move(connection), stop));
  advance->connection_->set_notice_handler(
      [self = advance.get()](const Connection::Notice& notice) {
        if (notice.sql_state == "55000") self->rows_were_left_out_ = true;
      });
  return advance;
}

absl::StatusOr<SlotPosition> SlotAdvance::Read() {
  WALPOST_ASSIGN_OR_RETURN(ServerFacts server, ReadServer(*connection_));
  WALPOST_RETURN_IF_ERROR(CheckServer(server));
  WALPOST_ASSIGN_OR_RETURN(std::optional<SlotFacts> slot, ReadSlot(*connection_, options_.slot));
  WALPOST_RETURN_IF_ERROR(CheckSlotMayMove(slot, options_.slot, server));
  WALPOST_ASSIGN_OR_RETURN(
      SqlResult end,
      connection_->Execute(server.in_recovery ? "SELECT pg_last_wal_replay_lsn() AS wal_end"
                                              : "SELECT pg_current_wal_flush_lsn() AS wal_end",
                           kAskLimit));
  WALPOST_ASSIGN_OR_RETURN(Lsn wal_end, Lsn::Parse(end.Text(0, "wal_end")));
  return SlotPosition{*slot->confirmed_flush, wal_end};
}

absl::Status SlotAdvance::CheckPublication() {
  WALPOST_ASSIGN_OR_RETURN(std::optional<PublicationFacts> publication,
                           ReadPublication(*connection_, options_.publication));
  if (publication.has_value()) return absl::OkStatus();
  return FailedPreconditionError(
      StrCat("publication ", QuoteIdentifier(options_.publication),
             " does not exist, and without it nobody can see where transactions end; hint: name "
             "the one that the connector used with postgres.publication (--publication); its "
             "publication.name is dbz_publication unless it was set"));
}

absl::Status SlotAdvance::CheckTimeline(std::uint32_t timeline, Lsn target) {
  WALPOST_ASSIGN_OR_RETURN(std::unique_ptr<Connection> walsender,
                           Connection::Open(options_, ConnectionMode::kReplication, stop_,
                                            connection_->ServerAddress()));
  WALPOST_ASSIGN_OR_RETURN(SqlResult system, walsender->Execute("IDENTIFY_SYSTEM", kAskLimit));
  std::string current(system.Text(0, "timeline"));
  if (current == StrCat(timeline)) return absl::OkStatus();
  absl::StatusOr<SqlResult> history =
      walsender->Execute(ToStd(StrCat("TIMELINE_HISTORY ", current)), kAskLimit);
  absl::StatusOr<Lsn> left =
      history.ok() ? SwitchPointOf(history->Text(0, "content"), timeline) : NotInHistory(timeline);
  // Up to the switch both timelines are the same bytes.
  if (left.ok() && target <= *left) return absl::OkStatus();
  std::string why = left.ok() ? StrCat("timeline ", timeline, " was left at ", left->ToString())
                              : std::string(left.status().message());
  return FailedPreconditionError(
      StrCat("LSN ", target.ToString(), " was taken on timeline ", timeline,
             ", but the server is on timeline ", current, ", and ", why,
             ": the same number is another place here; hint: leave the slot where it is and "
             "let walpost publish the rows again (consumers tell them by id), or compare the table "
             "with the topics"));
}

absl::Status SlotAdvance::PeekTransactions(Lsn upto, const OnMessage& on_message) {
  rows_were_left_out_ = false;
  // The cursor keeps what was read on the server, however much that is.
  for (const std::string& sql : {std::string("BEGIN READ ONLY"), PeekSql(options_, upto)}) {
    absl::Status done = connection_->Execute(sql, kLongLimit).status();
    if (!done.ok()) return StatusOfRead(done);
  }
  absl::Status fetched = FetchAll(on_message);
  absl::Status ended = connection_->Execute("ROLLBACK", kAskLimit).status();
  return fetched.ok() ? ended : fetched;
}

absl::Status SlotAdvance::FetchAll(const OnMessage& on_message) {
  while (true) {
    absl::StatusOr<SqlResult> rows =
        connection_->Execute(ToStd(StrCat("FETCH ", kFetch, " FROM ends")), kLongLimit);
    if (!rows.ok()) return StatusOfRead(rows.status());
    if (rows_were_left_out_) {
      return StatusOfSkippedPublication(
          {.slot = options_.slot, .publication = options_.publication});
    }
    WALPOST_RETURN_IF_ERROR(HandOut(*rows, on_message));
    if (rows->row_count() < kFetch) return absl::OkStatus();
  }
}

absl::StatusOr<Lsn> SlotAdvance::Advance(Lsn target) {
  absl::Status moved =
      connection_
          ->Execute(ToStd(StrCat("SELECT pg_replication_slot_advance(", QuoteLiteral(options_.slot),
                                 ", '", target.ToString(), "')")),
                    kLongLimit)
          .status();
  if (!moved.ok()) return StatusOfMove(moved, target);
  absl::StatusOr<std::optional<SlotFacts>> slot = ReadSlot(*connection_, options_.slot);
  if (!slot.ok()) return StatusOfMove(slot.status(), target);
  if (!slot->has_value() || !(*slot)->confirmed_flush.has_value()) {
    return FailedPreconditionError(
        StrCat(SlotObject(options_.slot), " was dropped while it was moved"));
  }
  return *(*slot)->confirmed_flush;
}

absl::Status SlotAdvance::StatusOfRead(const absl::Status& error) const {
  std::string state = SqlStateOf(error);
  if (absl::IsCancelled(error)) {
    return absl::UnavailableError(
        StrCat("stopped while reading ", SlotObject(options_.slot), "; nothing was changed"));
  }
  if (state == "55006") return SlotIsHeld(options_.slot, "");
  if (state == "53400") {
    return StatusWithSqlState(
        error.code(), state,
        ToStd(StrCat("cannot read ", SlotObject(options_.slot), ": ", error.message(),
                     "; hint: raise temp_file_limit for the role of postgres.conninfo "
                     "(--conninfo), or skip the step: rows come twice then, and none is lost")));
  }
  return StatusOfStreamError(error, {.slot = options_.slot, .publication = options_.publication});
}

absl::Status SlotAdvance::StatusOfMove(const absl::Status& error, Lsn target) const {
  std::string state = SqlStateOf(error);
  std::string object = SlotObject(options_.slot);
  if (absl::IsCancelled(error)) {
    return absl::UnavailableError(
        StrCat("stopped while ", object, " was on its way to ", target.ToString(),
               "; it stays where it was, or is there; hint: run it again, it does what is left"));
  }
  if (state == "55006") return SlotIsHeld(options_.slot, "");
  return StatusWithSqlState(
      error.code(), state,
      ToStd(StrCat("cannot move ", object, " to ", target.ToString(), ": ", error.message())));
}

}  // namespace walpost::postgres
