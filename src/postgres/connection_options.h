#ifndef WALPOST_POSTGRES_CONNECTION_OPTIONS_H_
#define WALPOST_POSTGRES_CONNECTION_OPTIONS_H_

#include <absl/status/status.h>
#include <absl/status/statusor.h>
#include <absl/time/time.h>

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace walpost::postgres {

// How to reach the server, and for which slot. A plain value. Holds secrets: never print
// `conninfo`.
struct ConnectionOptions {
  // libpq keywords, a URI, or the bare name of a database; empty leaves all to PG* and defaults.
  std::string conninfo;
  // Read at each connection, so that a rotated secret is picked up; empty for none. One newline at
  // its end is not part of the password.
  std::string password_file;
  std::string slot = "walpost";
  std::string publication = "walpost";
  // For each host. A connect_timeout within the conninfo wins.
  absl::Duration connect_timeout = absl::Seconds(10);
  // For Connection::Open() as a whole, with the name resolution left out; wins over everything.
  absl::Duration hard_limit = absl::InfiniteDuration();
};

enum class ConnectionMode {
  kSql,
  // A logical walsender: replication commands, and SQL without parameters.
  kReplication,
};

// Keywords and values, in the order in which libpq is to apply them: a later one wins.
using ConnectionParameters = std::vector<std::pair<std::string, std::string>>;

// Whether libpq can read the conninfo. kInvalidArgument names the setting and what is wrong, and
// repeats no part of the conninfo, any of which may be a secret.
absl::Status ValidateConninfo(std::string_view conninfo);

// The value of one keyword as the conninfo, or else the environment, gives it; nothing when neither
// does. A conninfo that does not parse gives nothing either.
std::optional<std::string> ConninfoValue(std::string_view conninfo, std::string_view keyword);

// Everything that a connection is made with: our defaults, the conninfo, then what we pin so that
// neither the role's nor the database's own settings can change the bytes of a payload or end a
// quiet session. The user's own `options` (conninfo or PGOPTIONS) stay, before ours.
//
// kInvalidArgument: the conninfo does not parse. kUnauthenticated: the password file cannot be
// read.
// Source: https://www.postgresql.org/docs/current/libpq-connect.html
absl::StatusOr<ConnectionParameters> BuildConnectionParameters(const ConnectionOptions& options,
                                                               ConnectionMode mode);

// One set of overriding parameters (host, hostaddr, port) for each host, since libpq gives up on a
// silent host only in its blocking calls. A single empty one when there is nothing to split.
// kInvalidArgument: the lists do not match in length.
absl::StatusOr<std::vector<ConnectionParameters>> SplitHosts(std::string_view conninfo);

// The password in the file. kUnauthenticated names the file and the reason.
absl::StatusOr<std::string> ReadPasswordFile(const std::string& path);

}  // namespace walpost::postgres

#endif  // WALPOST_POSTGRES_CONNECTION_OPTIONS_H_
