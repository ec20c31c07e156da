#include "observability/listen_address.h"

#include <absl/strings/numbers.h>
#include <absl/strings/str_cat.h>
#include <arpa/inet.h>
#include <netdb.h>
#include <netinet/in.h>

#include <cerrno>
#include <cstddef>
#include <cstring>
#include <memory>
#include <system_error>

#include "base/strings.h"
#include "base/unique_fd.h"

namespace walpost::observability {
namespace {

struct FreeAddresses {
  void operator()(addrinfo* list) const { ::freeaddrinfo(list); }
};
using AddressList = std::unique_ptr<addrinfo, FreeAddresses>;

std::string Setting(std::string_view text) {
  return absl::StrCat("admin.listen (--admin-listen) '", ToAbsl(text), "'");
}

absl::Status Malformed(std::string_view text, std::string_view what) {
  return absl::InvalidArgumentError(absl::StrCat(
      Setting(text), " ", ToAbsl(what), "; hint: write host:port, such as 127.0.0.1:9464"));
}

// Splits at the last colon; an IPv6 address must be in brackets, which are dropped.
bool SplitHostPort(std::string_view text, std::string_view& host, std::string_view& port) {
  std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos) return false;
  host = text.substr(0, colon);
  port = text.substr(colon + 1);
  if (host.size() >= 2 && host.front() == '[' && host.back() == ']') {
    host = host.substr(1, host.size() - 2);
    return !host.empty();
  }
  return !host.empty() && host.find_first_of("[]:") == std::string_view::npos;
}

bool ParsePort(std::string_view text, int& port) {
  return text.find_first_not_of("0123456789") == std::string_view::npos &&
         absl::SimpleAtoi(ToAbsl(text), &port) && port <= 65535;
}

}  // namespace

absl::StatusOr<ListenAddress> ListenAddress::Parse(std::string_view text) {
  std::string_view host;
  std::string_view port_text;
  int port = 0;
  if (!SplitHostPort(text, host, port_text)) return Malformed(text, "is not host:port");
  if (!ParsePort(port_text, port)) return Malformed(text, "has no port between 0 and 65535");

  addrinfo hints = {};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_PASSIVE;
  addrinfo* found = nullptr;
  int error = ::getaddrinfo(std::string(host).c_str(), nullptr, &hints, &found);
  AddressList list(found);
  if (error != 0 || list == nullptr) {
    return Malformed(text, absl::StrCat("cannot be resolved: ", ::gai_strerror(error)));
  }
  // A name may stand for both families, and IPv4 works everywhere.
  const addrinfo* chosen = list.get();
  for (const addrinfo* a = list.get(); a != nullptr; a = a->ai_next) {
    if (a->ai_family == AF_INET) {
      chosen = a;
      break;
    }
  }
  ListenAddress result;
  std::memcpy(&result.storage, chosen->ai_addr, chosen->ai_addrlen);
  result.length = chosen->ai_addrlen;
  return result.WithPort(port);
}

ListenAddress ListenAddress::WithPort(int port) const {
  ListenAddress result = *this;
  // The port is at the same place in both families.
  static_assert(offsetof(sockaddr_in, sin_port) == offsetof(sockaddr_in6, sin6_port));
  in_port_t wire = htons(static_cast<in_port_t>(port));
  std::memcpy(reinterpret_cast<char*>(&result.storage) + offsetof(sockaddr_in, sin_port), &wire,
              sizeof(wire));
  return result;
}

std::string ListenAddress::ToString() const {
  char host[NI_MAXHOST] = {};
  char port[NI_MAXSERV] = {};
  ::getnameinfo(reinterpret_cast<const sockaddr*>(&storage), length, host, sizeof(host), port,
                sizeof(port), NI_NUMERICHOST | NI_NUMERICSERV);
  return is_ipv6() ? absl::StrCat("[", host, "]:", port) : absl::StrCat(host, ":", port);
}

absl::Status BindError(std::string_view listen, int error_number) {
  std::string what = absl::StrCat("cannot listen on ", Setting(listen), ": ",
                                  std::error_code(error_number, std::generic_category()).message());
  switch (error_number) {
    case EADDRNOTAVAIL:
    case EAFNOSUPPORT:
      return absl::InvalidArgumentError(absl::StrCat(
          what, "; hint: give an address of this host, or 0.0.0.0 for all of its addresses"));
    case EADDRINUSE:
      return absl::FailedPreconditionError(absl::StrCat(
          what,
          "; hint: another process has the port, perhaps another walpost: give each its own"));
    case EACCES:
    case EPERM:
      return absl::FailedPreconditionError(absl::StrCat(
          what, "; hint: ports below 1024 need CAP_NET_BIND_SERVICE; take a higher one"));
    default:
      return absl::FailedPreconditionError(
          absl::StrCat(what, "; hint: try another address, or leave it empty to do without"));
  }
}

absl::Status ProbeListen(std::string_view listen, const ListenAddress& address) {
  UniqueFd fd(::socket(address.storage.ss_family, SOCK_STREAM | SOCK_CLOEXEC, 0));
  int on = 1;
  if (fd.get() < 0 || ::setsockopt(fd.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on)) != 0 ||
      ::bind(fd.get(), reinterpret_cast<const sockaddr*>(&address.storage), address.length) != 0 ||
      ::listen(fd.get(), 1) != 0) {
    return BindError(listen, errno);
  }
  return absl::OkStatus();
}

}  // namespace walpost::observability
