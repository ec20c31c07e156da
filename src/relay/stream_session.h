#ifndef WALPOST_RELAY_STREAM_SESSION_H_
#define WALPOST_RELAY_STREAM_SESSION_H_

#include <absl/status/status.h>
#include <absl/status/statusor.h>

#include <algorithm>
#include <cstdint>

#include "pgoutput/decoder.h"
#include "pgoutput/frame.h"
#include "relay/delivery_ledger.h"
#include "relay/event_publisher.h"
#include "relay/failure_log.h"
#include "relay/ignored_rows.h"
#include "relay/poison_log.h"
#include "relay/shutdown_guard.h"
#include "relay/status_pacer.h"
#include "walpost/relay.h"

namespace walpost {

// A stream that has lasted this long was a success.
inline constexpr absl::Duration kStreamSettled = absl::Seconds(5);

// Where a stream tells how it fares; they outlive it.
struct StreamLogs {
  FailureLog& server;  // hears that the server works once the stream has settled
  FailureLog& sink;    // hears that the sink works once the confirmed position moves
  PoisonLog& poison;
};

// One stream from its opening to its end: frames in, events out, deliveries back, status out.
//
// Each turn of its loop reads a bounded number of frames, then looks at the deliveries, then sends
// the status that is due, and sleeps when there was nothing to do. Over the in-flight bounds no
// frame is read, while deliveries and status go on. Relay thread only; used for one stream and
// thrown away.
class StreamSession {
 public:
  // Everything must outlive the session. `ledger` begins the stream here, at `start`: the slot's
  // position, or a later one of which the server has not heard yet that all before it is
  // acknowledged.
  StreamSession(const RelayParts& parts, const RelayOptions& options, DeliveryLedger& ledger,
                const StreamLogs& logs, ReplicationStream& stream, Lsn start);

  // Works until a stop is requested and drained (kOk) or the stream cannot go on; see Relay::Run()
  // for the codes.
  absl::Status Run();

  // Whether Run() ended for the sink's sake, and not for the server's.
  bool sink_failed() const { return sink_lost() || !ledger_.failure().ok(); }
  // Whether the sink lost its producer, which is to be restarted.
  bool sink_lost() const { return sink_lost_ || publisher_.sink_lost(); }

 private:
  enum class Phase {
    kStreaming,
    kDraining,  // a stop was requested: the open transaction is read to its end, and no other
    kLeaving,   // nothing more is read
  };

  // One turn; answers whether another should follow without a sleep.
  absl::StatusOr<bool> Turn();
  absl::StatusOr<bool> Work();
  bool MayRead() const;
  absl::StatusOr<bool> ReadFrame();
  absl::Status PollSink();
  absl::Status SendStatusIfDue();
  absl::Status SendStatus(bool release);
  // The highest position that the server knows to be confirmed.
  Lsn told() const { return std::max(pacer_.last_flush(), stream_.info().confirmed_flush); }
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
  absl::Status OnMessage(const pgoutput::LogicalMessage& message);

  absl::Status Drain();
  absl::Status EndAfter(const absl::Status& status);
  void Leave(absl::Duration deadline);
  void SettleInFlight(absl::Duration deadline);
  void FinishStream();

  const RelayParts& parts_;
  const RelayOptions& options_;
  DeliveryLedger& ledger_;
  StreamLogs logs_;
  ReplicationStream& stream_;
  pgoutput::Decoder decoder_;
  EventPublisher publisher_;
  IgnoredRows ignored_rows_;
  StatusPacer pacer_;
  ShutdownGuard shutdown_guard_;

  const Lsn start_;
  const absl::Duration began_;
  Lsn received_;
  Lsn server_wal_end_;
  Lsn position_;                     // of the message at hand
  std::int64_t commit_time_us_ = 0;  // of the open transaction
  absl::Duration last_heard_;
  absl::Duration next_probe_ = absl::InfiniteDuration();  // while nothing is read
  bool release_server_ = false;
  Phase phase_ = Phase::kStreaming;
  bool sink_lost_ = false;
  bool update_was_logged_ = false;
  bool truncate_was_logged_ = false;
};

}  // namespace walpost

#endif  // WALPOST_RELAY_STREAM_SESSION_H_
