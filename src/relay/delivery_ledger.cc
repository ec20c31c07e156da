#include "relay/delivery_ledger.h"

#include <utility>

#include "base/strings.h"
#include "pgoutput/frame.h"
#include "relay/poison_log.h"

namespace walpost {

void DeliveryLedger::StampNow() {
  now_us_ = absl::ToInt64Microseconds(clock_.Now() - pgoutput::TimeFromWire(0));
}

void DeliveryLedger::PublishMetrics() {
  metrics_.events_in_flight.Set(static_cast<std::int64_t>(events_));
  metrics_.bytes_in_flight.Set(static_cast<std::int64_t>(bytes_));
  const auto oldest = tracker_.oldest_unacked_commit_us();
  metrics_.oldest_unacked_commit_us.Set(oldest ? absl::ToUnixMicros(pgoutput::TimeFromWire(*oldest))
                                               : 0);
  if (events_ == 0 || delivered_) {
    metrics_.last_sink_progress_us.Set(absl::ToUnixMicros(clock_.Now()));
    delivered_ = false;
  }
}

void DeliveryLedger::BeginStream(Lsn start) {
  tracker_.Reset(start);
  failure_ = absl::OkStatus();
}

void DeliveryLedger::ForgetStream() {
  BeginStream(Lsn());
  PublishMetrics();
}

void DeliveryLedger::OnSinkRestarted() {
  events_ = 0;
  bytes_ = 0;
  letters_.clear();
}

EventTicket DeliveryLedger::AddDeadLetter(EventTicket ticket, std::string_view poison) {
  letters_[next_letter_] = {ticket, std::string(poison)};
  return next_letter_++;
}

DeliveryLedger::DeadLetter DeliveryLedger::TakeLetter(EventTicket ticket) {
  auto letter = letters_.extract(ticket);
  // One that was never given: the tracker knows it neither, and says so.
  if (letter.empty()) return {ticket, ""};
  return std::move(letter.mapped());
}

void DeliveryLedger::OnDelivered(EventTicket ticket, std::size_t cost) {
  Settle(cost);
  delivered_ = true;
  if ((ticket & kLetterBit) != 0) ticket = TakeLetter(ticket).ticket;
  if (!tracker_.IsCurrent(ticket)) return;
  auto commit_time_us = tracker_.Ack(ticket);
  if (!commit_time_us.ok()) {
    failure_.Update(commit_time_us.status());
    return;
  }
  metrics_.commit_to_ack.Observe(static_cast<double>(now_us_ - *commit_time_us) / 1e6, 1);
}

void DeliveryLedger::OnFailed(EventTicket ticket, std::size_t cost, const absl::Status& reason) {
  Settle(cost);
  absl::Status failure = reason;
  if ((ticket & kLetterBit) != 0) {
    const DeadLetter letter = TakeLetter(ticket);
    ticket = letter.ticket;
    if (absl::IsDataLoss(reason)) {
      failure = absl::DataLossError(
          JoinReasons(letter.poison, "its dead letter was refused:", ToStd(reason.message())));
    }
  }
  // An event of an earlier stream comes again, and fails again if it must.
  if (!tracker_.IsCurrent(ticket) || !failure_.ok()) return;
  failure_ = failure;
  failed_at_ = tracker_.CommitOf(ticket);
}

}  // namespace walpost
