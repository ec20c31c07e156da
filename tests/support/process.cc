#include "support/process.h"

#include <absl/strings/numbers.h>
#include <absl/strings/str_cat.h>
#include <absl/strings/str_split.h>
#include <absl/time/clock.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "support/wait.h"

namespace walpost::support {
namespace {

std::string ReadFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

void SendOutputTo(int fd, const std::string& path) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0644);
  if (file < 0 || ::dup2(file, fd) < 0) ::_exit(126);
  ::close(file);
}

}  // namespace

Process::Process(std::vector<std::string> arguments, const Environment& environment)
    : dir_("process") {
  const pid_t parent = ::getpid();
  pid_ = ::fork();
  if (pid_ != 0) return;
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(126);
  Exec(arguments, environment);
}

void Process::Exec(const std::vector<std::string>& arguments, const Environment& environment) {
  sigset_t none;
  sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  SendOutputTo(STDOUT_FILENO, dir_.path() + "/out");
  SendOutputTo(STDERR_FILENO, dir_.path() + "/err");
  const int null = ::open("/dev/null", O_RDONLY);
  if (null >= 0) ::dup2(null, STDIN_FILENO);
  for (const auto& [name, value] : environment) ::setenv(name.c_str(), value.c_str(), 1);
  std::vector<char*> argv;
  argv.reserve(arguments.size() + 1);
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  ::execvp(argv[0], argv.data());
  ::perror(argv[0]);
  ::_exit(127);
}

Process::~Process() { Kill(); }

void Process::Signal(int number) const {
  if (!exit_code_.has_value()) ::kill(pid_, number);
}

void Process::Kill() {
  if (exit_code_.has_value() || pid_ <= 0) return;
  ::kill(pid_, SIGKILL);
  (void)WaitExit(absl::Seconds(10));
}

bool Process::Running() { return !WaitExit(absl::ZeroDuration()).has_value(); }

std::optional<int> Process::WaitExit(absl::Duration limit) {
  (void)WaitUntil(
      limit,
      [this] {
        if (exit_code_.has_value()) return true;
        int status = 0;
        if (::waitpid(pid_, &status, WNOHANG) != pid_) return false;
        exit_code_ = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
        return true;
      },
      absl::Milliseconds(2));
  return exit_code_;
}

std::string Process::Out() const { return ReadFile(dir_.path() + "/out"); }
std::string Process::Err() const { return ReadFile(dir_.path() + "/err"); }

bool Process::WaitForErr(std::string_view text, absl::Duration limit) const {
  return WaitUntil(limit, [&] { return Err().find(text) != std::string::npos; });
}

bool Process::WaitForOut(std::string_view text, absl::Duration limit) const {
  return WaitUntil(limit, [&] { return Out().find(text) != std::string::npos; });
}

long Process::PeakRssKib() const { return support::PeakRssKib(pid_); }
double Process::CpuSeconds() const { return support::CpuSeconds(pid_); }

Finished Run(std::vector<std::string> arguments, const Environment& environment,
             absl::Duration limit) {
  const absl::Time start = absl::Now();
  Process process(std::move(arguments), environment);
  const std::optional<int> code = process.WaitExit(limit);
  process.Kill();
  return {code.value_or(-1), process.Out(), process.Err(), absl::Now() - start};
}

Epilogue::Epilogue(const std::string& shell_command) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return;
  if (::fork() == 0) {
    ::setsid();
    ::dup2(ends[0], STDIN_FILENO);
    const int null = ::open("/dev/null", O_RDWR);
    ::dup2(null, STDOUT_FILENO);
    ::dup2(null, STDERR_FILENO);
    const std::string script = absl::StrCat("read -r _; ", shell_command);
    ::execlp("bash", "bash", "-c", script.c_str(), static_cast<char*>(nullptr));
    ::_exit(127);
  }
  ::close(ends[0]);
  alive_ = UniqueFd(ends[1]);
}

long PeakRssKib(pid_t pid) {
  std::ifstream status(absl::StrCat("/proc/", pid, "/status"));
  for (std::string line; std::getline(status, line);) {
    if (line.rfind("VmHWM:", 0) == 0) return std::strtol(line.c_str() + 6, nullptr, 10);
  }
  return 0;
}

double CpuSeconds(pid_t pid) {
  const std::string stat = ReadFile(absl::StrCat("/proc/", pid, "/stat"));
  const std::size_t name_end = stat.rfind(')');
  if (name_end == std::string::npos) return 0;
  // Fields 14 and 15 of proc(5); the name, which is the second, may hold blanks.
  const std::vector<std::string> fields = absl::StrSplit(stat.substr(name_end + 2), ' ');
  long user = 0, system = 0;
  if (fields.size() < 13 || !absl::SimpleAtoi(fields[11], &user) ||
      !absl::SimpleAtoi(fields[12], &system)) {
    return 0;
  }
  return static_cast<double>(user + system) / static_cast<double>(::sysconf(_SC_CLK_TCK));
}

}  // namespace walpost::support
