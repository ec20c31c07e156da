#include "support/temp_dir.h"

#include <absl/strings/str_cat.h>
#include <stdlib.h>
#include <sys/stat.h>

#include <cstdio>
#include <filesystem>
#include <system_error>

#include "base/strings.h"

namespace walpost::support {

TempDir::TempDir(std::string_view name) {
  const char* parent = std::getenv("TMPDIR");
  path_ = absl::StrCat(parent == nullptr ? "/tmp" : parent, "/walpost-", ToAbsl(name), "-XXXXXX");
  if (::mkdtemp(path_.data()) == nullptr) {
    std::perror(path_.c_str());
    std::abort();
  }
  // The PostgreSQL server may run as another user.
  ::chmod(path_.c_str(), 0755);
}

TempDir::~TempDir() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace walpost::support
