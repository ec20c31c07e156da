#include "app/child_process.h"

#include <absl/strings/str_cat.h>
#include <absl/time/clock.h>
#include <fcntl.h>
#include <grp.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string_view>

namespace walpost::app {
namespace {

constexpr int kCannotRun = 127;  // as a shell has it

std::vector<char*> Pointers(const std::vector<std::string>& texts) {
  std::vector<char*> out;
  // execve(2) does not write to them.
  for (const std::string& text : texts) out.push_back(const_cast<char*>(text.c_str()));
  out.push_back(nullptr);
  return out;
}

// All that the child needs, made before the fork: between it and execve(2) only functions that are
// safe in a signal handler may be called.
struct Prepared {
  std::vector<char*> command;
  std::vector<char*> environment;
  const UnixUser* user = nullptr;
  int input = -1;
  int output = -1;
  int signal_on_our_death = 0;
  pid_t parent = 0;
};

bool Become(const UnixUser& user) {
  return setgroups(0, nullptr) == 0 && setgid(user.gid) == 0 && setuid(user.uid) == 0;
}

[[noreturn]] void Fail(std::string_view what) {
  static_cast<void>(!write(STDERR_FILENO, what.data(), what.size()));
  _exit(kCannotRun);
}

[[noreturn]] void RunChild(const Prepared& prepared) {
  setsid();
  // Both are inherited, and we block or ignore some.
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  signal(SIGPIPE, SIG_DFL);
  dup2(prepared.input, STDIN_FILENO);
  dup2(prepared.output, STDOUT_FILENO);
  dup2(prepared.output, STDERR_FILENO);
  if (prepared.user != nullptr && !Become(*prepared.user)) Fail("cannot change the user\n");
  // After the change of user, which resets it.
  prctl(PR_SET_PDEATHSIG, prepared.signal_on_our_death);
  if (getppid() != prepared.parent) _exit(kCannotRun);  // died before it was set
  execve(prepared.command.front(), prepared.command.data(), prepared.environment.data());
  Fail("the program cannot be run\n");
}

}  // namespace

absl::StatusOr<std::unique_ptr<ChildProcess>> ChildProcess::Start(const ChildOptions& options) {
  const UniqueFd input(open("/dev/null", O_RDONLY | O_CLOEXEC));
  const UniqueFd output(
      open(options.output_file.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600));
  if (output.get() < 0) {
    return absl::InternalError(
        absl::StrCat("cannot write '", options.output_file, "': ", std::strerror(errno)));
  }
  Prepared prepared{.command = Pointers(options.command),
                    .environment = Pointers(options.environment),
                    .user = options.user.has_value() ? &*options.user : nullptr,
                    .input = input.get(),
                    .output = output.get(),
                    .signal_on_our_death = options.signal_on_our_death,
                    .parent = getpid()};
  const pid_t pid = fork();
  if (pid == 0) RunChild(prepared);
  if (pid < 0) {
    return absl::InternalError(
        absl::StrCat("cannot start ", options.command.front(), ": ", std::strerror(errno)));
  }
  UniqueFd pid_fd(static_cast<int>(syscall(SYS_pidfd_open, pid, 0)));
  const bool watched = pid_fd.get() >= 0;
  std::unique_ptr<ChildProcess> child(new ChildProcess(pid, std::move(pid_fd)));
  if (!watched) return absl::InternalError("pidfd_open(2) failed; hint: it needs Linux 5.3");
  return child;
}

ChildProcess::ChildProcess(pid_t pid, UniqueFd pid_fd) : pid_(pid), pid_fd_(std::move(pid_fd)) {}

ChildProcess::~ChildProcess() {
  if (exit_code_.has_value()) return;
  Signal(SIGKILL);
  waitpid(pid_, nullptr, 0);
}

absl::StatusOr<int> ChildProcess::Wait(absl::Duration limit, const StopSignal& stop) {
  const absl::Time deadline = absl::Now() + limit;
  while (!exit_code_.has_value()) {
    int raw = 0;
    if (waitpid(pid_, &raw, WNOHANG) == pid_) {
      exit_code_ = WIFEXITED(raw) ? WEXITSTATUS(raw) : 128 + WTERMSIG(raw);
      break;
    }
    if (stop.requested()) return absl::CancelledError("stopped");
    const absl::Duration left = deadline - absl::Now();
    if (left <= absl::ZeroDuration()) return absl::DeadlineExceededError("still running");
    pollfd waiting[] = {{pid_fd_.get(), POLLIN, 0}, {stop.fd(), POLLIN, 0}};
    poll(waiting, 2,
         static_cast<int>(absl::ToInt64Milliseconds(std::min(left, absl::Seconds(3600)))) + 1);
  }
  return *exit_code_;
}

void ChildProcess::Signal(int signal) {
  if (exit_code_.has_value()) return;
  // The session's group comes into being a moment after the fork.
  if (kill(-pid_, signal) != 0) kill(pid_, signal);
}

}  // namespace walpost::app
