#ifndef WALPOST_CONFIG_OPTION_APPLY_H_
#define WALPOST_CONFIG_OPTION_APPLY_H_

#include <absl/status/status.h>

#include <span>
#include <string_view>

#include "config/option_table.h"

namespace walpost::config {

// The checks and conversions behind OptionDef::apply, one for each option whose value is more than
// a text. See OptionApply for the contract.

absl::Status ApplySlot(const OptionValue& value, const OptionTarget& target);
absl::Status ApplyPublication(const OptionValue& value, const OptionTarget& target);
absl::Status ApplyProperties(const OptionValue& value, const OptionTarget& target);
absl::Status ApplyTable(const OptionValue& value, const OptionTarget& target);
absl::Status ApplyPreset(const OptionValue& value, const OptionTarget& target);
absl::Status ApplyTopic(const OptionValue& value, const OptionTarget& target);
absl::Status ApplyKey(const OptionValue& value, const OptionTarget& target);
absl::Status ApplyValueFormat(const OptionValue& value, const OptionTarget& target);
absl::Status ApplyHeaders(const OptionValue& value, const OptionTarget& target);
absl::Status ApplyOnPoison(const OptionValue& value, const OptionTarget& target);
absl::Status ApplyStartTimeout(const OptionValue& value, const OptionTarget& target);
absl::Status ApplyListen(const OptionValue& value, const OptionTarget& target);
absl::Status ApplyLogLevel(const OptionValue& value, const OptionTarget& target);
absl::Status ApplyLogFormat(const OptionValue& value, const OptionTarget& target);

absl::Status StoreSize(const OptionValue& value, std::size_t& out);
absl::Status StoreCount(const OptionValue& value, std::size_t& out);
absl::Status StoreDuration(const OptionValue& value, absl::Duration& out);

// What options of kind kEnum allow.
inline constexpr std::string_view kOnPoisonValues[] = {"halt"};
inline constexpr std::string_view kValueFormats[] = {"text"};
inline constexpr std::string_view kLogLevels[] = {"debug", "info", "warn", "error"};
inline constexpr std::string_view kLogFormats[] = {"logfmt", "json"};
inline constexpr std::string_view kPresetNames[] = {"debezium"};

}  // namespace walpost::config

#endif  // WALPOST_CONFIG_OPTION_APPLY_H_
