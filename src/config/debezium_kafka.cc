#include <absl/status/status.h>
#include <absl/strings/ascii.h>
#include <absl/strings/str_cat.h>

#include <algorithm>
#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/strings.h"
#include "config/debezium_connection.h"
#include "config/secret_mask.h"

namespace walpost::config {
namespace {

// The nearest one wins: the connector's own, then its worker's.
constexpr std::string_view kPrefixes[] = {"producer.override.", "producer."};

enum class ProducerAction {
  kSame,     // librdkafka has it, with the same values
  kRenamed,  // librdkafka has it under the name in `text`
  kNothing,  // walpost does so anyway, for the reason in `text`
  kDropped,  // Java only; consumers see no difference
  kEvents,   // Java only, and consumers may see it
};

struct ProducerRule {
  std::string_view name;  // with a `*` at its end, how it begins
  ProducerAction action = ProducerAction::kSame;
  std::string_view text = "";
};

using enum ProducerAction;

constexpr std::string_view kJavaOnly = "librdkafka has no such property";

// Sources: https://kafka.apache.org/documentation/#producerconfigs
// https://github.com/confluentinc/librdkafka/blob/master/CONFIGURATION.md
constexpr ProducerRule kProducerRules[] = {
    {"batch.size"},
    {"client.dns.lookup"},
    {"client.id"},
    {"compression.type"},
    {"compression.gzip.level", kRenamed, "compression.level"},
    {"compression.lz4.level", kRenamed, "compression.level"},
    {"compression.zstd.level", kRenamed, "compression.level"},
    {"connections.max.idle.ms"},
    {"linger.ms"},
    {"max.in.flight.requests.per.connection"},
    {"max.request.size", kRenamed, "message.max.bytes"},
    {"metadata.max.age.ms"},
    {"receive.buffer.bytes", kRenamed, "socket.receive.buffer.bytes"},
    {"reconnect.backoff.max.ms"},
    {"reconnect.backoff.ms"},
    {"request.timeout.ms"},
    {"retry.backoff.ms"},
    {"sasl.kerberos.min.time.before.relogin"},
    {"sasl.kerberos.service.name"},
    {"security.protocol"},
    {"send.buffer.bytes", kRenamed, "socket.send.buffer.bytes"},
    {"socket.connection.setup.timeout.ms"},
    {"ssl.truststore.certificates", kRenamed, "ssl.ca.pem"},

    {"acks", kNothing, "always all"},
    {"buffer.memory", kNothing, "see relay.max_in_flight_bytes"},
    {"delivery.timeout.ms", kNothing, "events never expire"},
    {"enable.idempotence", kNothing, "always on"},
    {"max.block.ms", kNothing, "events never expire"},
    {"metric.reporters", kNothing, "see /metrics"},
    {"metrics.*", kNothing, "see /metrics"},
    {"enable.metrics.push", kNothing, "see /metrics"},
    {"retries", kNothing, "events never expire"},
    {"ssl.keystore.type", kNothing, "goes with ssl.keystore.location"},
    {"ssl.truststore.type", kNothing, "goes with ssl.truststore.location"},
    {"ssl.truststore.password", kNothing, "certificates in PEM need none"},
    {"transaction.*", kNothing, "there are no transactions"},

    {"interceptor.classes", kEvents, "interceptors are Java code, and may change events"},
    {"key.serializer", kEvents, "the key's bytes are those of its converter"},
    {"value.serializer", kEvents, "the value's bytes are those of its converter"},
    {"transactional.id", kEvents, "there are no transactions"},

    {"compression.*", kDropped, kJavaOnly},
    {"metadata.*", kDropped, kJavaOnly},
    {"partitioner.*", kDropped, "an event without a key may go to any partition"},
    {"retry.backoff.max.ms", kDropped, kJavaOnly},
    {"sasl.*", kDropped, "the sign-on of Java; hint: see sasl.* of librdkafka"},
    {"security.providers", kDropped, "of Java"},
    {"socket.*", kDropped, kJavaOnly},
    {"ssl.*", kDropped, "of Java's TLS; hint: see ssl.* of librdkafka"},
};

const ProducerRule* FindProducerRule(std::string_view name) {
  for (const ProducerRule& rule : kProducerRules) {
    const bool beginning =
        rule.name.ends_with('*') && name.starts_with(rule.name.substr(0, rule.name.size() - 1));
    if (rule.name == name || beginning) return &rule;
  }
  return nullptr;
}

// The text behind `name=` in the configuration of a login module.
std::string JaasValue(std::string_view jaas, std::string_view name) {
  const std::size_t at = jaas.find(std::string(name) + "=");
  if (at == std::string_view::npos) return {};
  std::string_view rest = jaas.substr(at + name.size() + 1);
  if (rest.empty() || (rest[0] != '"' && rest[0] != '\'')) return {};
  const std::size_t close = rest.find(rest[0], 1);
  return close == std::string_view::npos ? "" : std::string(rest.substr(1, close - 1));
}

std::string LowerCase(std::string_view text) { return absl::AsciiStrToLower(Trimmed(text)); }

class KafkaSection {
 public:
  KafkaSection(ConnectorReader& reader, TomlDraft& draft) : reader_(reader), draft_(draft) {}

