#include <absl/strings/str_cat.h>

#include "app/app.h"
#include "kafka/library_version.h"
#include "postgres/library_version.h"

namespace walpost::app {

std::string LibraryVersions() {
  // The two that talk to others as they are loaded; the rest as they were built with.
  return absl::StrCat("libpq ", postgres::LibraryVersion(), "\nlibrdkafka ",
                      kafka::LibraryVersion(), "\n", WALPOST_BUILT_WITH);
}

}  // namespace walpost::app
