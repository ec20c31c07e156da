#include "kafka/mock_cluster.h"

#include <absl/strings/str_cat.h>
#include <librdkafka/rdkafka.h>
#include <librdkafka/rdkafka_mock.h>

#include <array>
#include <utility>
#include <vector>

#include "base/strings.h"
#include "kafka/milliseconds.h"

namespace walpost::kafka {
namespace {

// Source: https://kafka.apache.org/protocol#protocol_api_keys
constexpr std::int16_t kProduceApiKey = 0;

rd_kafka_resp_err_t ErrorOf(ProduceFailure failure) {
  switch (failure) {
    case ProduceFailure::kNotEnoughReplicas:
      return RD_KAFKA_RESP_ERR_NOT_ENOUGH_REPLICAS;
    case ProduceFailure::kDisconnect:
      return RD_KAFKA_RESP_ERR__TRANSPORT;
    case ProduceFailure::kMessageTooLarge:
      return RD_KAFKA_RESP_ERR_MSG_SIZE_TOO_LARGE;
    case ProduceFailure::kInvalidRecord:
      return RD_KAFKA_RESP_ERR_INVALID_RECORD;
    case ProduceFailure::kTopicNotAuthorized:
      return RD_KAFKA_RESP_ERR_TOPIC_AUTHORIZATION_FAILED;
  }
  return RD_KAFKA_RESP_ERR_UNKNOWN;
}

absl::Status ToStatus(rd_kafka_resp_err_t error, std::string_view what) {
  if (error == RD_KAFKA_RESP_ERR_NO_ERROR) return absl::OkStatus();
  const std::string text =
      absl::StrCat("mock cluster: ", ToAbsl(what), ": ", rd_kafka_err2str(error));
  if (error == RD_KAFKA_RESP_ERR_TOPIC_ALREADY_EXISTS) return absl::AlreadyExistsError(text);
  return absl::InvalidArgumentError(text);
}

}  // namespace

absl::StatusOr<std::unique_ptr<MockCluster>> MockCluster::Start(int brokers) {
  if (brokers < 1) return absl::InvalidArgumentError("mock cluster: needs at least one broker");
  ConfHandle conf(rd_kafka_conf_new());
  // The cluster hangs on a client, which itself talks to nobody; its log would go to stderr.
  rd_kafka_conf_set_log_cb(conf.get(), nullptr);
  std::array<char, 512> error{};
  ClientHandle client(rd_kafka_new(RD_KAFKA_PRODUCER, conf.get(), error.data(), error.size()));
  if (client == nullptr) return absl::InternalError(absl::StrCat("mock cluster: ", error.data()));
  static_cast<void>(conf.release());
  MockClusterHandle cluster(rd_kafka_mock_cluster_new(client.get(), brokers));
  if (cluster == nullptr) return absl::InternalError("mock cluster: cannot listen on 127.0.0.1");
  return std::unique_ptr<MockCluster>(new MockCluster(std::move(client), std::move(cluster)));
}

MockCluster::MockCluster(ClientHandle client, MockClusterHandle cluster)
    : client_(std::move(client)), cluster_(std::move(cluster)) {}

MockCluster::~MockCluster() = default;

std::string MockCluster::bootstrap() const {
  return rd_kafka_mock_cluster_bootstraps(cluster_.get());
}

absl::Status MockCluster::CreateTopic(std::string_view name, int partitions) {
  return ToStatus(
      rd_kafka_mock_topic_create(cluster_.get(), std::string(name).c_str(), partitions, 1),
      absl::StrCat("create topic '", ToAbsl(name), "'"));
}

void MockCluster::HideTopic(std::string_view name) {
  rd_kafka_mock_topic_set_error(cluster_.get(), std::string(name).c_str(),
                                RD_KAFKA_RESP_ERR_UNKNOWN_TOPIC_OR_PART);
}

void MockCluster::FailNextProduces(int count, ProduceFailure failure) {
  const std::vector<rd_kafka_resp_err_t> errors(static_cast<std::size_t>(count), ErrorOf(failure));
  rd_kafka_mock_push_request_errors_array(cluster_.get(), kProduceApiKey, errors.size(),
                                          errors.data());
}

absl::Status MockCluster::StopBroker(int broker) {
  return ToStatus(rd_kafka_mock_broker_set_down(cluster_.get(), broker),
                  absl::StrCat("stop broker ", broker));
}

absl::Status MockCluster::StartBroker(int broker) {
  return ToStatus(rd_kafka_mock_broker_set_up(cluster_.get(), broker),
                  absl::StrCat("start broker ", broker));
}

absl::Status MockCluster::SetRoundTrip(absl::Duration round_trip) {
  constexpr std::int32_t kEveryBroker = -1;
  return ToStatus(
      rd_kafka_mock_broker_set_rtt(cluster_.get(), kEveryBroker, ToMilliseconds(round_trip)),
      "set round trip");
}

}  // namespace walpost::kafka
