#include "support/relay_process.h"

#include <absl/strings/numbers.h>
#include <absl/strings/str_cat.h>
#include <absl/strings/str_split.h>
#include <absl/time/clock.h>
#include <signal.h>

#include <utility>

#include "base/strings.h"
#include "support/free_port.h"
#include "support/wait.h"

namespace walpost::support {
namespace {

std::vector<std::string> CommandLine(const std::string& binary, std::vector<std::string> arguments,
                                     int admin_port) {
  std::vector<std::string> line = {binary};
  // --config stands before the verb.
  if (arguments.size() >= 2 && arguments[0] == "--config") {
    line.insert(line.end(), arguments.begin(), arguments.begin() + 2);
    arguments.erase(arguments.begin(), arguments.begin() + 2);
  }
  line.push_back("run");
  line.insert(line.end(), arguments.begin(), arguments.end());
  line.push_back("--admin-listen");
  line.push_back(absl::StrCat("127.0.0.1:", admin_port));
  return line;
}

}  // namespace

RelayProcess::RelayProcess(const std::string& binary, std::vector<std::string> arguments,
                           const Environment& environment)
    : admin_port_(FreePort()),
      process_(CommandLine(binary, std::move(arguments), admin_port_), environment) {}

bool RelayProcess::WaitReady(absl::Duration limit) {
  (void)WaitUntil(limit, [this] { return Ready().status == 200 || !process_.Running(); });
  return Ready().status == 200;
}

std::optional<double> RelayProcess::Metric(std::string_view name) const {
  std::optional<double> sum;
  for (const absl::string_view line : absl::StrSplit(HttpGet(admin_port_, "/metrics").body, '\n')) {
    const std::string_view text = ToStd(line);
    if (!text.starts_with(name) || text.size() <= name.size()) continue;
    const char next = text[name.size()];
    if (next != '{' && next != ' ') continue;
    double value = 0;
    if (absl::SimpleAtod(ToAbsl(text.substr(text.rfind(' ') + 1)), &value)) {
      sum = sum.value_or(0) + value;
    }
  }
  return sum;
}

RelayProcess::Stopped RelayProcess::Terminate(absl::Duration limit) {
  const absl::Time start = absl::Now();
  process_.Signal(SIGTERM);
  const std::optional<int> code = process_.WaitExit(limit);
  return {code, absl::Now() - start};
}

}  // namespace walpost::support
