#ifndef WALPOST_KAFKA_LIBRARY_VERSION_H_
#define WALPOST_KAFKA_LIBRARY_VERSION_H_

#include <string>

namespace walpost::kafka {

// Version of the librdkafka that is loaded: `2.0.2`.
std::string LibraryVersion();

}  // namespace walpost::kafka

#endif  // WALPOST_KAFKA_LIBRARY_VERSION_H_
