#include "postgres/sql_state.h"

#include <gtest/gtest.h>

namespace walpost::postgres {
namespace {

using absl::StatusCode;

TEST(SqlState, DecidesTheCodeByStateThenClass) {
  EXPECT_EQ(CodeForSqlState("28P01"), StatusCode::kUnauthenticated);
  EXPECT_EQ(CodeForSqlState("28000"), StatusCode::kUnauthenticated);
  EXPECT_EQ(CodeForSqlState("3D000"), StatusCode::kFailedPrecondition);
  EXPECT_EQ(CodeForSqlState("42501"), StatusCode::kFailedPrecondition);
  EXPECT_EQ(CodeForSqlState("42704"), StatusCode::kFailedPrecondition);
  EXPECT_EQ(CodeForSqlState("53400"), StatusCode::kFailedPrecondition);
  EXPECT_EQ(CodeForSqlState("55000"), StatusCode::kFailedPrecondition);
  EXPECT_EQ(CodeForSqlState("55006"), StatusCode::kAborted);
  EXPECT_EQ(CodeForSqlState("42602"), StatusCode::kInvalidArgument);
}

TEST(SqlState, TakesAServerThatIsGoingOrFullForUnavailable) {
  for (std::string_view state : {"57P01", "57P02", "57P03", "53300", "53100", "08006", "40P01"}) {
    EXPECT_EQ(CodeForSqlState(state), StatusCode::kUnavailable) << state;
  }
}

TEST(SqlState, TakesWhatItDoesNotKnowForUnavailable) {
  EXPECT_EQ(CodeForSqlState("XX000"), StatusCode::kUnavailable);
  EXPECT_EQ(CodeForSqlState("ZZZZZ"), StatusCode::kUnavailable);
  EXPECT_EQ(CodeForSqlState(""), StatusCode::kUnavailable);
}

TEST(SqlState, IsRememberedByTheStatus) {
  absl::Status status = StatusFromSqlState("42710", "slot exists");
  EXPECT_EQ(SqlStateOf(status), "42710");
  EXPECT_EQ(status.message(), "slot exists");
  EXPECT_EQ(SqlStateOf(absl::UnavailableError("x")), "");
  EXPECT_EQ(SqlStateOf(absl::OkStatus()), "");
}

TEST(SqlState, IsFoundInAVerboseMessage) {
  EXPECT_EQ(SqlStateInMessage("connection to server at \"db\", port 5432 failed: FATAL:  28P01: "
                              "password authentication failed\nLOCATION:  auth_failed, auth.c:335"),
            "28P01");
  EXPECT_EQ(SqlStateInMessage("FATAL:  57P03: a\nFATAL:  28000: b"), "28000");
}

TEST(SqlState, IsNotSeenWhereThereIsNone) {
  for (std::string_view text : {"", "Connection refused", "FATAL:  nope1: x", "FATAL:  28P0",
                                "FATAL:  28P01", "a:  b:  c", ":  "}) {
    EXPECT_EQ(SqlStateInMessage(text), "") << text;
  }
}

TEST(FoldMessage, GivesOneLineWithoutNoise) {
  EXPECT_EQ(FoldMessage("connection to server at \"db\", port 1 failed: Connection refused\n"
                        "\tIs the server running on that host and accepting TCP/IP connections?\n"),
            "connection to server at \"db\", port 1 failed: Connection refused");
  EXPECT_EQ(FoldMessage("FATAL:  28P01: no\nLOCATION:  x, y.c:1\n"), "FATAL: no");
  EXPECT_EQ(FoldMessage("a\n\nb\r\nc\td"), "a; b; c d");
}

TEST(FoldMessage, SaysTheSameOnlyOnce) { EXPECT_EQ(FoldMessage("a\na\nb\na\n"), "a; b"); }

}  // namespace
}  // namespace walpost::postgres
