#include "postgres/stream_error.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "postgres/sql_state.h"

namespace walpost::postgres {
namespace {

using absl::StatusCode;
using testing::HasSubstr;

const StreamNames kNames{"walpost", "pub"};

absl::Status Meaning(std::string_view state, std::string_view message) {
  return StatusOfStreamError(StatusFromSqlState(state, message), kNames);
}

TEST(StreamError, AServerThatGoesIsRetried) {
  for (std::string_view state : {"57P01", "57P03", "08006", "XX000", ""}) {
    EXPECT_EQ(Meaning(state, "gone").code(), StatusCode::kUnavailable) << state;
  }
}

TEST(StreamError, APublicationFromAfterTheSlotStopsWithBothCommands) {
  absl::Status status = Meaning("42704", "publication \"pub\" does not exist");
  EXPECT_EQ(status.code(), StatusCode::kFailedPrecondition);
  std::string message(status.message());
  EXPECT_THAT(message, HasSubstr("pg_replication_slot_advance('walpost', pg_current_wal_lsn())"));
  EXPECT_THAT(message, HasSubstr("pg_drop_replication_slot('walpost')"));
}

TEST(StreamError, ASlotThatLostItsWalIsDataLoss) {
  for (const char* message :
       {"can no longer get changes from replication slot \"walpost\"",
        "can no longer access replication slot \"walpost\"",
        "cannot read from logical replication slot; this slot has been invalidated"}) {
    EXPECT_EQ(Meaning("55000", message).code(), StatusCode::kDataLoss) << message;
  }
  EXPECT_EQ(Meaning("58P01", "requested WAL segment 0001 has already been removed").code(),
            StatusCode::kDataLoss);
  EXPECT_EQ(Meaning("XX000", "requested WAL segment 0001 has already been removed").code(),
            StatusCode::kDataLoss);
  EXPECT_EQ(Meaning("58P01", "in some other language").code(), StatusCode::kDataLoss);
}

TEST(StreamError, ASlotOfSomebodyElseIsNotDataLoss) {
  EXPECT_EQ(Meaning("55000", "slot was not created in this database").code(),
            StatusCode::kFailedPrecondition);
}

TEST(StreamError, AHeldSlotIsWaitedFor) {
  EXPECT_EQ(Meaning("55006", "replication slot is active for PID 1").code(), StatusCode::kAborted);
}

TEST(StreamError, TextThatDoesNotConvertIsNotOurConfiguration) {
  for (const char* state : {"22P05", "22021"}) {
    const absl::Status status = Meaning(state, "invalid byte sequence for encoding \"UTF8\"");
    EXPECT_EQ(status.code(), StatusCode::kFailedPrecondition);
    EXPECT_THAT(std::string(status.message()), HasSubstr("hint: a row holds text"));
  }
}

TEST(StreamError, ASkippedPublicationStops) {
  absl::Status status = StatusOfSkippedPublication(kNames);
  EXPECT_EQ(status.code(), StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(status.message()), HasSubstr("publication \"pub\""));
}

}  // namespace
}  // namespace walpost::postgres
