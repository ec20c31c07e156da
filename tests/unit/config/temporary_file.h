#ifndef WALPOST_TESTS_UNIT_CONFIG_TEMPORARY_FILE_H_
#define WALPOST_TESTS_UNIT_CONFIG_TEMPORARY_FILE_H_

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <string>
#include <string_view>

namespace walpost::config {

// A file with some content, which is gone with the object.
class TemporaryFile {
 public:
  explicit TemporaryFile(std::string_view content) {
    std::string name = testing::TempDir() + "walpost-config-XXXXXX";
    int fd = ::mkstemp(name.data());
    EXPECT_GE(fd, 0);
    ::close(fd);
    path_ = name;
    std::ofstream(path_) << content;
  }
  ~TemporaryFile() { std::remove(path_.c_str()); }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace walpost::config

#endif  // WALPOST_TESTS_UNIT_CONFIG_TEMPORARY_FILE_H_