  absl::Status Write() {
    WriteBrokers();
    // What a nearer prefix has said is not said again.
    for (std::string_view prefix : kPrefixes) {
      NamedTexts found;
      reader_.ForEachOpen([&](const std::string& name, const std::string& value) {
        if (name.starts_with(prefix)) found.emplace_back(name, value);
      });
      for (const auto& [name, value] : found) {
        Translate(name, name.substr(prefix.size()), value);
      }
    }
    if (properties_.text().empty()) return absl::OkStatus();
    draft_.Section("[kafka.properties]");
    draft_.Append(properties_);
    return absl::OkStatus();
  }

 private:
  void WriteBrokers() {
    draft_.Section("[kafka]");
    constexpr std::string_view kName = "bootstrap.servers";
    std::string from;
    for (std::string_view prefix : {kPrefixes[0], kPrefixes[1], std::string_view()}) {
      const std::string name = absl::StrCat(ToAbsl(prefix), ToAbsl(kName));
      const std::string* value = reader_.Find(name);
      if (value == nullptr) continue;
      if (!from.empty()) {
        reader_.NothingToDo(name, ToStd(absl::StrCat(from, " comes before it")));
      } else if (IsFromProvider(*value)) {
        reader_.Dropped(name, "is fetched by a config provider; hint: set kafka.brokers");
      } else {
        from = name;
        reader_.Carried(name, "kafka.brokers");
        draft_.Comment("from " + name);
        draft_.Option("brokers", TomlString(*value));
      }
    }
    if (!from.empty()) return;
    draft_.Comment("a connector does not say which brokers its worker writes to");
    draft_.Example("brokers", TomlString("kafka-1:9092,kafka-2:9092"));
  }

  // `property` is the name without its prefix.
  void Translate(const std::string& name, const std::string& property, const std::string& value) {
    if (taken_.contains(property)) {
      reader_.NothingToDo(name, "producer.override comes before it");
      return;
    }
    taken_.insert(property);
    if (IsFromProvider(value) && !IsSecretProperty(property)) {
      reader_.Dropped(name, "is fetched by a config provider; hint: see kafka.properties");
    } else if (!TranslateSpecial(name, property, value)) {
      TranslateByRule(name, property, value);
    }
  }

  void TranslateByRule(const std::string& name, const std::string& property,
                       const std::string& value) {
    const ProducerRule* rule = FindProducerRule(property);
    if (rule == nullptr) {
      reader_.Unknown(name, "no property of Java's producer");
      return;
    }
    switch (rule->action) {
      case kSame:
        Carry(name, property, value);
        break;
      case kRenamed:
        Carry(name, rule->text, value);
        break;
      case kNothing:
        reader_.NothingToDo(name, rule->text);
        break;
      case kDropped:
        reader_.Dropped(name, rule->text);
        break;
      case kEvents:
        reader_.ChangesEvents(name, rule->text);
        break;
    }
  }

  // Those whose value decides. Answers whether it was one.
  bool TranslateSpecial(const std::string& name, const std::string& property,
                        const std::string& value) {
    if (property == "partitioner.class" || property == "partitioner.ignore.keys") {
      TranslatePartitioner(name, value);
    } else if (property.starts_with("compression.") && property.ends_with(".level")) {
      return !IsLevelOfType(name, property);
    } else if (property == "batch.size" && Trimmed(value) == "0") {
      reader_.NothingToDo(name, "see linger.ms, which decides how long a batch grows");
    } else if (property == "max.in.flight.requests.per.connection" && Trimmed(value).size() > 1) {
      reader_.NothingToDo(name, "walpost has up to five, which keep their order");
    } else if (Trimmed(value) == "-1" &&
               (property == "connections.max.idle.ms" || property.ends_with(".buffer.bytes"))) {
      // Never, or as the operating system has it; librdkafka writes 0 for both.
      Carry(name,
            FindProducerRule(property)->action == kRenamed ? FindProducerRule(property)->text
                                                           : std::string_view(property),
            "0");
    } else if (property == "sasl.mechanism") {
      TranslateMechanism(name, value);
    } else if (property == "sasl.jaas.config") {
      TranslateLogin(name, value);
    } else if (property == "ssl.endpoint.identification.algorithm") {
      Carry(name, property, Trimmed(value).empty() ? "none" : LowerCase(value));
    } else if (property == "ssl.keystore.location" || property == "ssl.truststore.location") {
      TranslateStore(name, property, value);
    } else if (IsSecretProperty(property) || property == "ssl.keystore.key") {
      TranslateSecret(name, property);
    } else {
      return false;
    }
    return true;
  }

  void TranslatePartitioner(const std::string& name, const std::string& value) {
    const std::string_view kDefault =
        "org.apache.kafka.clients.producer.internals.DefaultPartitioner";
    if (Trimmed(value).empty() || Trimmed(value) == kDefault || LowerCase(value) == "false") {
      reader_.NothingToDo(name, "the partitions of Java's default are kept");
    } else {
      reader_.ChangesEvents(name,
                            "a key goes to the partition that Java's default gives it (murmur2)");
    }
  }

