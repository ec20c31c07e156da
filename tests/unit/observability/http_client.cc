#include "unit/observability/http_client.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/types.h>

#include <cstdint>
#include <cstdlib>
#include <utility>

namespace walpost::observability {

UniqueFd ConnectTo(int port) {
  UniqueFd fd(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  timeval limit = {5, 0};
  ::setsockopt(fd.get(), SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit));
  if (::connect(fd.get(), reinterpret_cast<sockaddr*>(&address), sizeof(address)) != 0) return {};
  return fd;
}

HttpAnswer Exchange(int port, std::string_view request) {
  HttpAnswer answer;
  UniqueFd fd = ConnectTo(port);
  if (fd.get() < 0) return answer;
  if (::send(fd.get(), request.data(), request.size(), MSG_NOSIGNAL) < 0) return answer;
  std::string all;
  char buffer[4096];
  ssize_t n = 0;
  while ((n = ::recv(fd.get(), buffer, sizeof(buffer), 0)) > 0) {
    all.append(buffer, static_cast<std::size_t>(n));
  }
  std::size_t end = all.find("\r\n\r\n");
  if (end == std::string::npos || !all.starts_with("HTTP/1.")) return answer;
  answer.status = std::atoi(all.c_str() + sizeof("HTTP/1.1"));
  answer.head = all.substr(0, end + 2);
  answer.body = all.substr(end + 4);
  return answer;
}

HttpAnswer Get(int port, std::string_view path) {
  return Exchange(port, "GET " + std::string(path) + " HTTP/1.1\r\nHost: walpost\r\n\r\n");
}

}  // namespace walpost::observability
