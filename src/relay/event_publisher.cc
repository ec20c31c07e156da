#include "relay/event_publisher.h"

#include <utility>

#include "base/status_macros.h"
#include "base/strings.h"
#include "core/poison.h"
#include "outbox/event_mapper.h"

namespace walpost {
namespace {

constexpr std::string_view kPolicyHint =
    "nothing from this transaction on is confirmed; mend what the reason names, or let "
    "relay.on_poison send such events to a dead-letter topic or skip them";
constexpr std::string_view kDeadLetterHint =
    "nothing from this transaction on is confirmed; mend what the last reason names, or let "
    "relay.on_poison skip such events";

}  // namespace

absl::Status EventPublisher::Publish(const absl::StatusOr<const OutboxEvent*>& mapped,
                                     Lsn position) {
  position_ = position;
  if (!mapped.ok()) {
    // What is not about the event is no reason to pass it over.
    if (!absl::IsInvalidArgument(mapped.status())) return mapped.status();
    return OnPoison(mapped.status());
  }
  held_ = *mapped;
  return PublishHeld();
}

absl::Status EventPublisher::PublishAlone(const absl::StatusOr<const OutboxEvent*>& mapped,
                                          std::int64_t commit_time_us, Lsn position) {
  WALPOST_RETURN_IF_ERROR(ledger_.tracker().Begin(commit_time_us, position));
  poison_log_.BeginTransaction(position);
  alone_ = true;
  return Publish(mapped, position);
}

absl::Status EventPublisher::PublishHeld() {
  if (held_ == nullptr) return absl::OkStatus();
  WALPOST_ASSIGN_OR_RETURN(EventTicket ticket, ledger_.tracker().AddEvent());
  const bool is_dead_letter = !poison_.ok();
  if (is_dead_letter) ticket = ledger_.AddDeadLetter(ticket, ToStd(poison_.message()));
  const auto cost = parts_.sink.Publish(*held_, ticket);
  if (cost.ok()) return OnTaken(*cost);
  if (is_dead_letter) ledger_.UndoAddDeadLetter(ticket);
  ledger_.tracker().UndoAddEvent();
  switch (cost.status().code()) {
    case absl::StatusCode::kResourceExhausted:
      return absl::OkStatus();  // stays held until a delivery makes room
    case absl::StatusCode::kInvalidArgument:
      return OnRefused(cost.status());
    default:
      sink_lost_ = absl::IsUnavailable(cost.status());
      return cost.status();
  }
}

absl::Status EventPublisher::OnTaken(std::size_t cost) {
  ledger_.OnPublished(cost);
  if (!poison_.ok()) poison_log_.Handled(PoisonAction::kDeadLetter, poison_, position_);
  return Release();
}

// The sink will never take what is held.
absl::Status EventPublisher::OnRefused(const absl::Status& refusal) {
  if (poison_.ok()) return OnPoison(parts_.mapper.Reject(refusal));
  if (!std::exchange(row_left_out_, true)) {
    // A letter is larger than its row, so that of a row which is too large may be too.
    poison_ =
        PoisonError(PoisonReasonOf(poison_),
                    JoinReasons(ToStd(poison_.message()),
                                "its dead letter leaves the row out:", ToStd(refusal.message())));
    held_ = &parts_.mapper.DeadLetter(options_.dead_letter_topic, poison_, position_,
                                      /*with_row=*/false);
    return PublishHeld();
  }
  return Halt(PoisonError(PoisonReasonOf(poison_),
                          JoinReasons(ToStd(poison_.message()),
                                      "its dead letter was refused:", ToStd(refusal.message()))),
              position_, kDeadLetterHint);
}

absl::Status EventPublisher::OnPoison(const absl::Status& poison) {
  switch (options_.on_poison) {
    case PoisonAction::kDeadLetter:
      // Kept, for the letter may point to the reason.
      poison_ = poison;
      held_ = &parts_.mapper.DeadLetter(options_.dead_letter_topic, poison_, position_);
      return PublishHeld();
    case PoisonAction::kSkip:
      poison_log_.Handled(PoisonAction::kSkip, poison, position_);
      return Release();
    case PoisonAction::kHalt:
      break;
  }
  return Halt(poison, position_, kPolicyHint);
}

// The event is on its way, or left out for good.
absl::Status EventPublisher::Release() {
  held_ = nullptr;
  if (!poison_.ok()) poison_ = absl::OkStatus();
  row_left_out_ = false;
  if (!alone_) return absl::OkStatus();
  alone_ = false;
  return ledger_.tracker().Commit(position_);
}

absl::Status EventPublisher::Halt(const absl::Status& poison, Lsn position, std::string_view hint) {
  halted_ = true;
  held_ = nullptr;
  return poison_log_.Halted(poison, position, hint);
}

}  // namespace walpost
