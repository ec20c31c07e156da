#include "postgres/connect_error.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "postgres/sql_state.h"

namespace walpost::postgres {
namespace {

using absl::StatusCode;
using testing::HasSubstr;
using testing::Not;

ConnectFailure Failing(std::string message) {
  ConnectFailure failure;
  failure.message = std::move(message);
  failure.user = "Relay";
  failure.database = "shop";
  failure.mode = ConnectionMode::kReplication;
  return failure;
}

ConnectFailure Refusing(std::string_view state, std::string_view text) {
  return Failing("connection to server at \"db\", port 5432 failed: FATAL:  " + std::string(state) +
                 ": " + std::string(text) + "\nLOCATION:  somewhere, auth.c:1\n");
}

std::string MessageOf(const absl::Status& status) { return std::string(status.message()); }

TEST(ConnectError, AWrongPasswordNamesTheSettings) {
  absl::Status status = StatusOfConnectFailure(
      Refusing("28P01", "password authentication failed for user \"Relay\""));
  EXPECT_EQ(status.code(), StatusCode::kUnauthenticated);
  EXPECT_EQ(SqlStateOf(status), "28P01");
  EXPECT_EQ(
      MessageOf(status),
      "cannot connect to PostgreSQL: connection to server at \"db\", port 5432 failed: FATAL: "
      "password authentication failed for user \"Relay\"; hint: check the user and the "
      "password in postgres.conninfo (--conninfo), postgres.password_file or PGPASSWORD, and "
      "pg_hba.conf of the server");
}

TEST(ConnectError, AMissingHbaLineSaysWhatItMustMatch) {
  absl::Status status = StatusOfConnectFailure(
      Refusing("28000", "no pg_hba.conf entry for host \"h\", user \"Relay\", database \"shop\""));
  EXPECT_EQ(status.code(), StatusCode::kUnauthenticated);
  EXPECT_THAT(MessageOf(status), HasSubstr("user \"Relay\" and database \"shop\" to pg_hba.conf"));
}

TEST(ConnectError, AMissingPasswordIsNotAServerThatIsAway) {
  ConnectFailure failure = Failing("fe_sendauth: no password supplied\n");
  failure.needs_password = true;
  absl::Status status = StatusOfConnectFailure(failure);
  EXPECT_EQ(status.code(), StatusCode::kUnauthenticated);
  EXPECT_THAT(MessageOf(status), HasSubstr("postgres.password_file"));
}

TEST(ConnectError, ARoleWithoutReplicationGetsTheStatement) {
  absl::Status status = StatusOfConnectFailure(
      Refusing("42501", "must be superuser or replication role to start walsender"));
  EXPECT_EQ(status.code(), StatusCode::kFailedPrecondition);
  EXPECT_THAT(MessageOf(status), HasSubstr("ALTER ROLE \"Relay\" WITH REPLICATION"));
  EXPECT_THAT(MessageOf(status), HasSubstr("GRANT rds_replication TO \"Relay\""));
}

TEST(ConnectError, ARoleWithoutConnectGetsItsOwnStatement) {
  absl::Status status =
      StatusOfConnectFailure(Refusing("42501", "permission denied for database \"shop\""));
  EXPECT_THAT(MessageOf(status), HasSubstr("GRANT CONNECT ON DATABASE \"shop\" TO \"Relay\""));
  EXPECT_THAT(MessageOf(status), Not(HasSubstr("WITH REPLICATION")));
}

TEST(ConnectError, AServerThatIsAwayIsUnavailable) {
  absl::Status refused = StatusOfConnectFailure(
      Failing("connection to server at \"db\", port 5432 failed: Connection refused\n\tIs the "
              "server running on that host and accepting TCP/IP connections?\n"));
  EXPECT_EQ(refused.code(), StatusCode::kUnavailable);
  EXPECT_THAT(MessageOf(refused), HasSubstr("\"db\", port 5432"));
  EXPECT_THAT(MessageOf(refused), HasSubstr("postgres.conninfo (--conninfo)"));
  for (const char* state : {"57P03", "53300"}) {
    EXPECT_EQ(StatusOfConnectFailure(Refusing(state, "not now")).code(), StatusCode::kUnavailable);
  }
}

TEST(ConnectError, AMissingDatabaseIsForAnOperator) {
  EXPECT_EQ(StatusOfConnectFailure(Refusing("3D000", "database \"shop\" does not exist")).code(),
            StatusCode::kFailedPrecondition);
}

TEST(ConnectError, AWrongOptionIsConfiguration) {
  absl::Status status =
      StatusOfConnectFailure(Refusing("42704", "unrecognized configuration parameter \"nosuch\""));
  EXPECT_EQ(status.code(), StatusCode::kInvalidArgument);
  EXPECT_THAT(MessageOf(status), HasSubstr("PGOPTIONS"));
}

TEST(ConnectError, APoolerIsNamedAsWhatItIs) {
  absl::Status status =
      StatusOfConnectFailure(Refusing("08P01", "unsupported startup parameter: replication"));
  EXPECT_EQ(status.code(), StatusCode::kFailedPrecondition);
  EXPECT_THAT(MessageOf(status), HasSubstr("pooler"));
}

TEST(ConnectError, AnUntrustedServerIsNotRetriedAsIfItWereAway) {
  EXPECT_EQ(StatusOfConnectFailure(Failing("SSL error: certificate verify failed\n")).code(),
            StatusCode::kUnauthenticated);
}

TEST(ConnectError, IsAlwaysOneLine) {
  absl::Status status = StatusOfConnectFailure(
      Failing("connection to server at \"a\" failed: timeout\n\nconnection to server at \"b\" "
              "failed: FATAL:  57P03: starting\nDETAIL:  more\nLOCATION:  x\n"));
  EXPECT_THAT(MessageOf(status), Not(HasSubstr("\n")));
}

}  // namespace
}  // namespace walpost::postgres
