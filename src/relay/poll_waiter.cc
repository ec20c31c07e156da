#include <poll.h>

#include <algorithm>
#include <array>
#include <ctime>

#include "relay/waiter.h"

namespace walpost {

void PollWaiter::Wait(const WaitRequest& request) {
  const short stream_events = static_cast<short>((request.stream_readable ? POLLIN : 0) |
                                                 (request.stream_writable ? POLLOUT : 0));
  // poll(2) passes over negative descriptors.
  std::array<pollfd, 3> fds = {{{request.stream_fd, stream_events, 0},
                                {request.sink_fd, POLLIN, 0},
                                {request.stop_fd, POLLIN, 0}}};
  // ppoll, since a millisecond is too coarse a unit for a deadline that is nearly due.
  timespec timeout{};
  const bool bounded = request.timeout < absl::Hours(1);
  if (bounded) timeout = absl::ToTimespec(std::max(request.timeout, absl::ZeroDuration()));
  // Woken by a signal, or in error: the caller looks for itself either way.
  ::ppoll(fds.data(), fds.size(), bounded ? &timeout : nullptr, nullptr);
}

}  // namespace walpost
