// The files that leaving Kafka Connect begins with, out of arbitrary bytes: a connector's
// configuration, and its offset as JSON or as Java serialises it. Nothing may crash or read out of
// bounds; a position is none at which nothing was ever committed.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "cli/connect_offset.h"
#include "cli/connector_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const auto offset = walpost::cli::ParseConnectOffset(input);
  if (offset.ok() && offset->lsn_commit == walpost::Lsn()) std::abort();
  static_cast<void>(walpost::cli::ParseConnectorFile(input, "connector"));
  return 0;
}
