#ifndef WALPOST_APP_THROWAWAY_POSTGRES_H_
#define WALPOST_APP_THROWAWAY_POSTGRES_H_

#include <absl/status/status.h>
#include <absl/status/statusor.h>

#include <memory>
#include <optional>
#include <string>

#include "app/child_process.h"
#include "app/server_binaries.h"
#include "app/temporary_folder.h"
#include "walpost/stop_signal.h"

namespace walpost::app {

// A PostgreSQL server for the length of its life: an empty cluster, set up for logical decoding, in
// a temporary folder. It listens on a socket in that folder alone, so it takes no port and nobody
// else can reach it; it is quick rather than durable. If this process is killed it ends by itself,
// and only the folder stays.
//
// Runs as an unprivileged user when we are root, since the server refuses to be root. Main thread
// only.
class ThrowawayPostgres {
 public:
  // Returns when it takes connections; about two seconds.
  //
  // kFailedPrecondition: no server is installed, no user to run it as, no folder. kCancelled.
  // kInternal: the server does not start; with the end of what it said.
  static absl::StatusOr<std::unique_ptr<ThrowawayPostgres>> Start(const StopSignal& stop);

  ~ThrowawayPostgres();
  ThrowawayPostgres(const ThrowawayPostgres&) = delete;
  ThrowawayPostgres& operator=(const ThrowawayPostgres&) = delete;

  // For its superuser. Complete, so that PG* variables have no say; but for PGSERVICE and the like,
  // see ClearPostgresEnvironment().
  std::string conninfo() const;

  const ServerBinaries& binaries() const { return binaries_; }
  const std::string& folder() const { return folder_->path(); }
  // As whom it runs; empty when as ourselves.
  std::string user() const { return user_.has_value() ? user_->name : ""; }

  // Ends it and removes the folder; again is no error. kInternal: something stays.
  absl::Status Stop();

 private:
  ThrowawayPostgres(ServerBinaries binaries, std::optional<UnixUser> user,
                    std::unique_ptr<TemporaryFolder> folder);

  absl::Status InitCluster(const StopSignal& stop);
  absl::Status Launch(const StopSignal& stop);
  absl::Status WaitUntilReady(const StopSignal& stop);
  ChildOptions Options(std::vector<std::string> command, const std::string& log) const;
  absl::Status Failure(const std::string& program, int exit_code, const std::string& log) const;
  std::string LogFile(const std::string& program) const;

  const ServerBinaries binaries_;
  const std::optional<UnixUser> user_;
  std::unique_ptr<TemporaryFolder> folder_;
  std::unique_ptr<ChildProcess> server_;  // ends before the folder goes
};

// Removes every PG* variable from the environment of this process: libpq would mix them into a
// connection that they are not meant for. Before the first thread.
void ClearPostgresEnvironment();

}  // namespace walpost::app

#endif  // WALPOST_APP_THROWAWAY_POSTGRES_H_
