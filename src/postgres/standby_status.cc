#include "postgres/standby_status.h"

#include <cstdint>

namespace walpost::postgres {
namespace {

constexpr std::int64_t kPostgresEpochUnixSeconds = 946'684'800;

void PutBigEndian(char* out, std::uint64_t value) {
  for (int i = 0; i < 8; ++i) out[i] = static_cast<char>((value >> (56 - 8 * i)) & 0xff);
}

}  // namespace

std::array<char, kStandbyStatusSize> EncodeStandbyStatus(const StandbyStatus& status,
                                                         absl::Time now) {
  std::array<char, kStandbyStatusSize> out{};
  std::int64_t micros = absl::ToUnixMicros(now) - kPostgresEpochUnixSeconds * 1'000'000;
  out[0] = 'r';
  PutBigEndian(&out[1], status.write.value());
  PutBigEndian(&out[9], status.flush.value());
  PutBigEndian(&out[17], status.flush.value());
  PutBigEndian(&out[25], static_cast<std::uint64_t>(micros));
  out[33] = status.reply_requested ? 1 : 0;
  return out;
}

}  // namespace walpost::postgres
