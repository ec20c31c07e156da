#ifndef WALPOST_TESTS_SUPPORT_HTTP_GET_H_
#define WALPOST_TESTS_SUPPORT_HTTP_GET_H_

#include <string>

namespace walpost::support {

struct HttpReply {
  int status = 0;  // 0 when nobody answered
  std::string body;
};

// One GET to a server on 127.0.0.1; gives up after two seconds of silence.
HttpReply HttpGet(int port, const std::string& path);

}  // namespace walpost::support

#endif  // WALPOST_TESTS_SUPPORT_HTTP_GET_H_
