#ifndef WALPOST_TESTS_SUPPORT_RELAY_PROCESS_H_
#define WALPOST_TESTS_SUPPORT_RELAY_PROCESS_H_

#include <absl/time/time.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "support/http_get.h"
#include "support/process.h"

namespace walpost::support {

// `walpost run` as a process, with its admin server on a free port.
class RelayProcess {
 public:
  // `arguments` are those after `run`; `binary` is walpost.
  RelayProcess(const std::string& binary, std::vector<std::string> arguments,
               const Environment& environment = {});

  Process& process() { return process_; }

  // Until /readyz says 200; false at `limit`, or when the process ended.
  bool WaitReady(absl::Duration limit = absl::Seconds(20));
  HttpReply Ready() const { return HttpGet(admin_port_, "/readyz"); }
  HttpReply Health() const { return HttpGet(admin_port_, "/healthz"); }
  // The sum over all labels of a metric; nothing when the page has no such name.
  std::optional<double> Metric(std::string_view name) const;

  // SIGTERM; the exit code, or nothing when it still ran after `limit`, and how long it took.
  struct Stopped {
    std::optional<int> code;
    absl::Duration took;
  };
  Stopped Terminate(absl::Duration limit = absl::Seconds(20));

 private:
  int admin_port_;
  Process process_;
};

}  // namespace walpost::support

#endif  // WALPOST_TESTS_SUPPORT_RELAY_PROCESS_H_
