#include "relay/connection_loop.h"

#include <absl/strings/str_cat.h>

#include <algorithm>
#include <random>

#include "base/clock.h"
#include "base/status_macros.h"
#include "core/error_policy.h"
#include "relay/stream_session.h"
#include "relay/waiter.h"

namespace walpost {
namespace {

// A stream that has lasted this long was a success: the next attempt comes quickly again.
constexpr absl::Duration kSettled = absl::Seconds(5);

std::uint64_t Seed() { return std::random_device{}(); }

}  // namespace

ConnectionLoop::ConnectionLoop(const RelayParts& parts, const RelayOptions& options)
    : parts_(parts),
      options_(options),
      ledger_(options, parts.clock, parts.metrics),
      server_failures_("postgres", parts.logger, parts.clock),
      sink_failures_("kafka", parts.logger, parts.clock),
      backoff_(options.reconnect_min_delay, options.reconnect_max_delay, Seed()),
      standby_backoff_(options.standby_retry_interval, options.standby_retry_interval, Seed()),
      started_(parts.clock.Monotonic()) {}

absl::Status ConnectionLoop::Run() {
  while (!parts_.stop.requested()) {
    parts_.metrics.state.store(standby_ ? RelayState::kStandby : RelayState::kConnecting);
    auto stream = parts_.source.Open(parts_.stop);
    if (!stream.ok()) {
      if (absl::IsCancelled(stream.status())) break;
      WALPOST_RETURN_IF_ERROR(AfterOpenFailed(stream.status()));
      continue;
    }
    absl::Status status = RunStream(**stream);
    if (status.ok()) break;
    stream->reset();  // frees the slot before the pause
    WALPOST_RETURN_IF_ERROR(AfterStreamLost(status));
  }
  return absl::OkStatus();
}

absl::Status ConnectionLoop::RunStream(ReplicationStream& stream) {
  const StreamInfo& info = stream.info();
  WALPOST_RETURN_IF_ERROR(CheckPosition(info));
  server_failures_.Recovered();
  standby_ = false;
  streamed_ = true;
  parts_.logger.Info("streaming", {{"from", info.confirmed_flush.ToString()},
                                   {"timeline", info.timeline},
                                   {"server_version", info.server_version}});
  parts_.metrics.state.store(RelayState::kStreaming);
  const absl::Duration began = parts_.clock.Monotonic();
  StreamSession session(parts_, options_, ledger_, sink_failures_, stream);
  absl::Status status = session.Run();
  known_ = KnownPosition{info.system_id, info.timeline,
                         std::max(info.confirmed_flush, session.confirmed())};
  if (parts_.clock.Monotonic() - began >= kSettled) backoff_.Reset();
  lost_to_sink_ = session.sink_failed();
  if (session.sink_lost()) WALPOST_RETURN_IF_ERROR(RestartSink(status));
  return status;
}

absl::Status ConnectionLoop::RestartSink(const absl::Status& reason) {
  parts_.logger.Debug("making a new producer", {{"reason", std::string(reason.message())}});
  WALPOST_RETURN_IF_ERROR(parts_.sink.Restart());
  ledger_.OnSinkRestarted();
  return absl::OkStatus();
}

// A slot that is ahead of what we know of was moved or made anew by somebody else, and what lies
// between may never have been published. When in doubt, stop.
absl::Status ConnectionLoop::CheckPosition(const StreamInfo& info) {
  if (!known_) return absl::OkStatus();
  if (info.system_id != known_->system_id) {
    return absl::DataLossError(absl::StrCat(
        "the server is another cluster than before (system identifier ", info.system_id, ", was ",
        known_->system_id,
        "); hint: check postgres.conninfo; a start from anew takes the slot as it is there"));
  }
  if (info.timeline != known_->timeline) {
    parts_.logger.Warn("the server is on a new timeline: a standby was promoted",
                       {{"was", known_->timeline}, {"is", info.timeline}});
    return absl::OkStatus();
  }
  if (info.confirmed_flush > known_->confirmed) {
    return absl::DataLossError(
        absl::StrCat("the slot is newer than the last position known: it was at ",
                     known_->confirmed.ToString(), " and is at ", info.confirmed_flush.ToString(),
                     ", so events between may be missing; hint: find out who moved or recreated "
                     "the slot, publish what is missing "
                     "from the table, then start again"));
  }
  return absl::OkStatus();
}

absl::Status ConnectionLoop::AfterOpenFailed(const absl::Status& status) {
  if (absl::IsAborted(status)) {
    BecomeStandby(status);
    return Pause(standby_backoff_.Next());
  }
  if (!PolicyFor(status.code()).retry) return status;
  // At the start somebody is watching: what a person has to mend is said at once, and the rest
  // after a while.
  if (!streamed_) {
    const bool time_is_over = parts_.clock.Monotonic() - started_ >= options_.start_timeout;
    if (absl::IsUnauthenticated(status) || (time_is_over && !standby_)) return status;
  }
  server_failures_.Failed(std::string(status.message()));
  return Pause(backoff_.Next());
}

absl::Status ConnectionLoop::AfterStreamLost(const absl::Status& status) {
  if (!PolicyFor(status.code()).retry) return status;
  if (lost_to_sink_) {
    sink_failures_.Failed(std::string(status.message()));
  } else {
    parts_.metrics.reconnects_postgres.Add(1);
    server_failures_.Failed(std::string(status.message()));
  }
  return Pause(backoff_.Next());
}

void ConnectionLoop::BecomeStandby(const absl::Status& status) {
  // The instance that holds the slot moves it, and rightly so.
  known_.reset();
  if (standby_) return;
  standby_ = true;
  server_failures_.Recovered();
  parts_.metrics.state.store(RelayState::kStandby);
  parts_.logger.Info("another instance holds the slot; waiting as a standby",
                     {{"reason", std::string(status.message())}});
}

// Waits, while what is still in flight goes on being delivered.
absl::Status ConnectionLoop::Pause(absl::Duration duration) {
  const absl::Duration until = parts_.clock.Monotonic() + duration;
  while (!parts_.stop.requested()) {
    ledger_.StampNow();
    const absl::Status polled = parts_.sink.PollDeliveries(ledger_);
    if (!polled.ok()) WALPOST_RETURN_IF_ERROR(RestartSink(polled));
    ledger_.PublishMetrics();
    const absl::Duration left = until - parts_.clock.Monotonic();
    if (left <= absl::ZeroDuration()) break;
    WaitRequest request;
    request.sink_fd = parts_.sink.event_fd();
    request.stop_fd = parts_.stop.fd();
    request.timeout = left;
    parts_.waiter.Wait(request);
  }
  return absl::OkStatus();
}

}  // namespace walpost
