#include "app/stop_event.h"

#include <sys/eventfd.h>

namespace walpost::app {

StopEvent::StopEvent() : fd_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {}

void StopEvent::Request() {
  requested_.store(true);
  eventfd_write(fd_.get(), 1);
}

}  // namespace walpost::app
