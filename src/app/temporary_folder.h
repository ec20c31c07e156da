#ifndef WALPOST_APP_TEMPORARY_FOLDER_H_
#define WALPOST_APP_TEMPORARY_FOLDER_H_

#include <absl/status/status.h>
#include <absl/status/statusor.h>

#include <memory>
#include <optional>
#include <string>

#include "app/child_process.h"

namespace walpost::app {

// A new folder of its own in $TMPDIR, for its user's eyes only; gone, with what is in it, when this
// is.
class TemporaryFolder {
 public:
  // `prefix` begins its name. With `owner` it is given to that user. kFailedPrecondition: it cannot
  // be made, or its owner cannot get to it, or its path is too long for a socket in it.
  static absl::StatusOr<std::unique_ptr<TemporaryFolder>> Make(
      const std::string& prefix, const std::optional<UnixUser>& owner);

  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::string& path() const { return path_; }

  // Removes it now; again is no error. kInternal: something in it stays.
  absl::Status Remove();

 private:
  explicit TemporaryFolder(std::string path) : path_(std::move(path)) {}

  const std::string path_;
};

}  // namespace walpost::app

#endif  // WALPOST_APP_TEMPORARY_FOLDER_H_
