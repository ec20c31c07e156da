#ifndef WALPOST_KAFKA_MILLISECONDS_H_
#define WALPOST_KAFKA_MILLISECONDS_H_

#include <absl/time/time.h>

#include <algorithm>
#include <limits>

namespace walpost::kafka {

// A duration as librdkafka takes timeouts. Rounded up, so that a short wait is not none at all;
// never negative, which would mean "for ever".
inline int ToMilliseconds(absl::Duration duration) {
  const absl::Duration clamped = std::clamp(duration, absl::ZeroDuration(),
                                            absl::Milliseconds(std::numeric_limits<int>::max()));
  return static_cast<int>(absl::ToInt64Milliseconds(absl::Ceil(clamped, absl::Milliseconds(1))));
}

}  // namespace walpost::kafka

#endif  // WALPOST_KAFKA_MILLISECONDS_H_
