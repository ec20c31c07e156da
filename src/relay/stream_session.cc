#include "relay/stream_session.h"

#include <absl/strings/str_cat.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "base/clock.h"
#include "base/status_macros.h"
#include "base/strings.h"
#include "core/error_policy.h"
#include "core/poison.h"
#include "outbox/event_mapper.h"
#include "relay/waiter.h"

namespace walpost {
namespace {

// Frames read before the deliveries and the clock are looked at.
constexpr int kFramesPerTurn = 256;
// How often a server that is not read from is asked whether it shuts down.
constexpr absl::Duration kProbeInterval = absl::Seconds(3);
// Longest time for the server to end the copy.
constexpr absl::Duration kFinishLimit = absl::Seconds(1);

constexpr std::string_view kBrokerRefusalHint =
    "nothing from this transaction on is confirmed; relay.on_poison does not reach what a broker "
    "refuses; mend what the reason names, or move the slot past it knowingly";
constexpr std::string_view kUpdateHint =
    "nothing from this transaction on is confirmed; publish what the row should have said as a new "
    "row, and set relay.on_update to ignore, or let the publication publish inserts alone";

// An error that ends the relay, with the position that an operator has to look at.
absl::Status At(Lsn position, const absl::Status& status) {
  // A peer that is away is not away at a position.
  if (PolicyFor(status.code()).retry || absl::IsCancelled(status)) return status;
  return absl::Status(status.code(), WithPosition(ToStd(status.message()), position));
}

std::string TableName(const pgoutput::Relation& relation) {
  return QualifiedName{relation.schema, relation.name}.ToString();
}

}  // namespace

StreamSession::StreamSession(const RelayParts& parts, const RelayOptions& options,
                             DeliveryLedger& ledger, const StreamLogs& logs,
                             ReplicationStream& stream, Lsn start)
    : parts_(parts),
      options_(options),
      ledger_(ledger),
      logs_(logs),
      stream_(stream),
      publisher_(parts, options, ledger, logs.poison),
      ignored_rows_(parts, ledger.tracker()),
      pacer_(options, stream.info().wal_sender_timeout, parts.clock.Monotonic()),
      start_(start),
      began_(parts.clock.Monotonic()),
      received_(start),
      server_wal_end_(start),
      last_heard_(began_) {
  ledger_.BeginStream(received_);
  parts_.mapper.Reset();
}

absl::Status StreamSession::Run() {
  PublishMetrics();
  while (!parts_.stop.requested()) {
    const auto go_on = Turn();
    if (!go_on.ok()) return EndAfter(go_on.status());
    if (!*go_on) Sleep(absl::InfiniteDuration());
  }
  return Drain();
}

absl::StatusOr<bool> StreamSession::Turn() {
  absl::StatusOr<bool> go_on = Work();
  if (go_on.ok() || !publisher_.sink_lost()) return go_on;
  // Publish() may hear of the loss before its reason is reported, which goes with the producer; if
  // the broker refuses an event, that one would be published again for ever.
  absl::Status heard = PollSink();
  if (publisher_.halted()) return heard;
  return go_on;
}

absl::StatusOr<bool> StreamSession::Work() {
  bool nothing_to_read = false;
  int frames = 0;
  while (frames < kFramesPerTurn && MayRead() && !nothing_to_read) {
    WALPOST_ASSIGN_OR_RETURN(const bool read, ReadFrame());
    nothing_to_read = !read;
    if (read) ++frames;
  }
  // Once a turn, since a look at the clock costs as much as a frame.
  if (frames > 0) last_heard_ = parts_.clock.Monotonic();
  WALPOST_RETURN_IF_ERROR(PollSink());
  WALPOST_RETURN_IF_ERROR(publisher_.PublishHeld());
  if (parts_.clock.Monotonic() >= ignored_rows_.due()) {
    const absl::Status checked = ignored_rows_.Check();
    if (!checked.ok()) return At(ignored_rows_.since(), checked);
  }
  WALPOST_RETURN_IF_ERROR(CheckStall());
  WALPOST_RETURN_IF_ERROR(CheckServerStopping());
  WALPOST_RETURN_IF_ERROR(SendStatusIfDue());
  if (parts_.clock.Monotonic() - began_ >= kStreamSettled) logs_.server.Recovered();
  logs_.poison.Tick();
  PublishMetrics();
  // Frames may wait inside the stream, where no poll(2) sees them, until a read has found none.
  return MayRead() && !nothing_to_read;
}

bool StreamSession::MayRead() const {
  if (publisher_.holds_event() || ledger_.full() || phase_ == Phase::kLeaving) return false;
  // A drain ends with the transaction that is under way, so that none is published in part.
  return phase_ == Phase::kStreaming || ledger_.tracker().transaction_open();
}

absl::StatusOr<bool> StreamSession::ReadFrame() {
  WALPOST_ASSIGN_OR_RETURN(const std::string_view bytes, stream_.Read());
  if (bytes.empty()) return false;
  WALPOST_ASSIGN_OR_RETURN(const pgoutput::Frame frame, pgoutput::ParseFrame(bytes));
  if (const auto* data = std::get_if<pgoutput::XLogData>(&frame)) {
    WALPOST_RETURN_IF_ERROR(OnData(*data));
  } else {
    WALPOST_RETURN_IF_ERROR(OnKeepalive(std::get<pgoutput::Keepalive>(frame)));
  }
  return true;
}

absl::Status StreamSession::PollSink() {
  ledger_.StampNow();
  absl::Status status = parts_.sink.PollDeliveries(ledger_);
  // An event that the broker will never take outweighs a producer that can be made anew.
  if (absl::IsDataLoss(ledger_.failure())) {
    return publisher_.Halt(PoisonError(PoisonReason::kRefused, ToStd(ledger_.failure().message())),
                           ledger_.failed_at(), kBrokerRefusalHint);
  }
  sink_lost_ = !status.ok();
  return ledger_.failure().ok() ? status : ledger_.failure();
}

absl::Status StreamSession::SendStatusIfDue() {
  if (stream_.wants_write()) WALPOST_RETURN_IF_ERROR(stream_.Flush());
  if (pacer_.Due(ledger_.tracker().confirmable()) > parts_.clock.Monotonic())
    return absl::OkStatus();
  return SendStatus(release_server_);
}

absl::Status StreamSession::SendStatus(bool release) {
  const absl::Duration now = parts_.clock.Monotonic();
  const Lsn confirmable = ledger_.tracker().confirmable();
  // Everything acknowledged: the plain status lets the server go by itself.
  const bool release_now = release && confirmable < received_;
  StandbyStatus status;
  status.write = received_;
  status.flush = release_now ? Lsn() : confirmable;
  // An idle server is asked for a sign of life; a busy one gives it unasked.
  status.reply_requested = now - last_heard_ >= pacer_.interval() / 2;
  WALPOST_RETURN_IF_ERROR(stream_.SendStatus(status));
  if (status.flush > start_) {
    logs_.sink.Recovered();
    parts_.metrics.sink_failing.store(false, std::memory_order_relaxed);
  }
  pacer_.Sent(status.flush, now);
  return absl::OkStatus();
}

absl::Status StreamSession::CheckStall() {
  const absl::Duration now = parts_.clock.Monotonic();
  // Whoever does not read cannot hear.
  if (!MayRead()) last_heard_ = now;
  if (now - last_heard_ < options_.stall_timeout) return absl::OkStatus();
  return absl::UnavailableError(
      absl::StrCat("the server has not answered for ", absl::FormatDuration(options_.stall_timeout),
                   "; hint: see whether it is overloaded or the network drops its packets"));
}

// A server that shuts down waits until its walsender has sent everything; while we are full and
// read nothing, for as long as the broker is away. So we ask, and leave it if need be: what is not
// confirmed comes again.
absl::Status StreamSession::CheckServerStopping() {
  if (MayRead() || phase_ != Phase::kStreaming) {
    next_probe_ = absl::InfiniteDuration();
    return absl::OkStatus();
  }
  const absl::Duration now = parts_.clock.Monotonic();
  if (next_probe_ == absl::InfiniteDuration()) next_probe_ = now + kProbeInterval;
  if (now < next_probe_) return absl::OkStatus();
  next_probe_ = now + kProbeInterval;
  if (!parts_.source.ServerIsStopping(parts_.stop)) return absl::OkStatus();
  return absl::UnavailableError("the server is shutting down while the broker takes no events");
}

void StreamSession::Sleep(absl::Duration at_most) {
  const absl::Duration now = parts_.clock.Monotonic();
  // Whoever does not read takes nobody for gone.
  const absl::Duration stalled =
      MayRead() ? last_heard_ + options_.stall_timeout : absl::InfiniteDuration();
  const absl::Duration until = std::min(
      {pacer_.Due(ledger_.tracker().confirmable()), stalled, next_probe_, ignored_rows_.due()});
  WaitRequest request;
  request.timeout = std::min(until - now, at_most);
  // What may not be read must not wake us either: it would do so again at once.
  request.stream_readable = MayRead();
  if (MayRead() || stream_.wants_write()) request.stream_fd = stream_.fd();
  request.stream_writable = stream_.wants_write();
  request.sink_fd = parts_.sink.event_fd();
  // Once the stop is requested its descriptor stays readable.
  if (phase_ == Phase::kStreaming) request.stop_fd = parts_.stop.fd();
  parts_.waiter.Wait(request);
}

void StreamSession::PublishMetrics() {
  RelayMetrics& metrics = parts_.metrics;
  metrics.received_lsn.Set(static_cast<std::int64_t>(received_.value()));
  metrics.confirmed_lsn.Set(static_cast<std::int64_t>(told().value()));
  metrics.server_wal_end.Set(static_cast<std::int64_t>(server_wal_end_.value()));
  const absl::Duration silent = parts_.clock.Monotonic() - last_heard_;
  metrics.last_server_message_us.Set(absl::ToUnixMicros(parts_.clock.Now() - silent));
  ledger_.PublishMetrics();
}

absl::Status StreamSession::OnKeepalive(const pgoutput::Keepalive& keepalive) {
  received_ = std::max(received_, keepalive.wal_end);
  server_wal_end_ = std::max(server_wal_end_, keepalive.wal_end);
  // Everything before it was received; whether it is acknowledged too is for the tracker to say.
  ledger_.tracker().Advance(keepalive.wal_end);
  if (!keepalive.reply_requested) return absl::OkStatus();
  const ShutdownGuard::Answer answer =
      shutdown_guard_.OnReplyRequested(keepalive.wal_end, parts_.clock.Monotonic());
  if (answer.release && !release_server_) {
    parts_.logger.Warn(
        "the server is shutting down and waits for us; letting it go, unacknowledged "
        "rows come again after it is back",
        {{"unacked", ledger_.tracker().unacked()}});
  }
  release_server_ = answer.release;
  pacer_.RequestReply(answer.at);
  return absl::OkStatus();
}

absl::Status StreamSession::OnData(const pgoutput::XLogData& data) {
  shutdown_guard_.OnData();
  release_server_ = false;
  received_ = std::max(received_, data.start);
  // Relations and types have none of their own.
  position_ = data.start.is_zero() ? received_ : data.start;
  server_wal_end_ = std::max(server_wal_end_, data.wal_end);
  auto message = decoder_.Decode(data.payload);
  if (!message.ok()) return At(position_, message.status());
  absl::Status status = std::visit([this](const auto& m) { return OnMessage(m); }, *message);
  // A poison event has said where it is.
  if (!status.ok() && !publisher_.halted()) return At(position_, status);
  return status;
}

absl::Status StreamSession::OnMessage(const pgoutput::Begin& begin) {
  commit_time_us_ = begin.commit_time_us;
  logs_.poison.BeginTransaction(begin.final_lsn);
  return ledger_.tracker().Begin(begin.commit_time_us, begin.final_lsn);
}

absl::Status StreamSession::OnMessage(const pgoutput::Commit& commit) {
  // The end of the commit record, not its start: the start would bring the transaction again.
  return ledger_.tracker().Commit(commit.end_lsn);
}

absl::Status StreamSession::OnMessage(const pgoutput::Relation* relation) {
  if (!parts_.mapper.NeedsCatalog(*relation)) return parts_.mapper.OnRelation(*relation);
  WALPOST_ASSIGN_OR_RETURN(const std::optional<CatalogTable> catalog,
                           parts_.source.LookUp(relation->id, parts_.stop));
  return parts_.mapper.OnRelation(*relation, &catalog);
}

absl::Status StreamSession::OnMessage(const pgoutput::Insert& insert) {
  if (!ledger_.tracker().transaction_open())
    return absl::DataLossError("a row outside a transaction");
  const auto event = parts_.mapper.Map(insert, commit_time_us_);
  if (event.ok() && *event == nullptr) {
    parts_.metrics.rows_ignored.Add(1);
    if (!parts_.mapper.IsIgnored(*insert.relation)) return absl::OkStatus();
    return ignored_rows_.Add(*insert.relation, position_);
  }
  return publisher_.Publish(event, position_);
}

// One that is not transactional comes as soon as the server has decoded it, between transactions.
// The server sends it again iff it begins at or after the slot's position, and its own position is
// its end; so it stands in the queue of transactions as one of a single event. Source:
// logicalmsg_decode() in decode.c of PostgreSQL.
absl::Status StreamSession::OnMessage(const pgoutput::LogicalMessage& message) {
  if (message.transactional != ledger_.tracker().transaction_open()) {
    return absl::DataLossError(message.transactional
                                   ? "a transactional message outside a transaction"
                                   : "a non-transactional message inside a transaction");
  }
  const std::int64_t time_us =
      message.transactional
          ? commit_time_us_
          : absl::ToInt64Microseconds(parts_.clock.Now() - pgoutput::TimeFromWire(0));
  const auto event = parts_.mapper.Map(message, time_us);
  if (event.ok() && *event == nullptr) return absl::OkStatus();
  if (message.transactional) return publisher_.Publish(event, position_);
  return publisher_.PublishAlone(event, time_us, position_);
}

absl::Status StreamSession::OnMessage(const pgoutput::Update& update) {
  if (!parts_.mapper.IsOutbox(*update.relation)) return absl::OkStatus();
  if (options_.halt_on_update) {
    return publisher_.Halt(
        PoisonError(PoisonReason::kUpdate,
                    absl::StrCat("an UPDATE of a row of ", TableName(*update.relation),
                                 " is not an event, and relay.on_update is halt")),
        position_, kUpdateHint);
  }
  parts_.metrics.updates_ignored.Add(1);
  if (!std::exchange(update_was_logged_, true)) {
    parts_.logger.Warn("an UPDATE of an outbox row is not an event; it is counted and ignored",
                       {{"table", TableName(*update.relation)}});
  }
  return absl::OkStatus();
}

absl::Status StreamSession::OnMessage(const pgoutput::Truncate&) {
  parts_.metrics.truncates_ignored.Add(1);
  if (!std::exchange(truncate_was_logged_, true)) {
    parts_.logger.Warn("a TRUNCATE is not an event; it is counted and ignored");
  }
  return absl::OkStatus();
}

absl::Status StreamSession::Drain() {
  phase_ = Phase::kDraining;
  parts_.metrics.state.store(RelayState::kDraining);
  const absl::Duration deadline = parts_.clock.Monotonic() + options_.drain_timeout;
  // The rest of the open transaction first: a part of it would be published again.
  while (ledger_.tracker().transaction_open() && parts_.clock.Monotonic() < deadline) {
    const auto go_on = Turn();
    if (!go_on.ok()) {
      // What an operator must hear of outweighs the stop.
      if (!PolicyFor(go_on.status().code()).retry) return EndAfter(go_on.status());
      break;
    }
    if (!*go_on) Sleep(deadline - parts_.clock.Monotonic());
  }
  Leave(deadline);
  return absl::OkStatus();
}

// When in doubt, stop without confirming: the transaction at hand stays open in the tracker, so
// nothing from it on can be confirmed. What came before is settled when the relay ends, after a
// poison event, an error that an operator has to mend, or a stop that cut a question to the server
// short; and told as far as it is known when the stream alone ends; so that it need not come again.
absl::Status StreamSession::EndAfter(const absl::Status& status) {
  const ErrorPolicy policy = PolicyFor(status.code());
  if (policy.exit_code == kExitBug) return status;
  if (policy.retry) {
    if (ledger_.tracker().confirmable() > told()) SendStatus(/*release=*/false).IgnoreError();
    return status;
  }
  // A stream that takes no status any more is not worth a wait.
  if (SendStatus(/*release=*/false).ok()) Leave(parts_.clock.Monotonic() + options_.drain_timeout);
  return absl::IsCancelled(status) ? absl::OkStatus() : status;
}

void StreamSession::Leave(absl::Duration deadline) {
  phase_ = Phase::kLeaving;
  parts_.metrics.state.store(RelayState::kDraining);
  SettleInFlight(deadline);
  FinishStream();
}

// Waits for the acknowledgements that are still out; of ignored rows none will come. Failures make
// no difference any more: they are not confirmed.
void StreamSession::SettleInFlight(absl::Duration deadline) {
  const auto settled = [this] { return ledger_.tracker().unacked() <= ignored_rows_.pending(); };
  while (ledger_.failure().ok() && !settled() && parts_.clock.Monotonic() < deadline) {
    ledger_.StampNow();
    if (!parts_.sink.PollDeliveries(ledger_).ok()) return;
    if (settled()) return;
    if (!SendStatusIfDue().ok()) return;
    Sleep(deadline - parts_.clock.Monotonic());
  }
}

// The last word to the server: what is confirmed, then the end of the copy.
void StreamSession::FinishStream() {
  absl::Status status = SendStatus(/*release=*/false);
  if (status.ok()) status = stream_.Finish(kFinishLimit);
  PublishMetrics();
  const std::size_t unacked = ledger_.tracker().unacked();
  if (!status.ok()) {
    parts_.logger.Warn("the stream did not end in good order",
                       {{"reason", std::string(status.message())}});
  }
  parts_.logger.Info("stream ended", {{"confirmed", told().ToString()}, {"unacked", unacked}});
}

}  // namespace walpost
