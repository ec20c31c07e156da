#ifndef WALPOST_OUTBOX_DECIMAL_TEXT_H_
#define WALPOST_OUTBOX_DECIMAL_TEXT_H_

#include <absl/status/status.h>
#include <absl/status/statusor.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace walpost::outbox {

// A numeric(precision, scale) as Java's BigDecimal has it: an integer without a point, and how many
// of its digits come after one. A value.
struct Decimal {
  bool negative = false;
  std::string digits = "0";  // without leading zeros
  std::int32_t scale = 0;

  // Of the server's text, `-12.30`. Error: kInvalidArgument for NaN, for another number of digits
  // after the point than `scale`, for more in all than `precision`, and for any other text.
  static absl::StatusOr<Decimal> Of(std::string_view text, std::int32_t precision,
                                    std::int32_t scale);

  // As BigDecimal.toString() writes it: `-12.30`, but `1.23E-8` for less than a millionth.
  // https://docs.oracle.com/en/java/javase/21/docs/api/java.base/java/math/BigDecimal.html
  void AppendText(std::string& out) const;

  // The digits as BigInteger.toByteArray() gives them: two's complement in the fewest bytes, the
  // highest first. Takes time with the square of their number.
  std::string Bytes() const;
};

}  // namespace walpost::outbox

#endif  // WALPOST_OUTBOX_DECIMAL_TEXT_H_
