#include "app/temporary_folder.h"

#include <absl/strings/str_cat.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "base/status_macros.h"

namespace walpost::app {
namespace {

namespace fs = std::filesystem;

// A socket's path has 107 bytes, and PostgreSQL's name in the folder takes 19 of them.
constexpr std::size_t kLongestPath = 88;

std::string TemporaryRoot() {
  const char* set = std::getenv("TMPDIR");
  return set == nullptr || *set == '\0' ? "/tmp" : set;
}

bool MayEnter(const struct stat& folder, const UnixUser& user) {
  if (folder.st_uid == user.uid) return (folder.st_mode & S_IXUSR) != 0;
  if (folder.st_gid == user.gid) return (folder.st_mode & S_IXGRP) != 0;
  return (folder.st_mode & S_IXOTH) != 0;
}

// Every folder above `path`, which the user has to pass through.
absl::Status CheckWay(const fs::path& path, const UnixUser& user) {
  for (fs::path above = path.parent_path();; above = above.parent_path()) {
    struct stat found {};
    if (stat(above.c_str(), &found) == 0 && !MayEnter(found, user)) {
      return absl::FailedPreconditionError(
          absl::StrCat("user ", user.name, ", as whom the PostgreSQL server runs, cannot enter '",
                       above.string(), "' on the way to TMPDIR; hint: set TMPDIR=/tmp"));
    }
    if (above == above.parent_path()) return absl::OkStatus();
  }
}

}  // namespace

absl::StatusOr<std::unique_ptr<TemporaryFolder>> TemporaryFolder::Make(
    const std::string& prefix, const std::optional<UnixUser>& owner) {
  std::error_code error;
  const fs::path root = fs::absolute(TemporaryRoot(), error);
  std::string path = (root / absl::StrCat(prefix, "XXXXXX")).string();
  if (path.size() > kLongestPath) {
    return absl::FailedPreconditionError(absl::StrCat(
        "the path of TMPDIR is too long for a socket in '", path, "'; hint: set TMPDIR=/tmp"));
  }
  if (mkdtemp(path.data()) == nullptr) {
    return absl::FailedPreconditionError(absl::StrCat("cannot make a folder in '", root.string(),
                                                      "': ", std::strerror(errno),
                                                      "; hint: set TMPDIR to a writable folder"));
  }
  std::unique_ptr<TemporaryFolder> folder(new TemporaryFolder(std::move(path)));
  if (!owner.has_value()) return folder;
  if (chown(folder->path().c_str(), owner->uid, owner->gid) != 0) {
    return absl::FailedPreconditionError(absl::StrCat("cannot give '", folder->path(), "' to user ",
                                                      owner->name, ": ", std::strerror(errno)));
  }
  WALPOST_RETURN_IF_ERROR(CheckWay(folder->path(), *owner));
  return folder;
}

TemporaryFolder::~TemporaryFolder() { static_cast<void>(Remove().ok()); }

absl::Status TemporaryFolder::Remove() {
  std::error_code error;
  fs::remove_all(path_, error);
  if (!error) return absl::OkStatus();
  return absl::InternalError(absl::StrCat("cannot remove '", path_, "': ", error.message()));
}

}  // namespace walpost::app
