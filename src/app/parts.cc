#include "app/parts.h"

#include <unistd.h>

namespace walpost::app {

postgres::ConnectionOptions ConnectionOptionsFrom(const config::Settings& settings) {
  return {.conninfo = settings.postgres.conninfo,
          .password_file = settings.postgres.password_file,
          .slot = settings.postgres.slot,
          .publication = settings.postgres.publication,
          .connect_timeout = settings.postgres.connect_timeout};
}

kafka::ProducerOptions ProducerOptionsFrom(const config::Settings& settings) {
  return {.brokers = settings.kafka.brokers, .properties = settings.kafka.properties};
}

observability::LogOptions LogOptionsFrom(const config::Settings& settings) {
  return {.level = settings.log.level,
          .json = settings.log.format == config::LogFormat::kJson,
          .color = isatty(STDERR_FILENO) == 1};
}

}  // namespace walpost::app
