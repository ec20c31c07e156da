#ifndef WALPOST_POSTGRES_CONNECT_ERROR_H_
#define WALPOST_POSTGRES_CONNECT_ERROR_H_

#include <absl/status/status.h>

#include <string>

#include "postgres/connection_options.h"

namespace walpost::postgres {

// What is known of a connection that did not come about.
struct ConnectFailure {
  std::string message;  // libpq's, at verbosity VERBOSE
  std::string user;
  std::string database;
  ConnectionMode mode = ConnectionMode::kSql;
  bool needs_password = false;  // the server asked for one and there was none
};

// The failure as one line that names the setting and a way out; codes as ReplicationSource::Open()
// has them. Pure.
absl::Status StatusOfConnectFailure(const ConnectFailure& failure);

}  // namespace walpost::postgres

#endif  // WALPOST_POSTGRES_CONNECT_ERROR_H_
