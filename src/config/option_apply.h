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
absl::Status ApplyIgnoredTables(const OptionValue& value, const OptionTarget& target);
absl::Status ApplyOnPoison(const OptionValue& value, const OptionTarget& target);
absl::Status ApplyOnUpdate(const OptionValue& value, const OptionTarget& target);
absl::Status ApplyStartTimeout(const OptionValue& value, const OptionTarget& target);
absl::Status ApplyListen(const OptionValue& value, const OptionTarget& target);
absl::Status ApplyLogLevel(const OptionValue& value, const OptionTarget& target);
absl::Status ApplyLogFormat(const OptionValue& value, const OptionTarget& target);

// What options of kind kEnum allow.
inline constexpr std::string_view kMessageScopes[] = {"transactional", "all"};
inline constexpr std::string_view kValueFormats[] = {
    "text", "bytes", "json", "json-escaped", "json-schema", "envelope", "struct", "cloudevents"};
inline constexpr std::string_view kEmptyPayloads[] = {"publish", "tombstone"};
inline constexpr std::string_view kJsonStyles[] = {"lossless", "debezium"};
inline constexpr std::string_view kDropOrKeep[] = {"drop", "keep"};
inline constexpr std::string_view kKeyFormats[] = {"text", "json", "json-schema", "bytes"};
inline constexpr std::string_view kHeaderFormats[] = {"text", "json"};
inline constexpr std::string_view kColumnTexts[] = {"postgres", "debezium"};
inline constexpr std::string_view kCloudEventsModes[] = {"binary", "structured"};
inline constexpr std::string_view kOnPoisonValues[] = {"halt", "dead-letter", "skip"};
inline constexpr std::string_view kOnUpdateValues[] = {"ignore", "halt"};
inline constexpr std::string_view kLogLevels[] = {"debug", "info", "warn", "error"};
inline constexpr std::string_view kLogFormats[] = {"logfmt", "json"};

}  // namespace walpost::config

#endif  // WALPOST_CONFIG_OPTION_APPLY_H_
