#ifndef WALPOST_CONFIG_OPTION_STORE_H_
#define WALPOST_CONFIG_OPTION_STORE_H_

#include <absl/status/status.h>
#include <absl/time/time.h>

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "config/option_table.h"

// How the value of an option reaches its place in the settings.
namespace walpost::config {

absl::Status StoreText(const OptionValue& value, std::string& out);
absl::Status StoreText(const OptionValue& value, std::optional<std::string>& out);
absl::Status StoreMap(const OptionValue& value, NamedTexts& out);
absl::Status StoreMap(const OptionValue& value, std::optional<NamedTexts>& out);
absl::Status StoreSize(const OptionValue& value, std::size_t& out);
absl::Status StoreCount(const OptionValue& value, std::size_t& out);
absl::Status StoreDuration(const OptionValue& value, absl::Duration& out);

// The position of the value among the allowed ones. Error: kInvalidArgument, with the list.
absl::StatusOr<std::size_t> IndexIn(std::span<const std::string_view> allowed,
                                    std::string_view text);
absl::Status StoreOneOf(std::span<const std::string_view> allowed, const OptionValue& value,
                        std::string& out);
absl::Status StoreOneOf(std::span<const std::string_view> allowed, const OptionValue& value,
                        std::optional<std::string>& out);

}  // namespace walpost::config

// An OptionApply that stores into `member`, which is a place below `target`: settings.X or
// outbox.X.
#define WALPOST_STORE(store, member)                                  \
  [](const ::walpost::config::OptionValue& value,                     \
     const ::walpost::config::OptionTarget& target) -> absl::Status { \
    return store(value, target.member);                               \
  }
#define WALPOST_TEXT(member) WALPOST_STORE(::walpost::config::StoreText, member)
#define WALPOST_MAP(member) WALPOST_STORE(::walpost::config::StoreMap, member)
#define WALPOST_ONE_OF(allowed, member)                                  \
  [](const ::walpost::config::OptionValue& value,                        \
     const ::walpost::config::OptionTarget& target) -> absl::Status {    \
    return ::walpost::config::StoreOneOf(allowed, value, target.member); \
  }

#endif  // WALPOST_CONFIG_OPTION_STORE_H_
