#ifndef WALPOST_RELAY_STREAM_SESSION_H_
#define WALPOST_RELAY_STREAM_SESSION_H_

#include <absl/status/status.h>
#include <absl/status/statusor.h>

#include <cstdint>
#include <string_view>

#include "outbox/event_mapper.h"
#include "pgoutput/decoder.h"
#include "pgoutput/frame.h"
#include "relay/delivery_ledger.h"
#include "relay/failure_log.h"
#include "relay/shutdown_guard.h"
#include "relay/status_pacer.h"
#include "walpost/relay.h"

namespace walpost {

// One stream from its opening to its end: frames in, events out, deliveries back, status out.
//
// Each turn of its loop reads a bounded number of frames, then looks at the deliveries, then sends
// the status that is due, and sleeps when there was nothing to do. Over the in-flight bounds no
// frame is read, while deliveries and status go on. Relay thread only; used for one stream and
// thrown away.
class StreamSession {
 public:
  // Everything must outlive the session. `ledger` begins the stream here; `sink_failures` hears
  // that the sink works once the confirmed position moves.
  StreamSession(const RelayParts& parts, const RelayOptions& options, DeliveryLedger& ledger,
                FailureLog& sink_failures, ReplicationStream& stream);

  // Works until a stop is requested and drained (kOk) or the stream cannot go on; see Relay::Run()
  // for the codes.
  absl::Status Run();

  // Whether Run() ended for the sink's sake, and not for the server's.
  bool sink_failed() const { return sink_lost_ || !ledger_.failure().ok(); }
  // Whether the sink lost its producer, which is to be restarted.
  bool sink_lost() const { return sink_lost_; }
  // The highest position that was sent as confirmed.
  Lsn confirmed() const { return pacer_.last_flush(); }

 private:
  // One turn; answers whether another should follow without a sleep.
  absl::StatusOr<bool> Turn();
  bool MayRead() const;
  absl::StatusOr<bool> ReadFrame();
  absl::Status PollSink();
  absl::Status SendStatusIfDue();
  absl::Status SendStatus(bool release);
  absl::Status CheckStall();
  absl::Status CheckServerStopping();
  void Sleep(absl::Duration at_most);
  void PublishMetrics();

  // What the frames bring.
  absl::Status OnKeepalive(const pgoutput::Keepalive& keepalive);
  absl::Status OnData(const pgoutput::XLogData& data);
  absl::Status OnMessage(const pgoutput::Begin& begin);
  absl::Status OnMessage(const pgoutput::Commit& commit);
  absl::Status OnMessage(const pgoutput::Relation* relation);
  absl::Status OnMessage(const pgoutput::Insert& insert);
  absl::Status OnMessage(const pgoutput::Update& update);
  absl::Status OnMessage(const pgoutput::Truncate& truncate);
  absl::Status OnMessage(const pgoutput::Delete&) { return absl::OkStatus(); }
  absl::Status OnMessage(const pgoutput::Origin&) { return absl::OkStatus(); }
  absl::Status OnMessage(const pgoutput::Type&) { return absl::OkStatus(); }
  absl::Status OnMessage(const pgoutput::LogicalMessage&) { return absl::OkStatus(); }
  absl::Status PublishHeld();
  absl::Status StopAtPoison(const absl::Status& reason);

  absl::Status Drain();
  void SettleInFlight(absl::Duration deadline);
  void FinishStream();

  const RelayParts& parts_;
  const RelayOptions& options_;
  DeliveryLedger& ledger_;
  FailureLog& sink_failures_;
  ReplicationStream& stream_;
  pgoutput::Decoder decoder_;
  StatusPacer pacer_;
  ShutdownGuard shutdown_guard_;

  Lsn received_;
  Lsn server_wal_end_;
  std::int64_t commit_time_us_ = 0;  // of the open transaction
  absl::Duration last_heard_;
  absl::Duration next_probe_ = absl::InfiniteDuration();  // while nothing is read
  bool release_server_ = false;
  bool draining_ = false;
  bool sink_lost_ = false;
  bool update_was_logged_ = false;
  bool truncate_was_logged_ = false;

  // The row that the sink has no room for. Its views stay valid since nothing is read meanwhile.
  const OutboxEvent* held_event_ = nullptr;
  pgoutput::Insert held_row_;
};

}  // namespace walpost

#endif  // WALPOST_RELAY_STREAM_SESSION_H_
