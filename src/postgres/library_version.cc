#include "postgres/library_version.h"

#include <absl/strings/str_cat.h>
#include <libpq-fe.h>

namespace walpost::postgres {

std::string LibraryVersion() {
  const int version = PQlibVersion();  // 150018
  return absl::StrCat(version / 10000, ".", version % 10000);
}

}  // namespace walpost::postgres
