#ifndef WALPOST_POSTGRES_LIBRARY_VERSION_H_
#define WALPOST_POSTGRES_LIBRARY_VERSION_H_

#include <string>

namespace walpost::postgres {

// Version of the libpq that is loaded: `15.18`.
std::string LibraryVersion();

}  // namespace walpost::postgres

#endif  // WALPOST_POSTGRES_LIBRARY_VERSION_H_
