#include "support/free_port.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>

#include "base/unique_fd.h"

namespace walpost::support {
namespace {

constexpr int kFirst = 20000;
constexpr int kCount = 12000;

bool IsFree(int port) {
  const UniqueFd fd(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return ::bind(fd.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
}

}  // namespace

int FreePort(int count) {
  // Two test programs at the same time start at different places.
  static std::atomic<int> next{::getpid() * 37 % kCount};
  for (;;) {
    const int first = kFirst + next.fetch_add(count) % kCount;
    bool free = true;
    for (int i = 0; i < count; ++i) free = free && IsFree(first + i);
    if (free) return first;
  }
}

}  // namespace walpost::support
