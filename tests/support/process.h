#ifndef WALPOST_TESTS_SUPPORT_PROCESS_H_
#define WALPOST_TESTS_SUPPORT_PROCESS_H_

#include <absl/time/time.h>
#include <sys/types.h>

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/unique_fd.h"
#include "support/temp_dir.h"

namespace walpost::support {

using Environment = std::map<std::string, std::string>;

// A child process whose output goes to files. Killed when it goes out of scope, and by the kernel
// when the test program dies. To be used from the thread that made it.
class Process {
 public:
  // `environment` is added to the test program's own. The first of `arguments` is the program,
  // looked up in PATH.
  explicit Process(std::vector<std::string> arguments, const Environment& environment = {});
  ~Process();
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  pid_t pid() const { return pid_; }
  void Signal(int number) const;
  // kill -9, and waits until it is gone.
  void Kill();
  bool Running();
  // The exit code; 128 + number after a signal; nothing when it still runs after `limit`.
  std::optional<int> WaitExit(absl::Duration limit);

  // What it has written so far.
  std::string Out() const;
  std::string Err() const;
  // Whether `text` appeared on standard error (or standard output) within `limit`.
  bool WaitForErr(std::string_view text, absl::Duration limit) const;
  bool WaitForOut(std::string_view text, absl::Duration limit) const;

  // Largest resident set so far, and processor time so far; 0 once it has ended.
  long PeakRssKib() const;
  double CpuSeconds() const;

 private:
  [[noreturn]] void Exec(const std::vector<std::string>& arguments, const Environment& environment);

  TempDir dir_;
  pid_t pid_ = -1;
  std::optional<int> exit_code_;
};

struct Finished {
  int code;  // -1 when it had to be killed at the limit
  std::string out;
  std::string err;
  absl::Duration took;
};

// Runs a program to its end, or kills it at `limit`.
Finished Run(std::vector<std::string> arguments, const Environment& environment = {},
             absl::Duration limit = absl::Minutes(2));

// Runs a shell command once this process has ended in whatever way, so that no server outlives a
// killed test.
class Epilogue {
 public:
  explicit Epilogue(const std::string& shell_command);

 private:
  UniqueFd alive_;  // its other end becomes readable when we are gone
};

// Peak resident set of any process, in KiB.
long PeakRssKib(pid_t pid);
// Processor time of any process, user and system together.
double CpuSeconds(pid_t pid);

}  // namespace walpost::support

#endif  // WALPOST_TESTS_SUPPORT_PROCESS_H_
