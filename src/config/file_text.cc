#include "config/file_text.h"

#include <absl/status/status.h>
#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <system_error>

#include "base/unique_fd.h"

namespace walpost::config {
namespace {

absl::Status LastError() {
  return absl::InvalidArgumentError(std::generic_category().message(errno));
}

}  // namespace

absl::StatusOr<std::string> ReadFileText(const std::string& path) {
  UniqueFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (fd.get() < 0) return LastError();
  std::string text;
  std::array<char, 16384> buffer;
  while (true) {
    ssize_t n = ::read(fd.get(), buffer.data(), buffer.size());
    if (n == 0) return text;
    if (n > 0) {
      text.append(buffer.data(), static_cast<std::size_t>(n));
    } else if (errno != EINTR) {
      return LastError();
    }
  }
}

}  // namespace walpost::config
