#include "pgoutput/frame.h"

#include <absl/status/status.h>
#include <absl/strings/str_cat.h>

#include "base/byte_reader.h"

namespace walpost::pgoutput {
namespace {

constexpr char kXLogData = 'w';
constexpr char kKeepalive = 'k';
// 2000-01-01 as seconds since 1970.
constexpr std::int64_t kEpochSeconds = 946'684'800;

absl::Status Malformed(std::string_view what, std::size_t offset) {
  return absl::DataLossError(
      absl::StrCat("malformed replication frame: ", std::string(what), " at byte ", offset));
}

}  // namespace

absl::StatusOr<Frame> ParseFrame(std::string_view bytes) {
  ByteReader reader(bytes);
  const char tag = reader.Read<char>();
  if (!reader.ok()) return Malformed("empty", 0);
  if (tag == kXLogData) {
    XLogData data;
    data.start = Lsn(reader.Read<std::uint64_t>());
    data.wal_end = Lsn(reader.Read<std::uint64_t>());
    reader.Read<std::int64_t>();  // when it was sent
    if (!reader.ok()) return Malformed("truncated header", reader.offset());
    data.payload = reader.ReadBytes(reader.remaining());
    return Frame(data);
  }
  if (tag == kKeepalive) {
    Keepalive keepalive;
    keepalive.wal_end = Lsn(reader.Read<std::uint64_t>());
    reader.Read<std::int64_t>();  // when it was sent
    keepalive.reply_requested = reader.Read<std::uint8_t>() != 0;
    if (!reader.AtEnd()) return Malformed("keepalive of a wrong length", reader.offset());
    return Frame(keepalive);
  }
  return Malformed(absl::StrCat("unknown kind ", static_cast<int>(static_cast<unsigned char>(tag))),
                   0);
}

absl::Time TimeFromWire(std::int64_t micros) {
  return absl::FromUnixSeconds(kEpochSeconds) + absl::Microseconds(micros);
}

}  // namespace walpost::pgoutput
