#include "support/http_get.h"

#include <absl/strings/match.h>
#include <absl/strings/str_cat.h>
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/time.h>

#include <array>
#include <cstdint>
#include <cstdlib>

#include "base/unique_fd.h"

namespace walpost::support {
namespace {

// The whole reply, head and body; empty when there was none.
std::string Exchange(int port, const std::string& request) {
  const UniqueFd fd(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  const timeval limit{2, 0};
  ::setsockopt(fd.get(), SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (::connect(fd.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 ||
      ::send(fd.get(), request.data(), request.size(), MSG_NOSIGNAL) < 0) {
    return "";
  }
  std::string reply;
  std::array<char, 4096> block;
  for (;;) {
    const ssize_t n = ::recv(fd.get(), block.data(), block.size(), 0);
    if (n <= 0) return reply;
    reply.append(block.data(), static_cast<std::size_t>(n));
  }
}

}  // namespace

HttpReply HttpGet(int port, const std::string& path) {
  const std::string reply = Exchange(
      port, absl::StrCat("GET ", path, " HTTP/1.1\r\nHost: walpost\r\nConnection: close\r\n\r\n"));
  const std::size_t head_end = reply.find("\r\n\r\n");
  if (!absl::StartsWith(reply, "HTTP/1.") || head_end == std::string::npos) return {};
  return {std::atoi(reply.c_str() + 9), reply.substr(head_end + 4)};
}

}  // namespace walpost::support
