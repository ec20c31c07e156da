#ifndef WALPOST_POSTGRES_STANDBY_STATUS_H_
#define WALPOST_POSTGRES_STANDBY_STATUS_H_

#include <absl/time/time.h>

#include <array>
#include <cstddef>

#include "walpost/replication_stream.h"

namespace walpost::postgres {

inline constexpr std::size_t kStandbyStatusSize = 34;

// The bytes of a standby status update: 'r', write, flush, apply (all int64), the client's time in
// microseconds since 2000-01-01 UTC, and whether a reply is wanted. apply is flush: for a logical
// slot the server looks at flush alone. Pure.
// Source: https://www.postgresql.org/docs/current/protocol-replication.html
std::array<char, kStandbyStatusSize> EncodeStandbyStatus(const StandbyStatus& status,
                                                         absl::Time now);

}  // namespace walpost::postgres

#endif  // WALPOST_POSTGRES_STANDBY_STATUS_H_
