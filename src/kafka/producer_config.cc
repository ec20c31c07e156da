#include "kafka/producer_config.h"

#include <absl/status/status.h>
#include <absl/strings/ascii.h>
#include <absl/strings/match.h>
#include <absl/strings/numbers.h>
#include <absl/strings/str_cat.h>
#include <absl/strings/str_replace.h>
#include <absl/strings/str_split.h>
#include <absl/strings/string_view.h>
#include <librdkafka/rdkafka.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "base/status_macros.h"
#include "base/strings.h"

namespace walpost::kafka {
namespace {

struct Property {
  const char* name;
  const char* value;
};

// What a user may change.
constexpr Property kDefaults[] = {
    {"client.id", "walpost"},
    {"linger.ms", kDefaultLingerMs},
    {"socket.nagle.disable", "true"},
    {"socket.keepalive.enable", "true"},
    // The relay bounds what is in flight; a second, lower bound here would only stall it.
    {"queue.buffering.max.messages", "10000000"},
    {"queue.buffering.max.kbytes", "2147483647"},
    // A broker that is back is found within seconds.
    {"reconnect.backoff.max.ms", "2000"},
    // How long a missing topic is waited for, since a broker that creates it needs a moment.
    {"topic.metadata.propagation.max.ms", "20000"},
    // Read to learn whether a broker is up while nothing is published.
    {"statistics.interval.ms", "5000"},
};

// What the promise rests on.
struct PinnedProperty {
  const char* name;
  const char* alias;  // librdkafka's second name for it; may be null
  const char* value;
  const char* also_allowed;  // may be null
  const char* reason;
};

constexpr PinnedProperty kPinned[] = {
    {"acks", "request.required.acks", "all", nullptr,
     "an event that not every in-sync replica has can be lost after its position was confirmed"},
    {"enable.idempotence", nullptr, "true", nullptr,
     "without it a retry can repeat events and change their order"},
    {"message.timeout.ms", "delivery.timeout.ms", "0", nullptr,
     "events must not expire while the broker is away"},
    {"partitioner", nullptr, "murmur2_random", "murmur2",
     "a key must keep the partition that the Java client gives it"},
    {"enable.gapless.guarantee", nullptr, "true", nullptr,
     "events behind one that failed must not overtake it"},
    {"delivery.report.only.error", nullptr, "false", nullptr,
     "a position is confirmed only after the delivery report of each event"},
    {"log.queue", nullptr, "true", nullptr, "walpost writes the client's log lines itself"},
};

absl::Status Refused(std::string_view name, std::string_view value, std::string_view reason,
                     std::string_view hint) {
  return absl::InvalidArgumentError(absl::StrCat("kafka property '", ToAbsl(name), "' cannot be '",
                                                 ToAbsl(value), "': ", ToAbsl(reason),
                                                 "; hint: ", ToAbsl(hint)));
}

absl::Status Set(rd_kafka_conf_t* conf, const char* name, const char* value) {
  std::array<char, 512> error{};
  if (rd_kafka_conf_set(conf, name, value, error.data(), error.size()) == RD_KAFKA_CONF_OK) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(
      absl::StrCat("kafka property '", name, "' was refused: ", error.data(),
                   "; hint: check kafka.properties against librdkafka's CONFIGURATION.md"));
}

// The name and value under which the user set a property that has two names; null when not at all.
const std::pair<const std::string, std::string>* SetByUser(const ProducerOptions& options,
                                                           const char* name, const char* alias) {
  for (const char* candidate : {name, alias}) {
    if (candidate == nullptr) continue;
    const auto it = options.properties.find(candidate);
    if (it != options.properties.end()) return &*it;
  }
  return nullptr;
}

// [PROTOCOL://]host[:port], as librdkafka takes it; it would make something of a wrong port.
bool IsBroker(absl::string_view text) {
  if (const std::size_t scheme = text.find("://"); scheme != absl::string_view::npos) {
    constexpr std::array<absl::string_view, 4> kProtocols = {"plaintext", "ssl", "sasl_plaintext",
                                                             "sasl_ssl"};
    const std::string protocol = absl::AsciiStrToLower(text.substr(0, scheme));
    if (std::find(kProtocols.begin(), kProtocols.end(), protocol) == kProtocols.end()) return false;
    text.remove_prefix(scheme + 3);
  }
  const std::size_t colon = text.rfind(':');
  // Of several colons outside of brackets none begins a port: an IPv6 address.
  const bool has_port = colon != absl::string_view::npos && !absl::EndsWith(text, "]") &&
                        (text.find(':') == colon || absl::StrContains(text, "]:"));
  int port = 9092;
  if (has_port && !absl::SimpleAtoi(text.substr(colon + 1), &port)) return false;
  const absl::string_view host = has_port ? text.substr(0, colon) : text;
  return !host.empty() && port >= 1 && port <= 65535 &&
         host.find_first_of(" \t/;,") == absl::string_view::npos;
}

absl::Status CheckBrokers(const ProducerOptions& options) {
  const auto* set = SetByUser(options, "bootstrap.servers", "metadata.broker.list");
  if (set != nullptr && !options.brokers.empty() && set->second != options.brokers) {
    return absl::InvalidArgumentError(absl::StrCat("kafka property '", set->first,
                                                   "' contradicts kafka.brokers '", options.brokers,
                                                   "'; hint: remove one of them"));
  }
  if (BrokerList(options).empty()) {
    return absl::InvalidArgumentError(
        "no kafka brokers are configured; hint: set kafka.brokers (--brokers) to host:port");
  }
  const std::string list = BrokerList(options);
  for (absl::string_view broker : absl::StrSplit(list, ',')) {
    broker = absl::StripAsciiWhitespace(broker);
    if (broker.empty() || IsBroker(broker)) continue;
    return absl::InvalidArgumentError(
        absl::StrCat("kafka.brokers: '", broker,
                     "' is no broker; hint: write host:port, with a port from 1 to 65535, and "
                     "commas between several"));
  }
  return absl::OkStatus();
}

// Compares what the configuration holds after the user's properties with what it held before, so
// that every spelling that librdkafka takes for the same value passes.
absl::Status CheckPinned(const ProducerOptions& options, const rd_kafka_conf_t* conf,
                         const rd_kafka_conf_t* pinned_conf) {
  for (const PinnedProperty& pinned : kPinned) {
    const auto* set = SetByUser(options, pinned.name, pinned.alias);
    if (set == nullptr) continue;
    const std::string value = PropertyValue(conf, pinned.name);
    if (value == PropertyValue(pinned_conf, pinned.name)) continue;
    if (pinned.also_allowed != nullptr && value == pinned.also_allowed) continue;
    return Refused(
        set->first, set->second, pinned.reason,
        absl::StrCat("remove it from kafka.properties, or set it to '", pinned.value, "'"));
  }
  return absl::OkStatus();
}

absl::Status CheckOthers(const ProducerOptions& options, const rd_kafka_conf_t* conf) {
  if (const auto* set = SetByUser(options, "transactional.id", nullptr)) {
    return Refused(set->first, set->second, "the producer does not use transactions",
                   "remove it from kafka.properties");
  }
  if (PropertyValue(conf, "statistics.interval.ms") == "0") {
    return Refused("statistics.interval.ms", "0",
                   "readiness is learned from the statistics while nothing is published",
                   "remove it from kafka.properties");
  }
  const auto* set = SetByUser(options, "max.in.flight", "max.in.flight.requests.per.connection");
  int requests = 0;
  if (set != nullptr && absl::SimpleAtoi(PropertyValue(conf, "max.in.flight"), &requests) &&
      requests > 5) {
    return Refused(set->first, set->second,
                   "the broker remembers five batches of an idempotent producer, not more",
                   "set it to 5 or less");
  }
  return absl::OkStatus();
}

absl::Status ApplyOurs(rd_kafka_conf_t* conf, const ProducerOptions& options) {
  for (const Property& property : kDefaults) {
    WALPOST_RETURN_IF_ERROR(Set(conf, property.name, property.value));
  }
  for (const PinnedProperty& pinned : kPinned) {
    WALPOST_RETURN_IF_ERROR(Set(conf, pinned.name, pinned.value));
  }
  if (options.brokers.empty()) return absl::OkStatus();
  return Set(conf, "bootstrap.servers", options.brokers.c_str());
}

absl::Status LimitBatch(rd_kafka_conf_t* conf, std::size_t max_batch_bytes) {
  std::size_t configured = 0;
  if (max_batch_bytes == 0 || !absl::SimpleAtoi(PropertyValue(conf, "batch.size"), &configured)) {
    return absl::OkStatus();
  }
  return Set(conf, "batch.size", absl::StrCat(std::min(configured, max_batch_bytes)).c_str());
}

}  // namespace

std::string BrokerList(const ProducerOptions& options) {
  if (!options.brokers.empty()) return options.brokers;
  const auto* set = SetByUser(options, "bootstrap.servers", "metadata.broker.list");
  return set == nullptr ? std::string() : set->second;
}

absl::StatusOr<ConfHandle> MakeProducerConf(const ProducerOptions& options,
                                            std::size_t max_batch_bytes) {
  WALPOST_RETURN_IF_ERROR(CheckBrokers(options));
  ConfHandle conf(rd_kafka_conf_new());
  WALPOST_RETURN_IF_ERROR(ApplyOurs(conf.get(), options));
  const ConfHandle ours(rd_kafka_conf_dup(conf.get()));
  for (const auto& [name, value] : options.properties) {
    WALPOST_RETURN_IF_ERROR(Set(conf.get(), name.c_str(), value.c_str()));
  }
  WALPOST_RETURN_IF_ERROR(CheckPinned(options, conf.get(), ours.get()));
  WALPOST_RETURN_IF_ERROR(CheckOthers(options, conf.get()));
  WALPOST_RETURN_IF_ERROR(LimitBatch(conf.get(), max_batch_bytes));
  // After the user's properties, one of which could name other events.
  rd_kafka_conf_set_events(conf.get(), RD_KAFKA_EVENT_DR | RD_KAFKA_EVENT_ERROR |
                                           RD_KAFKA_EVENT_LOG | RD_KAFKA_EVENT_STATS);
  return conf;
}

absl::StatusOr<ClientHandle> MakeProducer(ConfHandle conf) {
  std::array<char, 512> error{};
  ClientHandle client(rd_kafka_new(RD_KAFKA_PRODUCER, conf.get(), error.data(), error.size()));
  if (client == nullptr) {
    return absl::InvalidArgumentError(absl::StrCat("the kafka producer cannot be configured: ",
                                                   absl::StrReplaceAll(error.data(), {{"\n", " "}}),
                                                   "; hint: check kafka.properties"));
  }
  // Now the client's.
  static_cast<void>(conf.release());
  return client;
}

absl::Status CheckProducer(const ProducerOptions& options) {
  WALPOST_ASSIGN_OR_RETURN(ConfHandle conf, MakeProducerConf(options, 0));
  // Without brokers it has nobody to talk to.
  WALPOST_RETURN_IF_ERROR(Set(conf.get(), "bootstrap.servers", ""));
  return MakeProducer(std::move(conf)).status();
}

std::string PropertyValue(const rd_kafka_conf_t* conf, const char* name) {
  std::array<char, 512> value{};
  std::size_t size = value.size();
  if (rd_kafka_conf_get(conf, name, value.data(), &size) != RD_KAFKA_CONF_OK) return {};
  return value.data();
}

}  // namespace walpost::kafka
