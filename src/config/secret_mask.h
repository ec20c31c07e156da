#ifndef WALPOST_CONFIG_SECRET_MASK_H_
#define WALPOST_CONFIG_SECRET_MASK_H_

#include <string>
#include <string_view>

namespace walpost::config {

// What stands in for a secret.
inline constexpr std::string_view kMasked = "***";

// A conninfo fit to be shown: passwords replaced, in the keyword form (quoted values too) and in
// the URI form (`user:password@`, `?password=`). What does not parse is replaced whole; in doubt it
// hides too much.
// Source: https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-CONNSTRING
std::string MaskConninfo(std::string_view conninfo);

// Whether the value of this librdkafka property must not be shown.
bool IsSecretProperty(std::string_view name);

}  // namespace walpost::config

#endif  // WALPOST_CONFIG_SECRET_MASK_H_
