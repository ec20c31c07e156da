#ifndef WALPOST_APP_TRANSACTION_ENDS_H_
#define WALPOST_APP_TRANSACTION_ENDS_H_

#include <absl/status/status.h>

#include <cstdint>
#include <optional>
#include <string_view>

#include "pgoutput/decoder.h"
#include "walpost/lsn.h"

namespace walpost::app {

// Where a position is among the transactions that a slot would stream.
//
// A slot at L streams every transaction whose commit record begins at L or later, whole, and passes
// over all others, whole (measured; SnapBuildXactNeedsSkip() in snapbuild.c). So a position between
// the beginning and the end of a commit record passes over a transaction that does not end there,
// and one between a transaction's first record and its commit is no place at which anybody has
// finished. Both lie inside. The end of a transaction is good in any case, even if another is under
// way there: the stream sends transactions in the order of their commits, never mixed.
//
// Knows the transactions it was told of; not thread-safe.
class TransactionEnds {
 public:
  struct Transaction {
    std::uint32_t xid = 0;
    Lsn first;   // start of its first record
    Lsn commit;  // start of its commit record
    Lsn end;
  };

  explicit TransactionEnds(Lsn target) : target_(target) {}

  // One pgoutput message Begin or Commit, at its position in the stream; others are passed over.
  // Error: kDataLoss for what does not decode, or a Commit that ends no Begin.
  absl::Status Add(Lsn position, std::string_view message);

  // Whether a transaction ends exactly at the target.
  bool TargetIsEnd() const { return target_is_end_; }
  // The first transaction, by its end, that the target lies inside. Nothing when it is an end.
  std::optional<Transaction> Enclosing() const;
  // Transactions that a slot at the target passes over.
  std::uint64_t passed() const { return passed_; }
  // The last end at or before the target, and the first one after it.
  std::optional<Lsn> end_before() const { return end_before_; }
  std::optional<Lsn> end_after() const { return end_after_; }

 private:
  absl::Status End(const pgoutput::Commit& commit);

  const Lsn target_;
  pgoutput::Decoder decoder_;
  std::optional<Transaction> open_;
  std::optional<Transaction> enclosing_;
  bool target_is_end_ = false;
  std::uint64_t passed_ = 0;
  std::optional<Lsn> end_before_;
  std::optional<Lsn> end_after_;
};

}  // namespace walpost::app

#endif  // WALPOST_APP_TRANSACTION_ENDS_H_
