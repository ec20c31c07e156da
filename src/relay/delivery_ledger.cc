#include "relay/delivery_ledger.h"

#include "pgoutput/frame.h"

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
}

void DeliveryLedger::BeginStream(Lsn start) {
  tracker_.Reset(start);
  failure_ = absl::OkStatus();
}

void DeliveryLedger::OnSinkRestarted() {
  events_ = 0;
  bytes_ = 0;
}

void DeliveryLedger::OnDelivered(EventTicket ticket, std::size_t cost) {
  Settle(cost);
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
  // An event of an earlier stream comes again, and fails again if it must.
  if (tracker_.IsCurrent(ticket)) failure_.Update(reason);
}

}  // namespace walpost
