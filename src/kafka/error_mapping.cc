#include "kafka/error_mapping.h"

#include <absl/strings/str_cat.h>

#include "base/strings.h"

namespace walpost::kafka {
namespace {

// The end of a message: what can be done about the error.
const char* Hint(rd_kafka_resp_err_t error) {
  switch (error) {
    case RD_KAFKA_RESP_ERR__UNKNOWN_TOPIC:
    case RD_KAFKA_RESP_ERR_UNKNOWN_TOPIC_OR_PART:
      return "; hint: create the topic, or let the broker do so (auto.create.topics.enable)";
    case RD_KAFKA_RESP_ERR_TOPIC_AUTHORIZATION_FAILED:
      return "; hint: grant the principal WRITE and DESCRIBE on the topic";
    case RD_KAFKA_RESP_ERR_CLUSTER_AUTHORIZATION_FAILED:
      return "; hint: grant the principal IDEMPOTENT_WRITE on the cluster";
    case RD_KAFKA_RESP_ERR_NOT_ENOUGH_REPLICAS:
    case RD_KAFKA_RESP_ERR_NOT_ENOUGH_REPLICAS_AFTER_APPEND:
      return "; hint: compare the topic's min.insync.replicas with the brokers that are up";
    case RD_KAFKA_RESP_ERR_TOPIC_EXCEPTION:
      return "; hint: a name has up to 249 letters, digits, '.', '_' and '-'; check outbox.topic";
    case RD_KAFKA_RESP_ERR__UNKNOWN_PARTITION:
      return "; hint: the topic does not have the partition, or not any more";
    case RD_KAFKA_RESP_ERR_INVALID_TIMESTAMP:
      return "; hint: check the topic's message.timestamp.* settings against the event's time";
    case RD_KAFKA_RESP_ERR_INVALID_MSG:
    case RD_KAFKA_RESP_ERR_INVALID_RECORD:
      return "; hint: a compacted topic takes no event without a key";
    default:
      return "";
  }
}

std::string Described(std::string_view what, const EventFacts& event, rd_kafka_resp_err_t error) {
  return absl::StrCat(ToAbsl(what), " topic '", ToAbsl(event.topic), "': ", rd_kafka_err2str(error),
                      Hint(error));
}

std::string WithId(const EventFacts& event) {
  return event.id.empty() ? std::string() : absl::StrCat(" with id ", event.id);
}

}  // namespace

absl::Status PublishError(rd_kafka_resp_err_t error, const EventFacts& event) {
  switch (error) {
    case RD_KAFKA_RESP_ERR__QUEUE_FULL:
      return absl::ResourceExhaustedError("the kafka producer's queue is full");
    case RD_KAFKA_RESP_ERR_MSG_SIZE_TOO_LARGE:
      return absl::InvalidArgumentError(
          absl::StrCat("an event for topic '", ToAbsl(event.topic), "' with ", event.bytes,
                       " bytes of key and value exceeds, with its headers and framing, the "
                       "producer's limit of ",
                       event.max_message_bytes,
                       " bytes; hint: raise message.max.bytes in kafka.properties, and "
                       "max.message.bytes of the topic"));
    case RD_KAFKA_RESP_ERR_TOPIC_EXCEPTION:
    case RD_KAFKA_RESP_ERR__INVALID_ARG:
    case RD_KAFKA_RESP_ERR_INVALID_MSG:
    case RD_KAFKA_RESP_ERR_INVALID_RECORD:
    case RD_KAFKA_RESP_ERR_INVALID_TIMESTAMP:
      return absl::InvalidArgumentError(Described("an event was refused for", event, error));
    case RD_KAFKA_RESP_ERR__FATAL:
    case RD_KAFKA_RESP_ERR__STATE:
      return absl::UnavailableError(
          absl::StrCat("the kafka producer is lost: ", rd_kafka_err2str(error)));
    default:
      // Whatever is not known to be the event's own fault may pass: a topic that is missing or
      // forbidden now would otherwise be a reason to pass the event over.
      return absl::UnavailableError(Described("an event was not taken for", event, error));
  }
}

absl::Status DeliveryError(rd_kafka_resp_err_t error, const EventFacts& event, bool alone) {
  if (RefusesBatch(error) && !alone) {
    return absl::UnavailableError(Described("a batch was refused for", event, error));
  }
  switch (error) {
    case RD_KAFKA_RESP_ERR_MSG_SIZE_TOO_LARGE:
      return absl::DataLossError(absl::StrCat(
          "the broker refuses an event", WithId(event), " of ", event.bytes, " bytes for topic '",
          ToAbsl(event.topic), "': ", rd_kafka_err2str(error),
          "; hint: raise max.message.bytes of the topic (message.max.bytes of the broker)"));
    case RD_KAFKA_RESP_ERR_INVALID_MSG:
    case RD_KAFKA_RESP_ERR_INVALID_RECORD:
    case RD_KAFKA_RESP_ERR_INVALID_TIMESTAMP:
    case RD_KAFKA_RESP_ERR_TOPIC_EXCEPTION:
      return absl::DataLossError(Described(
          absl::StrCat("the broker refuses an event", WithId(event), " for"), event, error));
    default:
      // Whatever is not known to be the event's own fault may pass. What has a partition that a
      // topic has not, which was not there yet, Publish() refuses next time.
      return absl::UnavailableError(Described("an event was not delivered to", event, error));
  }
}

bool RefusesBatch(rd_kafka_resp_err_t error) {
  return error == RD_KAFKA_RESP_ERR_MSG_SIZE_TOO_LARGE || error == RD_KAFKA_RESP_ERR_INVALID_MSG ||
         error == RD_KAFKA_RESP_ERR_INVALID_RECORD || error == RD_KAFKA_RESP_ERR_INVALID_TIMESTAMP;
}

bool IsAboutCredentials(rd_kafka_resp_err_t error) {
  return error == RD_KAFKA_RESP_ERR__AUTHENTICATION || error == RD_KAFKA_RESP_ERR__SSL ||
         error == RD_KAFKA_RESP_ERR_SASL_AUTHENTICATION_FAILED ||
         error == RD_KAFKA_RESP_ERR_UNSUPPORTED_SASL_MECHANISM;
}

bool IsAboutConnection(rd_kafka_resp_err_t error) {
  return error == RD_KAFKA_RESP_ERR__TRANSPORT || error == RD_KAFKA_RESP_ERR__RESOLVE ||
         error == RD_KAFKA_RESP_ERR__TIMED_OUT || IsAboutCredentials(error);
}

}  // namespace walpost::kafka
