#include "relay/connection_loop.h"

#include <absl/strings/str_cat.h>

#include <algorithm>
#include <random>

#include "base/clock.h"
#include "base/status_macros.h"
#include "base/strings.h"
#include "core/error_policy.h"
#include "relay/stream_session.h"
#include "relay/waiter.h"

namespace walpost {
namespace {

std::uint64_t Seed() { return std::random_device{}(); }

}  // namespace

ConnectionLoop::ConnectionLoop(const RelayParts& parts, const RelayOptions& options)
    : parts_(parts),
      options_(options),
      ledger_(options, parts.clock, parts.metrics),
      server_failures_("postgres", parts.logger, parts.clock),
      sink_failures_("kafka", parts.logger, parts.clock),
      poison_log_(options, parts.metrics, parts.logger, parts.clock),
      backoff_(options.reconnect_min_delay, options.reconnect_max_delay, Seed()),
      standby_backoff_(options.standby_retry_interval, options.standby_retry_interval, Seed()),
      started_(parts.clock.Monotonic()) {}

absl::Status ConnectionLoop::Run() {
  absl::Status status = KeepStreaming();
  poison_log_.Flush();
  return status;
}

absl::Status ConnectionLoop::KeepStreaming() {
  while (!parts_.stop.requested()) {
    parts_.metrics.state.store(standby_ ? RelayState::kStandby : RelayState::kConnecting);
    if (sink_lost_) WALPOST_RETURN_IF_ERROR(RestartSink("it could not be made before"));
    if (sink_lost_) {
      WALPOST_RETURN_IF_ERROR(Pause(backoff_.Next()));
      continue;
    }
    auto stream = parts_.source.Open(parts_.stop);
    if (!stream.ok()) {
      if (absl::IsCancelled(stream.status())) break;
      WALPOST_RETURN_IF_ERROR(AfterOpenFailed(stream.status()));
      continue;
    }
    absl::Status status = RunStream(**stream);
    if (status.ok()) break;
    stream->reset();  // frees the slot before the pause
    if (PolicyFor(status.code()).retry) parts_.metrics.state.store(RelayState::kConnecting);
    WALPOST_RETURN_IF_ERROR(AfterStreamLost(status));
  }
  return absl::OkStatus();
}

absl::Status ConnectionLoop::RunStream(ReplicationStream& stream) {
  const StreamInfo& info = stream.info();
  WALPOST_RETURN_IF_ERROR(CheckPosition(info));
  standby_ = false;
  started_up_ = true;
  parts_.logger.Info("streaming", {{"from", info.confirmed_flush.ToString()},
                                   {"timeline", info.timeline},
                                   {"server_version", info.server_version}});
  parts_.metrics.state.store(RelayState::kStreaming);
  const absl::Duration began = parts_.clock.Monotonic();
  StreamSession session(parts_, options_, ledger_,
                        {.server = server_failures_, .sink = sink_failures_, .poison = poison_log_},
                        stream, StartOf(info));
  known_ = KnownServer{info.system_id, info.timeline};
  absl::Status status = session.Run();
  if (parts_.clock.Monotonic() - began >= kStreamSettled) {
    backoff_.Reset();
    server_failures_.Recovered();
  }
  lost_to_sink_ = session.sink_failed();
  if (status.ok() || !PolicyFor(status.code()).retry) return status;
  // An idle relay that makes a new producer has nothing that fails.
  if (lost_to_sink_ && ledger_.owes()) parts_.metrics.sink_failing.store(true);
  if (session.sink_lost()) WALPOST_RETURN_IF_ERROR(RestartSink(ToStd(status.message())));
  return status;
}

// One that cannot be made now is tried again before the next stream.
absl::Status ConnectionLoop::RestartSink(std::string_view reason) {
  parts_.logger.Debug("making a new producer", {{"reason", std::string(reason)}});
  const absl::Status made = parts_.sink.Restart();
  ledger_.OnSinkRestarted();
  sink_lost_ = !made.ok();
  if (made.ok()) return made;
  if (!PolicyFor(made.code()).retry) return made;
  sink_failures_.Failed(ToStd(made.message()));
  return absl::OkStatus();
}

// Where the stream begins for the ledger. What was acknowledged when the last stream could not be
// told any more need not come a third time. Only on the very timeline, and within the WAL that the
// server has: one that was set back would pass over whatever is written there from now on.
Lsn ConnectionLoop::StartOf(const StreamInfo& info) const {
  if (!known_ || info.system_id != known_->system_id || info.timeline != known_->timeline) {
    return info.confirmed_flush;
  }
  const Lsn acknowledged = ledger_.tracker().confirmable();
  if (acknowledged > info.wal_end) return info.confirmed_flush;
  return std::max(info.confirmed_flush, acknowledged);
}

// A slot that is ahead of all that we know to be acknowledged, which is no less than what we have
// confirmed, was moved or made anew by somebody else, and what lies between may never have been
// published. When in doubt, stop. That goes for a promoted standby too: its copy of the slot can be
// behind, never ahead.
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
    poison_log_.OnNewTimeline();
  }
  if (const Lsn known = ledger_.tracker().confirmable(); info.confirmed_flush > known) {
    return absl::DataLossError(
        absl::StrCat("the slot is newer than the last position known: it was at ", known.ToString(),
                     " and is at ", info.confirmed_flush.ToString(),
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
  if (!started_up_) {
    const bool time_is_over = parts_.clock.Monotonic() - started_ >= options_.start_timeout;
    if (absl::IsUnauthenticated(status) || time_is_over) return status;
  }
  // Whoever holds the slot, nobody can tell now.
  standby_ = false;
  parts_.metrics.state.store(RelayState::kConnecting);
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
  ledger_.ForgetStream();
  parts_.metrics.sink_failing.store(false);
  started_up_ = true;
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
    if (!polled.ok() && !sink_lost_) {
      WALPOST_RETURN_IF_ERROR(RestartSink(ToStd(polled.message())));
    }
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
