#ifndef WALPOST_BASE_UNIQUE_FD_H_
#define WALPOST_BASE_UNIQUE_FD_H_

#include <unistd.h>

#include <utility>

namespace walpost {

// Owns a file descriptor and closes it. Not thread-safe.
class UniqueFd {
 public:
  UniqueFd() = default;
  explicit UniqueFd(int fd) : fd_(fd) {}
  UniqueFd(UniqueFd&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  UniqueFd& operator=(UniqueFd&& other) noexcept {
    if (this != &other) {
      Close();
      fd_ = std::exchange(other.fd_, -1);
    }
    return *this;
  }
  ~UniqueFd() { Close(); }

  // -1 when nothing is owned.
  int get() const { return fd_; }

 private:
  void Close() {
    if (fd_ >= 0) ::close(fd_);
    fd_ = -1;
  }

  int fd_ = -1;
};

}  // namespace walpost

#endif  // WALPOST_BASE_UNIQUE_FD_H_
