#include "app/transaction_ends.h"

#include <absl/status/statusor.h>
#include <absl/strings/str_cat.h>

#include <algorithm>
#include <variant>

#include "base/status_macros.h"

namespace walpost::app {

absl::Status TransactionEnds::Add(Lsn position, std::string_view message) {
  WALPOST_ASSIGN_OR_RETURN(pgoutput::Message decoded, decoder_.Decode(message));
  if (const auto* begin = std::get_if<pgoutput::Begin>(&decoded)) {
    open_ =
        Transaction{.xid = begin->xid, .first = position, .commit = begin->final_lsn, .end = Lsn()};
  }
  if (const auto* commit = std::get_if<pgoutput::Commit>(&decoded)) return End(*commit);
  return absl::OkStatus();
}

absl::Status TransactionEnds::End(const pgoutput::Commit& commit) {
  if (!open_.has_value() || open_->commit != commit.commit_lsn) {
    return absl::DataLossError(absl::StrCat(
        "the server sent a commit at ", commit.commit_lsn.ToString(), " that ends no transaction"));
  }
  open_->end = commit.end_lsn;
  const Transaction done = *open_;
  open_.reset();
  // The server's own rule.
  if (done.commit < target_) ++passed_;
  if (done.end == target_) target_is_end_ = true;
  if (done.end <= target_) {
    end_before_ = std::max(end_before_.value_or(done.end), done.end);
  } else if (!end_after_.has_value()) {
    end_after_ = done.end;
  }
  const bool inside = done.first < target_ && target_ < done.end;
  if (inside && !enclosing_.has_value()) enclosing_ = done;
  return absl::OkStatus();
}

std::optional<TransactionEnds::Transaction> TransactionEnds::Enclosing() const {
  return target_is_end_ ? std::nullopt : enclosing_;
}

}  // namespace walpost::app
