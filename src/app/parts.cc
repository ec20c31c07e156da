#include "app/parts.h"

#include <unistd.h>

#include <algorithm>

#include "app/app.h"
#include "base/status_macros.h"
#include "kafka/producer_config.h"
#include "outbox/event_mapper.h"

namespace walpost::app {

absl::Status CheckOutbox(const OutboxSettings& outbox) {
  return outbox::EventMapper::Create({outbox}).status();
}

absl::Status CheckKafka(const config::KafkaSettings& kafka) {
  kafka::ProducerOptions options{.brokers = kafka.brokers, .properties = kafka.properties};
  // Whether there are any is for the verb to say that needs them.
  if (kafka::BrokerList(options).empty()) options.brokers = "unset:9092";
  return kafka::MakeProducerConf(options, 0).status();
}

absl::Status CheckRun(const config::Settings& settings) {
  WALPOST_RETURN_IF_ERROR(postgres::ValidateConninfo(settings.postgres.conninfo));
  return kafka::CheckProducer(ProducerOptionsFrom(settings));
}

postgres::ConnectionOptions ConnectionOptionsFrom(const config::Settings& settings) {
  return {.conninfo = settings.postgres.conninfo,
          .password_file = settings.postgres.password_file,
          .slot = settings.postgres.slot,
          .publication = settings.postgres.publication,
          .connect_timeout = settings.postgres.connect_timeout};
}

kafka::ProducerOptions ProducerOptionsFrom(const config::Settings& settings) {
  // Only a column may say 1970.
  const bool from_column = std::any_of(
      settings.outboxes.begin(), settings.outboxes.end(), [](const OutboxSettings& outbox) {
        return outbox.timestamp != "commit" && outbox.timestamp != "now";
      });
  return {.brokers = settings.kafka.brokers,
          .properties = settings.kafka.properties,
          .allow_epoch = from_column};
}

observability::LogOptions LogOptionsFrom(const config::Settings& settings) {
  return {.level = settings.log.level,
          .json = settings.log.format == config::LogFormat::kJson,
          .color = isatty(STDERR_FILENO) == 1};
}

}  // namespace walpost::app
