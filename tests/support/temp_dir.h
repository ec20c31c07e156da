#ifndef WALPOST_TESTS_SUPPORT_TEMP_DIR_H_
#define WALPOST_TESTS_SUPPORT_TEMP_DIR_H_

#include <string>
#include <string_view>

namespace walpost::support {

// A new folder under $TMPDIR that other users may enter, removed with all it holds.
class TempDir {
 public:
  explicit TempDir(std::string_view name);
  ~TempDir();
  TempDir(const TempDir&) = delete;
  TempDir& operator=(const TempDir&) = delete;

  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace walpost::support

#endif  // WALPOST_TESTS_SUPPORT_TEMP_DIR_H_
