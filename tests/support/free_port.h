#ifndef WALPOST_TESTS_SUPPORT_FREE_PORT_H_
#define WALPOST_TESTS_SUPPORT_FREE_PORT_H_

namespace walpost::support {

// A port of 127.0.0.1 on which nothing listens, with `count` - 1 free ones after it. Taken from
// below the range that the kernel gives to outgoing connections, so that it stays free while a
// server is stopped and started again. Never the same port twice in one process.
int FreePort(int count = 1);

}  // namespace walpost::support

#endif  // WALPOST_TESTS_SUPPORT_FREE_PORT_H_
