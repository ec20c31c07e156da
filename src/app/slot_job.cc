#include <absl/strings/str_cat.h>

#include <algorithm>
#include <memory>
#include <string>

#include "app/app.h"
#include "app/parts.h"
#include "app/signal_stop.h"
#include "app/transaction_ends.h"
#include "base/status_macros.h"
#include "core/qualified_name.h"
#include "postgres/slot_advance.h"

namespace walpost::app {
namespace {

using absl::FailedPreconditionError;
using absl::StrCat;
using postgres::SlotAdvance;
using postgres::SlotPosition;

// How far after the target to look for the end of a transaction that it may lie inside: each step
// when the one before has shown nothing. A transaction that is under way for longer than the last
// is not found, and not harmed: it commits after the target, and so is streamed as a whole.
constexpr std::uint64_t kLookAhead[] = {0, std::uint64_t{16} << 20, std::uint64_t{1} << 30};

absl::Status CheckReached(Lsn target, Lsn wal_end) {
  if (target <= wal_end) return absl::OkStatus();
  return FailedPreconditionError(StrCat(
      "LSN ", target.ToString(), " is beyond the end of the server's log, ", wal_end.ToString(),
      ": it was taken on another server, or on a timeline that this one has left; hint: "
      "check postgres.conninfo (--conninfo) and where the position comes from, or skip the "
      "step: rows come twice then, and none is lost"));
}

absl::Status InsideError(Lsn target, Lsn confirmed, const TransactionEnds& ends) {
  const TransactionEnds::Transaction inside = *ends.Enclosing();
  const std::string before = ends.end_before().has_value()
                                 ? StrCat("advance to ", ends.end_before()->ToString(),
                                          ", where the last transaction before it ends")
                                 : StrCat("leave the slot at ", confirmed.ToString(),
                                          ", since no transaction ends between it and there");
  return FailedPreconditionError(
      StrCat("LSN ", target.ToString(), " is inside a transaction (xid ", inside.xid, ", from ",
             inside.first.ToString(), " to ", inside.end.ToString(),
             "), as lsn and lsn_proc of a connector's offset are; hint: ", before,
             ", or give the connector's lsn_commit"));
}

absl::Status NoEndError(Lsn target, const config::Settings& settings, const TransactionEnds& ends) {
  const std::string near = StrCat(
      ends.end_before().has_value()
          ? StrCat("; the last one before it ends at ", ends.end_before()->ToString())
          : std::string(),
      ends.end_after().has_value() ? StrCat("; the next one ends at ", ends.end_after()->ToString())
                                   : std::string());
  return FailedPreconditionError(
      StrCat("no transaction that slot ", QuoteIdentifier(settings.postgres.slot),
             " would stream with publication ", QuoteIdentifier(settings.postgres.publication),
             " ends at lsn_commit ", target.ToString(), near,
             ", so the offset is not of this slot, this publication or this timeline; hint: give "
             "the publication that the connector used (--publication), check which connector the "
             "offset is of, or skip the step: rows come twice then, and none is lost"));
}

// Where the target is among the transactions of the slot, looking no farther than it takes.
absl::StatusOr<TransactionEnds> Locate(SlotAdvance& slot, const SlotAdvanceOptions& options,
                                       Lsn wal_end) {
  for (const std::uint64_t ahead : kLookAhead) {
    const Lsn upto(options.target.value() + ahead);
    TransactionEnds ends(options.target);
    WALPOST_RETURN_IF_ERROR(slot.PeekTransactions(
        std::min(upto, wal_end),
        [&ends](Lsn position, std::string_view m) { return ends.Add(position, m); }));
    const bool decided =
        ends.TargetIsEnd() || ends.Enclosing().has_value() || options.must_end_transaction;
    if (decided || upto >= wal_end || ahead == std::end(kLookAhead)[-1]) return ends;
  }
  return absl::InternalError("nothing was looked at");
}

// Refuses a target at which the connector cannot have stopped.
absl::Status CheckPlace(const TransactionEnds& ends, const config::Settings& settings,
                        const SlotAdvanceOptions& options, Lsn confirmed) {
  if (ends.TargetIsEnd()) return absl::OkStatus();
  if (options.must_end_transaction) return NoEndError(options.target, settings, ends);
  if (!ends.Enclosing().has_value()) return absl::OkStatus();
  return InsideError(options.target, confirmed, ends);
}

absl::StatusOr<SlotAdvanceReport> Work(const config::Settings& settings,
                                       const SlotAdvanceOptions& options, const StopSignal& stop) {
  using State = SlotAdvanceReport::State;
  WALPOST_ASSIGN_OR_RETURN(std::unique_ptr<SlotAdvance> slot,
                           SlotAdvance::Open(ConnectionOptionsFrom(settings), stop));
  WALPOST_ASSIGN_OR_RETURN(const SlotPosition position, slot->Read());
  WALPOST_RETURN_IF_ERROR(CheckReached(options.target, position.wal_end));
  if (options.timeline.has_value()) {
    WALPOST_RETURN_IF_ERROR(slot->CheckTimeline(*options.timeline, options.target));
  }
  SlotAdvanceReport report{.from = position.confirmed_flush,
                           .target = options.target,
                           .confirmed = position.confirmed_flush};
  if (options.target <= position.confirmed_flush) return report;
  WALPOST_RETURN_IF_ERROR(slot->CheckPublication());
  WALPOST_ASSIGN_OR_RETURN(const TransactionEnds ends, Locate(*slot, options, position.wal_end));
  WALPOST_RETURN_IF_ERROR(CheckPlace(ends, settings, options, position.confirmed_flush));
  report.transactions = ends.passed();
  report.at_transaction_end = ends.TargetIsEnd();
  report.state = State::kPlanned;
  if (options.dry_run) return report;
  WALPOST_ASSIGN_OR_RETURN(report.confirmed, slot->Advance(options.target));
  report.state = State::kMoved;
  return report;
}

}  // namespace

absl::StatusOr<SlotAdvanceReport> AdvanceSlot(const config::Settings& settings,
                                              const SlotAdvanceOptions& options) {
  SignalStop stop(/*second_signal_ends=*/true);
  absl::StatusOr<SlotAdvanceReport> report = Work(settings, options, stop);
  // Whoever goes on after this step must not take a stop for its end.
  if (!absl::IsCancelled(report.status())) return report;
  return absl::UnavailableError("stopped before the slot was moved; nothing was changed");
}

}  // namespace walpost::app
