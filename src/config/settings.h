#ifndef WALPOST_CONFIG_SETTINGS_H_
#define WALPOST_CONFIG_SETTINGS_H_

#include <absl/time/time.h>

#include <map>
#include <string>
#include <vector>

#include "core/outbox_settings.h"
#include "core/qualified_name.h"
#include "walpost/logger.h"
#include "walpost/relay_options.h"

namespace walpost::config {

struct PostgresSettings {
  std::string conninfo;       // libpq keywords or URI; may hold a password, so never print it whole
  std::string password_file;  // read at each connection, so that a rotated secret is picked up
  std::string slot = "walpost";
  std::string publication = "walpost";
  absl::Duration connect_timeout = absl::Seconds(10);  // for each host
};

struct KafkaSettings {
  std::string brokers;
  std::map<std::string, std::string> properties;  // librdkafka's own names
};

enum class LogFormat { kLogfmt, kJson };

struct LogSettings {
  LogLevel level = LogLevel::kInfo;
  LogFormat format = LogFormat::kLogfmt;
};

struct AdminSettings {
  std::string listen;  // host:port; empty turns it off
};

// All that can be configured, after flags, environment, file and defaults were put together and
// checked. A plain value.
struct Settings {
  PostgresSettings postgres;
  KafkaSettings kafka;
  std::vector<OutboxSettings> outboxes = {OutboxSettings{}};
  RelayOptions relay;
  std::vector<QualifiedName> ignored_tables;  // whose rows are no events, though they look like it
  AdminSettings admin;
  LogSettings log;
};

}  // namespace walpost::config

#endif  // WALPOST_CONFIG_SETTINGS_H_
