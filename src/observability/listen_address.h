#ifndef WALPOST_OBSERVABILITY_LISTEN_ADDRESS_H_
#define WALPOST_OBSERVABILITY_LISTEN_ADDRESS_H_

#include <absl/status/status.h>
#include <absl/status/statusor.h>
#include <sys/socket.h>

#include <string>
#include <string_view>

namespace walpost::observability {

// Where the admin server listens, resolved. A plain value.
struct ListenAddress {
  sockaddr_storage storage = {};
  socklen_t length = 0;

  // Reads `127.0.0.1:9464`, `localhost:9464` or `[::1]:9464`; port 0 is any free one. Blocks while
  // a name is resolved. Error: kInvalidArgument, naming the setting.
  static absl::StatusOr<ListenAddress> Parse(std::string_view text);

  bool is_ipv6() const { return storage.ss_family == AF_INET6; }

  // The same address with another port.
  ListenAddress WithPort(int port) const;

  // Numeric: `127.0.0.1:9464`, `[::1]:9464`.
  std::string ToString() const;
};

// What binding `listen` failed with, as an error that names the setting and a way out.
// kInvalidArgument: not an address of this host; kFailedPrecondition: in use, or not permitted.
absl::Status BindError(std::string_view listen, int error_number);

// Tries to listen there and gives it up again: kOk, or what BindError() makes of the reason.
absl::Status ProbeListen(std::string_view listen, const ListenAddress& address);

}  // namespace walpost::observability

#endif  // WALPOST_OBSERVABILITY_LISTEN_ADDRESS_H_
