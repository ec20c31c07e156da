#include "kafka/error_mapping.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace walpost::kafka {
namespace {

using testing::HasSubstr;

const EventFacts kEvent = {
    .topic = "orders", .bytes = 1234, .max_message_bytes = "1000", .id = "e-7"};

TEST(PublishError, TellsWhatToDoAboutEachKind) {
  EXPECT_EQ(PublishError(RD_KAFKA_RESP_ERR__QUEUE_FULL, kEvent).code(),
            absl::StatusCode::kResourceExhausted);
  EXPECT_EQ(PublishError(RD_KAFKA_RESP_ERR__FATAL, kEvent).code(), absl::StatusCode::kUnavailable);
  for (const auto error : {RD_KAFKA_RESP_ERR_MSG_SIZE_TOO_LARGE, RD_KAFKA_RESP_ERR_TOPIC_EXCEPTION,
                           RD_KAFKA_RESP_ERR__INVALID_ARG, RD_KAFKA_RESP_ERR_INVALID_RECORD,
                           RD_KAFKA_RESP_ERR_INVALID_TIMESTAMP}) {
    const absl::Status status = PublishError(error, kEvent);
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    EXPECT_THAT(std::string(status.message()), HasSubstr("topic 'orders'"));
  }
}

// A topic that is missing or forbidden for a while must never make an event be passed over.
TEST(PublishError, IsTemporaryForWhateverIsNotKnown) {
  for (const auto error :
       {RD_KAFKA_RESP_ERR__UNKNOWN_TOPIC, RD_KAFKA_RESP_ERR__UNKNOWN_PARTITION,
        RD_KAFKA_RESP_ERR_UNKNOWN_TOPIC_OR_PART, RD_KAFKA_RESP_ERR_TOPIC_AUTHORIZATION_FAILED,
        RD_KAFKA_RESP_ERR_CLUSTER_AUTHORIZATION_FAILED, RD_KAFKA_RESP_ERR__PURGE_QUEUE,
        RD_KAFKA_RESP_ERR__TIMED_OUT, RD_KAFKA_RESP_ERR__TRANSPORT, RD_KAFKA_RESP_ERR__STATE,
        RD_KAFKA_RESP_ERR_UNKNOWN, RD_KAFKA_RESP_ERR_POLICY_VIOLATION}) {
    EXPECT_EQ(PublishError(error, kEvent).code(), absl::StatusCode::kUnavailable)
        << rd_kafka_err2name(error);
  }
}

TEST(DeliveryError, IsDataLossOnlyWhereTheEventItselfIsAtFault) {
  for (const auto error : {RD_KAFKA_RESP_ERR_MSG_SIZE_TOO_LARGE, RD_KAFKA_RESP_ERR_INVALID_MSG,
                           RD_KAFKA_RESP_ERR_INVALID_RECORD, RD_KAFKA_RESP_ERR_TOPIC_EXCEPTION,
                           RD_KAFKA_RESP_ERR_INVALID_TIMESTAMP}) {
    const absl::Status status = DeliveryError(error, kEvent, /*alone=*/true);
    EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss) << rd_kafka_err2name(error);
    EXPECT_THAT(std::string(status.message()), HasSubstr("topic 'orders'"));
    EXPECT_THAT(std::string(status.message()), HasSubstr("an event with id e-7 "));
    EXPECT_THAT(std::string(status.message()), HasSubstr("; hint: ")) << rd_kafka_err2name(error);
  }
}

TEST(DeliveryError, IsNotTheEventsFaultWhenItWasRefusedInCompany) {
  for (const auto error : {RD_KAFKA_RESP_ERR_MSG_SIZE_TOO_LARGE, RD_KAFKA_RESP_ERR_INVALID_MSG,
                           RD_KAFKA_RESP_ERR_INVALID_RECORD, RD_KAFKA_RESP_ERR_INVALID_TIMESTAMP}) {
    EXPECT_EQ(DeliveryError(error, kEvent, /*alone=*/false).code(), absl::StatusCode::kUnavailable);
  }
}

TEST(DeliveryError, IsTemporaryForWhateverIsNotKnown) {
  for (const auto error :
       {RD_KAFKA_RESP_ERR__UNKNOWN_TOPIC, RD_KAFKA_RESP_ERR__UNKNOWN_PARTITION,
        RD_KAFKA_RESP_ERR_UNKNOWN_TOPIC_OR_PART, RD_KAFKA_RESP_ERR_TOPIC_AUTHORIZATION_FAILED,
        RD_KAFKA_RESP_ERR_CLUSTER_AUTHORIZATION_FAILED, RD_KAFKA_RESP_ERR__PURGE_QUEUE,
        RD_KAFKA_RESP_ERR__PURGE_INFLIGHT, RD_KAFKA_RESP_ERR__MSG_TIMED_OUT,
        RD_KAFKA_RESP_ERR__TRANSPORT, RD_KAFKA_RESP_ERR__FATAL,
        RD_KAFKA_RESP_ERR_NOT_ENOUGH_REPLICAS, RD_KAFKA_RESP_ERR_UNKNOWN,
        RD_KAFKA_RESP_ERR_POLICY_VIOLATION}) {
    for (const bool alone : {true, false}) {
      const absl::Status status = DeliveryError(error, kEvent, alone);
      EXPECT_EQ(status.code(), absl::StatusCode::kUnavailable) << rd_kafka_err2name(error);
      EXPECT_THAT(std::string(status.message()), HasSubstr("topic 'orders'"));
    }
  }
}

}  // namespace
}  // namespace walpost::kafka
