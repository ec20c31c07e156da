#ifndef WALPOST_LSN_H_
#define WALPOST_LSN_H_

#include <absl/status/statusor.h>

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

namespace walpost {

// A position in the write-ahead log of one PostgreSQL cluster, in bytes from the beginning of its
// WAL. It means something only within one (system identifier, timeline). Zero is "no position"; the
// server never hands it out.
//
// An LSN does not identify a row: a commit's end, the next transaction's begin and its first row
// may share one value.
//
// A value type; safe to copy between threads.
// Source: https://www.postgresql.org/docs/current/datatype-pg-lsn.html
class Lsn {
 public:
  constexpr Lsn() = default;
  constexpr explicit Lsn(std::uint64_t value) : value_(value) {}

  // Reads the server's notation `16/B374D848`: two hexadecimal halves of 1 to 8 digits each.
  // Error: kInvalidArgument for anything else.
  static absl::StatusOr<Lsn> Parse(std::string_view text);

  constexpr std::uint64_t value() const { return value_; }
  constexpr bool is_zero() const { return value_ == 0; }

  // The server's notation, without zero padding.
  std::string ToString() const;

  constexpr auto operator<=>(const Lsn&) const = default;

 private:
  std::uint64_t value_ = 0;
};

}  // namespace walpost

#endif  // WALPOST_LSN_H_
