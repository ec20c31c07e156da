#include "app/throwaway_postgres.h"

#include <absl/strings/str_cat.h>
#include <absl/strings/str_join.h>
#include <absl/strings/str_split.h>
#include <poll.h>
#include <pwd.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string_view>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/status_macros.h"
#include "base/strings.h"
#include "postgres/sql_session.h"

namespace walpost::app {
namespace {

constexpr absl::Duration kInitLimit = absl::Minutes(1);
constexpr absl::Duration kStartLimit = absl::Seconds(30);
constexpr absl::Duration kStopLimit = absl::Seconds(8);
constexpr int kReadyPollMs = 20;

std::optional<UnixUser> FindUser(const char* name) {
  const passwd* found = getpwnam(name);
  if (found == nullptr || found->pw_uid == 0) return std::nullopt;
  return UnixUser{.name = name, .uid = found->pw_uid, .gid = found->pw_gid};
}

// Nothing when we can run the server as ourselves.
absl::StatusOr<std::optional<UnixUser>> UserForServer() {
  if (geteuid() != 0) return std::optional<UnixUser>();
  for (const char* name : {"postgres", "nobody"}) {
    if (std::optional<UnixUser> user = FindUser(name)) return user;
  }
  return absl::FailedPreconditionError(
      "the PostgreSQL server does not run as root, and there is neither a user postgres nor a user "
      "nobody; hint: run walpost demo as another user");
}

// The last lines of a log, as one.
std::string EndOfLog(const std::string& file) {
  constexpr std::size_t kLines = 3;
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  std::vector<std::string> lines = absl::StrSplit(text.str(), '\n', absl::SkipWhitespace());
  if (lines.size() > kLines) lines.erase(lines.begin(), lines.end() - kLines);
  return lines.empty() ? "it said nothing" : absl::StrJoin(lines, "; ");
}

void WaitABit(const StopSignal& stop) {
  pollfd waiting{stop.fd(), POLLIN, 0};
  poll(&waiting, 1, kReadyPollMs);
}

}  // namespace

absl::StatusOr<std::unique_ptr<ThrowawayPostgres>> ThrowawayPostgres::Start(
    const StopSignal& stop) {
  const char* path = std::getenv("PATH");
  WALPOST_ASSIGN_OR_RETURN(
      ServerBinaries binaries,
      NewestServer(ServerFolders(path == nullptr ? "" : path, PackageRoots())));
  WALPOST_ASSIGN_OR_RETURN(std::optional<UnixUser> user, UserForServer());
  WALPOST_ASSIGN_OR_RETURN(std::unique_ptr<TemporaryFolder> folder,
                           TemporaryFolder::Make("walpost-demo-", user));
  std::unique_ptr<ThrowawayPostgres> server(
      new ThrowawayPostgres(std::move(binaries), std::move(user), std::move(folder)));
  WALPOST_RETURN_IF_ERROR(server->InitCluster(stop));
  WALPOST_RETURN_IF_ERROR(server->Launch(stop));
  return server;
}

ThrowawayPostgres::ThrowawayPostgres(ServerBinaries binaries, std::optional<UnixUser> user,
                                     std::unique_ptr<TemporaryFolder> folder)
    : binaries_(std::move(binaries)), user_(std::move(user)), folder_(std::move(folder)) {}

ThrowawayPostgres::~ThrowawayPostgres() { static_cast<void>(Stop().ok()); }

std::string ThrowawayPostgres::conninfo() const {
  // `options` without a value would leave it to PGOPTIONS, and so on. The folder's name may hold
  // what libpq reads as syntax, and a comma would make two hosts of it.
  std::string host;
  for (char c : folder()) {
    if (c == '\'' || c == '\\') host += '\\';
    host += c;
  }
  return absl::StrCat("host='", host,
                      "' hostaddr='' port=5432 user=postgres dbname=postgres password='' "
                      "options='' sslmode=disable gssencmode=disable channel_binding=disable "
                      "requirepeer='' target_session_attrs=any");
}

std::string ThrowawayPostgres::LogFile(const std::string& program) const {
  return absl::StrCat(folder(), "/", program, ".log");
}

ChildOptions ThrowawayPostgres::Options(std::vector<std::string> command,
                                        const std::string& log) const {
  // Nothing of our environment: PGPORT and the like are settings to the server. TZ spares initdb a
  // search through all time zones.
  return {.command = std::move(command),
          .environment = {"PATH=/usr/local/bin:/usr/bin:/bin", "LC_ALL=C", "TZ=UTC",
                          absl::StrCat("HOME=", folder())},
          .user = user_,
          .output_file = log,
          // The server's own signal for: end at once.
          .signal_on_our_death = SIGQUIT};
}

absl::Status ThrowawayPostgres::Failure(const std::string& program, int exit_code,
                                        const std::string& log) const {
  return absl::InternalError(absl::StrCat(binaries_.folder, "/", program, " ended with exit code ",
                                          exit_code, ": ", EndOfLog(log),
                                          "; hint: name a running server with --conninfo"));
}

absl::Status ThrowawayPostgres::InitCluster(const StopSignal& stop) {
  const std::string log = LogFile("initdb");
  WALPOST_ASSIGN_OR_RETURN(
      std::unique_ptr<ChildProcess> initdb,
      ChildProcess::Start(
          Options({absl::StrCat(binaries_.folder, "/initdb"), "--pgdata",
                   absl::StrCat(folder(), "/data"), "--username", "postgres", "--auth", "trust",
                   "--encoding", "UTF8", "--locale", "C", "--no-sync", "--no-instructions"},
                  log)));
  const absl::StatusOr<int> code = initdb->Wait(kInitLimit, stop);
  if (code.ok()) return *code == 0 ? absl::OkStatus() : Failure("initdb", *code, log);
  // Its own programs give back their shared memory when they are asked to end.
  const postgres::NeverStop never;
  initdb->Signal(SIGTERM);
  static_cast<void>(initdb->Wait(kStopLimit, never).ok());
  if (!absl::IsDeadlineExceeded(code.status())) return code.status();
  return absl::InternalError(absl::StrCat(binaries_.folder, "/initdb was not done within ",
                                          absl::FormatDuration(kInitLimit)));
}

absl::Status ThrowawayPostgres::Launch(const StopSignal& stop) {
  std::vector<std::string> command = {absl::StrCat(binaries_.folder, "/postgres"), "-D",
                                      absl::StrCat(folder(), "/data")};
  const std::string socket_folder = absl::StrCat("unix_socket_directories=\"", folder(), "\"");
  // Nothing of it is to survive, so it need not reach the disk. A small machine will do.
  for (std::string_view setting :
       {"listen_addresses=", "port=5432", std::string_view(socket_folder).data(),
        "unix_socket_permissions=0700", "wal_level=logical", "fsync=off", "full_page_writes=off",
        "autovacuum=off", "shared_buffers=16MB", "max_connections=20", "max_wal_senders=4",
        "max_replication_slots=4", "logging_collector=off", "log_destination=stderr"}) {
    command.insert(command.end(), {"-c", std::string(setting)});
  }
  WALPOST_ASSIGN_OR_RETURN(server_, ChildProcess::Start(Options(command, LogFile("postgres"))));
  return WaitUntilReady(stop);
}

absl::Status ThrowawayPostgres::WaitUntilReady(const StopSignal& stop) {
  const SystemClock clock;
  const absl::Duration deadline = clock.Monotonic() + kStartLimit;
  postgres::ConnectionOptions options;
  options.conninfo = conninfo();
  while (true) {
    const absl::Status reached =
        postgres::SqlSession::Connect(options, stop, postgres::SqlSession::Mode::kSql).status();
    // Until it is ready there is no socket, or it says that it is starting.
    if (!absl::IsUnavailable(reached)) return reached;
    const absl::StatusOr<int> code = server_->Wait(absl::ZeroDuration(), stop);
    if (code.ok()) return Failure("postgres", *code, LogFile("postgres"));
    if (absl::IsCancelled(code.status())) return code.status();
    if (clock.Monotonic() > deadline) return reached;
    WaitABit(stop);
  }
}

absl::Status ThrowawayPostgres::Stop() {
  if (server_ != nullptr) {
    const postgres::NeverStop never;
    server_->Signal(SIGQUIT);
    static_cast<void>(server_->Wait(kStopLimit, never).ok());
    server_.reset();  // kills what did not end
  }
  return folder_->Remove();
}

void ClearPostgresEnvironment() {
  std::vector<std::string> names;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view variable = *entry;
    if (variable.starts_with("PG")) names.emplace_back(variable.substr(0, variable.find('=')));
  }
  for (const std::string& name : names) unsetenv(name.c_str());
}

}  // namespace walpost::app
