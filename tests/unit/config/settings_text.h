#ifndef WALPOST_TESTS_UNIT_CONFIG_SETTINGS_TEXT_H_
#define WALPOST_TESTS_UNIT_CONFIG_SETTINGS_TEXT_H_

#include <absl/strings/str_cat.h>
#include <absl/time/time.h>

#include <string>
#include <utility>
#include <vector>

#include "config/settings.h"

namespace walpost::config {

// All fields of the settings, so that two of them can be compared. on_poison has none, since it has
// one value.
inline std::string SettingsText(const Settings& s) {
  std::string out =
      absl::StrCat(s.postgres.conninfo, "|", s.postgres.password_file, "|", s.postgres.slot, "|",
                   s.postgres.publication, "|", absl::FormatDuration(s.postgres.connect_timeout),
                   "|", s.kafka.brokers, "|", s.admin.listen, "|", static_cast<int>(s.log.level),
                   "|", static_cast<int>(s.log.format), "|");
  for (const auto& [name, value] : s.kafka.properties) absl::StrAppend(&out, name, "=", value, ",");
  for (const OutboxSettings& o : s.outboxes) {
    absl::StrAppend(&out, "[", o.table, "|", o.preset, "|", o.topic.value_or("-"), "|",
                    o.key.value_or("-"), "|", o.value.value_or("-"), "|");
    if (!o.headers.has_value()) out += "-";
    for (const auto& [name, source] :
         o.headers.value_or(std::vector<std::pair<std::string, std::string>>{})) {
      absl::StrAppend(&out, name, "=", source, ",");
    }
    out += "]";
  }
  const RelayOptions& r = s.relay;
  absl::StrAppend(&out, r.max_in_flight_bytes, "|", r.max_in_flight_events);
  for (absl::Duration d :
       {r.confirm_interval, r.status_interval, r.stall_timeout, r.start_timeout, r.drain_timeout,
        r.reconnect_min_delay, r.reconnect_max_delay, r.standby_retry_interval}) {
    absl::StrAppend(&out, "|", absl::FormatDuration(d));
  }
  return out;
}

}  // namespace walpost::config

#endif  // WALPOST_TESTS_UNIT_CONFIG_SETTINGS_TEXT_H_
