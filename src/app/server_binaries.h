#ifndef WALPOST_APP_SERVER_BINARIES_H_
#define WALPOST_APP_SERVER_BINARIES_H_

#include <absl/status/statusor.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace walpost::app {

// Where a PostgreSQL server is installed.
struct ServerBinaries {
  std::string folder;  // with initdb and postgres
  int major = 0;
  std::string version;  // `15.18`
};

// What `postgres --version` printed: `postgres (PostgreSQL) 15.18 (Debian ...)`, also `17beta1`.
// Without a folder. Nothing when it is something else. Pure.
std::optional<ServerBinaries> ParseServerVersion(std::string_view text);

// The folders of `path` (as in $PATH), then where packages put servers: a folder for each version,
// outside of $PATH. Each once, and only those that hold both programs.
std::vector<std::string> ServerFolders(std::string_view path,
                                       const std::vector<std::string>& package_roots);

// Debian's and Red Hat's.
std::vector<std::string> PackageRoots();

// The newest server in those folders that a relay can work with. Runs `postgres --version` of each.
// kFailedPrecondition: there is none; the hint installs one.
absl::StatusOr<ServerBinaries> NewestServer(const std::vector<std::string>& folders);

}  // namespace walpost::app

#endif  // WALPOST_APP_SERVER_BINARIES_H_
