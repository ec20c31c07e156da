#include "config/option_apply.h"

#include <absl/strings/numbers.h>
#include <absl/strings/str_cat.h>

#include <algorithm>
#include <cstddef>
#include <string>

#include "base/status_macros.h"
#include "base/strings.h"
#include "config/option_store.h"
#include "core/qualified_name.h"

namespace walpost::config {
namespace {

// The longest name that PostgreSQL keeps whole.
constexpr std::size_t kMaxNameBytes = 63;

absl::Status Wrong(std::string_view text, std::string_view rest) {
  return absl::InvalidArgumentError(absl::StrCat(Quoted(text), " ", ToAbsl(rest)));
}

bool IsSlotName(std::string_view name) {
  return !name.empty() && name.size() <= kMaxNameBytes &&
         std::all_of(name.begin(), name.end(), [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
         });
}

}  // namespace

absl::Status ApplySlot(const OptionValue& value, const OptionTarget& target) {
  if (!IsSlotName(value.text)) {
    return Wrong(value.text,
                 "is not a slot name; hint: use a to z, 0 to 9 and _, at most 63 characters");
  }
  target.settings.postgres.slot = value.text;
  return absl::OkStatus();
}

absl::Status ApplyPublication(const OptionValue& value, const OptionTarget& target) {
  bool fits = !value.text.empty() && value.text.size() <= kMaxNameBytes &&
              value.text.find('\0') == std::string::npos;
  if (!fits) {
    return Wrong(value.text, "is not a publication name; hint: write 1 to 63 bytes, unquoted");
  }
  target.settings.postgres.publication = value.text;
  return absl::OkStatus();
}

absl::Status ApplyProperties(const OptionValue& value, const OptionTarget& target) {
  // Which names and values librdkafka takes, it says itself.
  target.settings.kafka.properties = {value.map.begin(), value.map.end()};
  return absl::OkStatus();
}

absl::Status ApplyTable(const OptionValue& value, const OptionTarget& target) {
  WALPOST_RETURN_IF_ERROR(QualifiedName::Parse(value.text).status());
  target.outbox.table = value.text;
  return absl::OkStatus();
}

absl::Status ApplyIgnoredTables(const OptionValue& value, const OptionTarget& target) {
  WALPOST_ASSIGN_OR_RETURN(target.settings.ignored_tables, QualifiedName::ParseList(value.text));
  return absl::OkStatus();
}

absl::Status ApplyOnPoison(const OptionValue& value, const OptionTarget& target) {
  WALPOST_ASSIGN_OR_RETURN(std::size_t index, IndexIn(kOnPoisonValues, value.text));
  target.settings.relay.on_poison = kPoisonActions[index];
  return absl::OkStatus();
}

absl::Status ApplyOnUpdate(const OptionValue& value, const OptionTarget& target) {
  WALPOST_RETURN_IF_ERROR(IndexIn(kOnUpdateValues, value.text).status());
  target.settings.relay.halt_on_update = value.text == "halt";
  return absl::OkStatus();
}

absl::Status ApplyStartTimeout(const OptionValue& value, const OptionTarget& target) {
  if (value.text == "forever") {
    target.settings.relay.start_timeout = absl::InfiniteDuration();
    return absl::OkStatus();
  }
  return StoreDuration(value, target.settings.relay.start_timeout);
}

absl::Status ApplyListen(const OptionValue& value, const OptionTarget& target) {
  std::string_view text = value.text;
  std::size_t colon = text.rfind(':');
  int port = -1;
  bool fits = text.empty();
  if (!fits && colon != std::string_view::npos && colon > 0) {
    std::string_view host = text.substr(0, colon);
    std::string_view digits = text.substr(colon + 1);
    bool bracketed = host.front() == '[' && host.back() == ']';
    bool plain = host.find_first_of(":[] /") == std::string_view::npos;
    // SimpleAtoi takes a sign and spaces, a port has none.
    bool number = digits.find_first_not_of("0123456789") == std::string_view::npos &&
                  absl::SimpleAtoi(ToAbsl(digits), &port);
    fits = (bracketed || plain) && number && port <= 65535;
  }
  if (!fits) {
    return Wrong(text,
                 "is not an address to listen at; hint: write host:port, as 127.0.0.1:9464, or "
                 "[::1]:9464; empty turns it off");
  }
  target.settings.admin.listen = value.text;
  return absl::OkStatus();
}

absl::Status ApplyLogLevel(const OptionValue& value, const OptionTarget& target) {
  constexpr LogLevel kLevels[] = {LogLevel::kDebug, LogLevel::kInfo, LogLevel::kWarn,
                                  LogLevel::kError};
  WALPOST_ASSIGN_OR_RETURN(std::size_t index, IndexIn(kLogLevels, value.text));
  target.settings.log.level = kLevels[index];
  return absl::OkStatus();
}

absl::Status ApplyLogFormat(const OptionValue& value, const OptionTarget& target) {
  constexpr LogFormat kFormats[] = {LogFormat::kLogfmt, LogFormat::kJson};
  WALPOST_ASSIGN_OR_RETURN(std::size_t index, IndexIn(kLogFormats, value.text));
  target.settings.log.format = kFormats[index];
  return absl::OkStatus();
}

}  // namespace walpost::config
