#ifndef WALPOST_RELAY_CONNECTION_LOOP_H_
#define WALPOST_RELAY_CONNECTION_LOOP_H_

#include <absl/status/status.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/backoff.h"
#include "relay/delivery_ledger.h"
#include "relay/failure_log.h"
#include "relay/poison_log.h"
#include "walpost/relay.h"

namespace walpost {

// Opens one stream after another: connects, waits as a standby while another instance holds the
// slot, works, and connects again with backoff when the stream is lost. Relay thread only.
class ConnectionLoop {
 public:
  ConnectionLoop(const RelayParts& parts, const RelayOptions& options);

  // See Relay::Run().
  absl::Status Run();

 private:
  // What the LSNs that the ledger knows are of.
  struct KnownServer {
    std::string system_id;
    int timeline = 0;
  };

  absl::Status KeepStreaming();
  absl::Status RunStream(ReplicationStream& stream);
  absl::Status CheckPosition(const StreamInfo& info);
  Lsn StartOf(const StreamInfo& info) const;
  absl::Status AfterOpenFailed(const absl::Status& status);
  absl::Status AfterStreamLost(const absl::Status& status);
  absl::Status RestartSink(std::string_view reason);
  void BecomeStandby(const absl::Status& status);
  absl::Status Pause(absl::Duration duration);

  const RelayParts& parts_;
  const RelayOptions& options_;
  DeliveryLedger ledger_;
  FailureLog server_failures_;
  FailureLog sink_failures_;
  PoisonLog poison_log_;
  Backoff backoff_;
  Backoff standby_backoff_;
  const absl::Duration started_;
  bool started_up_ = false;    // it has streamed, or waited as a standby
  bool lost_to_sink_ = false;  // the last stream ended for the sink's sake
  bool sink_lost_ = false;     // and could not be made anew yet
  bool standby_ = false;       // as far as the last attempt told
  std::optional<KnownServer> known_;
};

}  // namespace walpost

#endif  // WALPOST_RELAY_CONNECTION_LOOP_H_
