#include "postgres/stream_error.h"

#include <absl/strings/match.h>
#include <absl/strings/str_cat.h>

#include "base/strings.h"
#include "core/qualified_name.h"
#include "postgres/sql_state.h"

namespace walpost::postgres {
namespace {

using absl::StatusCode;
using absl::StrCat;

// Both ways out pass over rows, and so must be a person's decision.
std::string NewerPublicationHint(const StreamNames& names) {
  std::string slot = QuoteLiteral(names.slot);
  return StrCat(
      "create the publication if it is missing (walpost setup); a slot that is older "
      "than its publication must then pass over what was written before: SELECT "
      "pg_replication_slot_advance(",
      slot, ", pg_current_wal_lsn()), or SELECT pg_drop_replication_slot(", slot,
      ") and walpost setup; publish rows that were written until then again from the "
      "table");
}

std::string LostSlotHint(const StreamNames& names) {
  return StrCat("SELECT pg_drop_replication_slot(", QuoteLiteral(names.slot),
                "), run walpost setup, and publish the rows that were not confirmed again from the "
                "table; see max_slot_wal_keep_size");
}

}  // namespace

absl::Status StatusOfStreamError(const absl::Status& error, const StreamNames& names) {
  std::string state = SqlStateOf(error);
  std::string told =
      StrCat("stream of slot ", QuoteIdentifier(names.slot), " ended: ", error.message());
  auto status = [&state, &told](StatusCode code, const std::string& hint) {
    return StatusWithSqlState(code, state,
                              ToStd(hint.empty() ? told : StrCat(told, "; hint: ", hint)));
  };
  bool wal_removed = state == "58P01" || absl::StrContains(told, "has already been removed");
  bool invalidated = state == "55000" && (absl::StrContains(told, "no longer") ||
                                          absl::StrContains(told, "invalidated"));
  if (wal_removed || invalidated) return status(StatusCode::kDataLoss, LostSlotHint(names));
  if (state == "42704") {
    return status(StatusCode::kFailedPrecondition, NewerPublicationHint(names));
  }
  if (state == "55006") {
    return status(StatusCode::kAborted,
                  "another walpost runs with postgres.slot (--slot) of that name");
  }
  // Text that does not convert to UTF-8 and the like: nothing that our configuration holds.
  if (state == "22021" || state == "22P05") {
    return status(StatusCode::kFailedPrecondition,
                  "a row holds text that is not UTF-8, as a database with another encoding or "
                  "SQL_ASCII may, and the server cannot send it; nothing from its transaction on "
                  "is confirmed; publish that row in another way, then move the slot past it "
                  "knowingly (walpost slot advance)");
  }
  bool of_the_data = absl::IsInvalidArgument(error);
  return status(of_the_data ? StatusCode::kFailedPrecondition : error.code(), "");
}

absl::Status StatusOfSkippedPublication(const StreamNames& names) {
  return absl::FailedPreconditionError(
      StrCat("publication ", QuoteIdentifier(names.publication),
             " does not exist for the changes that slot ", QuoteIdentifier(names.slot),
             " has come to, and the server leaves out their rows; nothing after them was "
             "confirmed; hint: ",
             NewerPublicationHint(names)));
}

}  // namespace walpost::postgres
