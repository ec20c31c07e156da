#ifndef WALPOST_OBSERVABILITY_ADMIN_SERVER_H_
#define WALPOST_OBSERVABILITY_ADMIN_SERVER_H_

#include <absl/status/statusor.h>

#include <memory>
#include <string>

#include "base/clock.h"
#include "core/topic_counters.h"
#include "observability/health.h"
#include "walpost/relay_metrics.h"

namespace walpost::observability {

struct AdminOptions {
  // host:port; port 0 takes any free one, see AdminServer::port(). An IPv6 address is in brackets.
  std::string listen;
  // For walpost_build_info.
  std::string version;
  HealthLimits limits;
};

// Answers HTTP on one address:
//   /metrics   Prometheus text
//   /healthz   200 while the process can recover by itself, else 503; JSON
//   /readyz    200 while events flow or could, else 503; JSON that says why
//   /          lists these
// Anything else is 404; a method other than GET and HEAD is 405.
//
// It reads figures and touches nothing of the pipeline. It has two threads for answers, so that one
// slow client does not keep a probe waiting; a request has half a second to arrive. No TLS and no
// password: listen on the loopback address, or on a network that only the monitoring reaches.
//
// While one lives the process ignores SIGPIPE, and it goes on to do so afterwards: the HTTP library
// sets that in its threads. No other signal is touched.
class AdminServer {
 public:
  // Serves until destruction. The metrics, the topics and the clock must outlive it. Errors, each
  // naming admin.listen: kInvalidArgument for what is no address of this host, kFailedPrecondition
  // for a port that is taken or not permitted.
  static absl::StatusOr<std::unique_ptr<AdminServer>> Start(const AdminOptions& options,
                                                            const RelayMetrics& metrics,
                                                            const TopicCounterTable& topics,
                                                            const Clock& clock);

  // Stops listening and waits for the answers under way: milliseconds, up to about a second when a
  // client holds a connection open.
  ~AdminServer();
  AdminServer(const AdminServer&) = delete;
  AdminServer& operator=(const AdminServer&) = delete;

  // The port that it listens on.
  int port() const;

 private:
  class Impl;
  explicit AdminServer(std::unique_ptr<Impl> impl);

  std::unique_ptr<Impl> impl_;
};

}  // namespace walpost::observability

#endif  // WALPOST_OBSERVABILITY_ADMIN_SERVER_H_
