#ifndef WALPOST_TESTS_UNIT_CONFIG_SETTINGS_TEXT_H_
#define WALPOST_TESTS_UNIT_CONFIG_SETTINGS_TEXT_H_

#include <absl/strings/str_cat.h>
#include <absl/time/time.h>

#include <string>
#include <utility>
#include <vector>

#include "config/settings.h"

namespace walpost::config {

inline void AppendTexts(const OutboxSettings::Texts& texts, std::string& out) {
  out += "{";
  for (const auto& [name, text] : texts) absl::StrAppend(&out, name, "=", text, ",");
  out += "}";
}

// All fields of a block.
inline std::string OutboxText(const OutboxSettings& o) {
  std::string out;
  for (const auto& text : {o.id, o.payload, o.topic, o.key, o.value, o.headers_from}) {
    absl::StrAppend(&out, text.value_or("-"), "|");
  }
  for (const std::string& text :
       {o.table, o.preset, o.topic_regex, o.topic_replacement, o.key_format, o.json_style,
        o.json_nulls, o.json_empty_arrays, o.empty_payload, o.header_format, o.tracing, o.partition,
        o.timestamp, o.column_text, o.cloudevents_mode, o.prefix, o.message_scope}) {
    absl::StrAppend(&out, text, "|");
  }
  if (o.headers.has_value()) AppendTexts(*o.headers, out);
  AppendTexts(o.envelope, out);
  AppendTexts(o.cloudevents, out);
  return out;
}

// All fields of the settings, so that two of them can be compared.
inline std::string SettingsText(const Settings& s) {
  std::string out =
      absl::StrCat(s.postgres.conninfo, "|", s.postgres.password_file, "|", s.postgres.slot, "|",
                   s.postgres.publication, "|", absl::FormatDuration(s.postgres.connect_timeout),
                   "|", s.kafka.brokers, "|", s.admin.listen, "|", static_cast<int>(s.log.level),
                   "|", static_cast<int>(s.log.format), "|");
  for (const auto& [name, value] : s.kafka.properties) absl::StrAppend(&out, name, "=", value, ",");
  for (const OutboxSettings& o : s.outboxes) absl::StrAppend(&out, "[", OutboxText(o), "]");
  const RelayOptions& r = s.relay;
  absl::StrAppend(&out, r.max_in_flight_bytes, "|", r.max_in_flight_events, "|",
                  static_cast<int>(r.on_poison), "|", r.dead_letter_topic, "|", r.halt_on_update);
  for (const QualifiedName& t : s.ignored_tables) absl::StrAppend(&out, "|", t.ToString());
  for (absl::Duration d :
       {r.confirm_interval, r.status_interval, r.stall_timeout, r.start_timeout, r.drain_timeout,
        r.reconnect_min_delay, r.reconnect_max_delay, r.standby_retry_interval}) {
    absl::StrAppend(&out, "|", absl::FormatDuration(d));
  }
  return out;
}

}  // namespace walpost::config

#endif  // WALPOST_TESTS_UNIT_CONFIG_SETTINGS_TEXT_H_
