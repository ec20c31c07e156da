#ifndef WALPOST_TESTS_UNIT_OBSERVABILITY_HTTP_CLIENT_H_
#define WALPOST_TESTS_UNIT_OBSERVABILITY_HTTP_CLIENT_H_

#include <string>
#include <string_view>

#include "base/unique_fd.h"

namespace walpost::observability {

struct HttpAnswer {
  int status = 0;
  std::string head;
  std::string body;
};

// A connection to a port of the loopback address; fd -1 when nobody listens.
UniqueFd ConnectTo(int port);

// Sends `request` as it is and reads until the server closes, for at most five seconds.
HttpAnswer Exchange(int port, std::string_view request);

HttpAnswer Get(int port, std::string_view path);

}  // namespace walpost::observability

#endif  // WALPOST_TESTS_UNIT_OBSERVABILITY_HTTP_CLIENT_H_
