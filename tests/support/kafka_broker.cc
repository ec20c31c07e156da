#include "support/kafka_broker.h"

#include <absl/strings/numbers.h>
#include <absl/strings/str_cat.h>
#include <signal.h>

#include <array>
#include <fstream>

#include "support/free_port.h"
#include "support/rdkafka_ptr.h"
#include "support/wait.h"

namespace walpost::support {
namespace {

constexpr char kScript[] = WALPOST_SUPPORT_DIR "/kafka.sh";
constexpr int kAdminMillis = 10'000;

// A client for administration, made for one use.
ClientPtr AdminClient(const std::string& bootstrap) {
  std::array<char, 256> error{};
  rd_kafka_conf_t* conf = rd_kafka_conf_new();
  rd_kafka_conf_set(conf, "bootstrap.servers", bootstrap.c_str(), error.data(), error.size());
  rd_kafka_conf_set(conf, "log_level", "0", error.data(), error.size());
  rd_kafka_conf_set(conf, "allow.auto.create.topics", "false", error.data(), error.size());
  return ClientPtr(rd_kafka_new(RD_KAFKA_CONSUMER, conf, error.data(), error.size()));
}

bool HasLeaders(rd_kafka_t* client, const std::string& topic, int partitions) {
  rd_kafka_topic_t* handle = rd_kafka_topic_new(client, topic.c_str(), nullptr);
  const rd_kafka_metadata_t* raw = nullptr;
  const rd_kafka_resp_err_t error = rd_kafka_metadata(client, 0, handle, &raw, kAdminMillis);
  rd_kafka_topic_destroy(handle);
  const MetadataPtr metadata(raw);
  if (error != RD_KAFKA_RESP_ERR_NO_ERROR || metadata->topic_cnt != 1 ||
      metadata->topics[0].partition_cnt != partitions) {
    return false;
  }
  for (int i = 0; i < partitions; ++i) {
    if (metadata->topics[0].partitions[i].leader < 0) return false;
  }
  return true;
}

}  // namespace

std::string KafkaBroker::WhyNot() {
  if (Run({"java", "-version"}).code != 0) return "no Java, which a Kafka broker needs";
  if (Run({"mvn", "-version"}).code != 0) return "no Maven, which fetches the Kafka broker";
  return "";
}

KafkaBroker::KafkaBroker()
    : dir_("kafka"),
      port_(FreePort(2)),
      environment_{{"KAFKA_DIR", dir_.path() + "/broker"}, {"KAFKA_PORT", absl::StrCat(port_)}},
      epilogue_(absl::StrCat("KAFKA_DIR='", dir_.path(), "/broker' '", kScript,
                             "' destroy; rm -rf '", dir_.path(), "'")) {}

KafkaBroker::~KafkaBroker() { Script("destroy"); }

Finished KafkaBroker::Script(const std::string& command) {
  return Run({kScript, command}, environment_, absl::Minutes(10));
}

absl::Status KafkaBroker::Start() {
  const Finished start = Script("start");
  if (start.code != 0) {
    return absl::UnavailableError(absl::StrCat("Kafka did not start: ", start.err));
  }
  return absl::OkStatus();
}

void KafkaBroker::Stop() { Script("stop"); }
void KafkaBroker::Kill() { Script("kill"); }
void KafkaBroker::Pause() const { ::kill(Pid(), SIGSTOP); }
void KafkaBroker::Resume() const { ::kill(Pid(), SIGCONT); }

pid_t KafkaBroker::Pid() const {
  std::ifstream file(dir_.path() + "/broker/broker.pid");
  pid_t pid = 0;
  file >> pid;
  // kill(0) and kill(-1) would reach others.
  return pid > 1 ? pid : 0x7fffffff;
}

std::string KafkaBroker::bootstrap() const { return absl::StrCat("127.0.0.1:", port_); }

absl::Status KafkaBroker::CreateTopic(const std::string& name, int partitions) const {
  const ClientPtr client = AdminClient(bootstrap());
  std::array<char, 256> error{};
  const NewTopicPtr topic(
      rd_kafka_NewTopic_new(name.c_str(), partitions, 1, error.data(), error.size()));
  const QueuePtr queue(rd_kafka_queue_new(client.get()));
  rd_kafka_NewTopic_t* topics[] = {topic.get()};
  rd_kafka_CreateTopics(client.get(), topics, 1, nullptr, queue.get());
  const EventPtr event(rd_kafka_queue_poll(queue.get(), kAdminMillis));
  if (event == nullptr || rd_kafka_event_error(event.get()) != RD_KAFKA_RESP_ERR_NO_ERROR) {
    return absl::UnavailableError(absl::StrCat("topic ", name, " was not created"));
  }
  const bool usable =
      WaitUntil(absl::Seconds(20), [&] { return HasLeaders(client.get(), name, partitions); });
  return usable ? absl::OkStatus()
                : absl::UnavailableError(absl::StrCat("topic ", name, " has no leader"));
}

absl::Status KafkaBroker::ConfigureTopic(const std::string& name, const char* property,
                                         const char* value) const {
  const ClientPtr client = AdminClient(bootstrap());
  const ConfigPtr config(rd_kafka_ConfigResource_new(RD_KAFKA_RESOURCE_TOPIC, name.c_str()));
  rd_kafka_ConfigResource_set_config(config.get(), property, value);
  const QueuePtr queue(rd_kafka_queue_new(client.get()));
  rd_kafka_ConfigResource_t* configs[] = {config.get()};
  rd_kafka_AlterConfigs(client.get(), configs, 1, nullptr, queue.get());
  const EventPtr event(rd_kafka_queue_poll(queue.get(), kAdminMillis));
  if (event == nullptr || rd_kafka_event_error(event.get()) != RD_KAFKA_RESP_ERR_NO_ERROR) {
    return absl::UnavailableError(absl::StrCat("topic ", name, " was not configured"));
  }
  return absl::OkStatus();
}

}  // namespace walpost::support