  // Java has a level for each compression, librdkafka one. Says so when it is another's.
  bool IsLevelOfType(const std::string& name, const std::string& property) {
    const std::string prefix = name.substr(0, name.size() - property.size());
    std::string type = LowerCase(reader_.TextOr(prefix + "compression.type", ""));
    if (type.empty()) type = LowerCase(reader_.TextOr("producer.compression.type", ""));
    const bool same = property == "compression." + type + ".level";
    if (!same) reader_.NothingToDo(name, "of no effect with this compression.type");
    return same;
  }

  void TranslateMechanism(const std::string& name, const std::string& value) {
    constexpr std::string_view kKnown[] = {"GSSAPI", "PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512",
                                           "OAUTHBEARER"};
    if (std::find(std::begin(kKnown), std::end(kKnown), Trimmed(value)) == std::end(kKnown)) {
      reader_.Dropped(name,
                      "librdkafka does not know this mechanism; hint: see sasl.mechanism of "
                      "librdkafka");
      return;
    }
    Carry(name, "sasl.mechanism", value);
  }

  void TranslateLogin(const std::string& name, const std::string& value) {
    constexpr std::string_view kWhy =
        "its password is a secret, which is not carried over; hint: put it into a file and set "
        "\"sasl.password_file\" in kafka.properties";
    const std::string user = JaasValue(value, "username");
    if (user.empty() || IsFromProvider(user)) {
      reader_.Dropped(name,
                      "the sign-on of Java, and may hold a secret; hint: set sasl.username and "
                      "\"sasl.password_file\" in kafka.properties");
      properties_.Comment(name + " is the sign-on of Java; set these in its place");
      properties_.Example("\"sasl.username\"", TomlString("walpost"));
    } else {
      reader_.Carried(name, "kafka.properties, sasl.username");
      reader_.Dropped(name, kWhy);
      properties_.Comment("from " + name + "; its password is a secret and not carried over");
      properties_.Option("\"sasl.username\"", TomlString(user));
    }
    properties_.Example("\"sasl.password_file\"", TomlString("/run/secrets/kafka"));
  }

  // librdkafka takes certificates and keys in PEM, and a key in PKCS #12.
  void TranslateStore(const std::string& name, const std::string& property,
                      const std::string& value) {
    const bool keys = property == "ssl.keystore.location";
    const std::string prefix = name.substr(0, name.size() - property.size());
    std::string type = LowerCase(
        reader_.TextOr(prefix + (keys ? "ssl.keystore.type" : "ssl.truststore.type"), ""));
    const std::string lower = LowerCase(value);
    const auto ends = [&](std::string_view ending) {
      return std::string_view(lower).ends_with(ending);
    };
    if (type.empty()) type = ends(".p12") || ends(".pfx") ? "pkcs12" : ends(".pem") ? "pem" : "jks";
    if (type == "pem" && keys) {
      Carry(name, "ssl.certificate.location", value);
      Carry(name, "ssl.key.location", value);
    } else if (type == "pem") {
      Carry(name, "ssl.ca.location", value);
    } else if (type == "pkcs12" && keys) {
      Carry(name, "ssl.keystore.location", value);
    } else {
      const std::string_view option = keys ? "ssl.keystore.location" : "ssl.ca.location";
      const std::string why =
          absl::StrCat("librdkafka reads no store of this kind; hint: convert it to ",
                       keys ? "PKCS #12" : "PEM", " and set \"", ToAbsl(option), "\"");
      reader_.Dropped(name, why);
      properties_.Comment(name + ": " + why);
      properties_.Example(TomlString(option),
                          TomlString(keys ? "/etc/walpost/client.p12" : "/etc/walpost/ca.pem"));
    }
  }

  void TranslateSecret(const std::string& name, const std::string& property) {
    if (property == "ssl.truststore.password") {
      reader_.NothingToDo(name, "certificates in PEM need none");
      return;
    }
    reader_.Dropped(name,
                    "a secret, which is not carried over; hint: put it into a file and name that "
                    "in kafka.properties");
    if (property != "ssl.key.password" && property != "ssl.keystore.password") return;
    properties_.Comment(name + " is a secret and not carried over; name a file that holds it");
    properties_.Example(TomlString(property + "_file"), TomlString("/run/secrets/kafka-key"));
  }

  void Carry(const std::string& name, std::string_view property, std::string_view value) {
    reader_.Carried(name, ToStd(absl::StrCat("kafka.properties, ", ToAbsl(property))));
    properties_.Comment("from " + name);
    properties_.Option(TomlString(property), TomlString(Trimmed(value)));
  }

  ConnectorReader& reader_;
  TomlDraft& draft_;
  TomlDraft properties_;
  std::set<std::string, std::less<>> taken_;
};

}  // namespace

absl::Status WriteKafkaSection(ConnectorReader& reader, TomlDraft& draft) {
  return KafkaSection(reader, draft).Write();
}

}  // namespace walpost::config
