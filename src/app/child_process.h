#ifndef WALPOST_APP_CHILD_PROCESS_H_
#define WALPOST_APP_CHILD_PROCESS_H_

#include <absl/status/status.h>
#include <absl/status/statusor.h>
#include <absl/time/time.h>
#include <sys/types.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/unique_fd.h"
#include "walpost/stop_signal.h"

namespace walpost::app {

// Whom a process may run as.
struct UnixUser {
  std::string name;
  uid_t uid = 0;
  gid_t gid = 0;
};

struct ChildOptions {
  std::vector<std::string> command;      // the program's path first
  std::vector<std::string> environment;  // `NAME=value`; all of it
  // To become in the child, where that is another one; needs root.
  std::optional<UnixUser> user;
  // Where its output goes, both streams; it has no input.
  std::string output_file;
  // What the kernel sends it when this process dies, however that comes about.
  int signal_on_our_death = 0;
};

// A process of another program, in a session of its own: what is typed in our terminal does not
// reach it, so we decide how it ends. To be started from the main thread, since the kernel takes
// the end of the starting thread for our death. Not thread-safe.
class ChildProcess {
 public:
  // kInternal: no process, or the file cannot be written. A program that cannot be run ends with
  // exit code 127 and says so in its output.
  static absl::StatusOr<std::unique_ptr<ChildProcess>> Start(const ChildOptions& options);

  // Kills it, with what it started in its session, unless it has ended.
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  // Waits for its end: its exit code, or 128 and the signal that ended it. kDeadlineExceeded after
  // `limit`, kCancelled when `stop` is requested; it runs on then.
  absl::StatusOr<int> Wait(absl::Duration limit, const StopSignal& stop);

  // Sends `signal` to it and to what it started in its session; nothing once it has ended.
  void Signal(int signal);

 private:
  ChildProcess(pid_t pid, UniqueFd pid_fd);

  const pid_t pid_;
  const UniqueFd pid_fd_;  // readable once it has ended
  std::optional<int> exit_code_;
};

}  // namespace walpost::app

#endif  // WALPOST_APP_CHILD_PROCESS_H_
