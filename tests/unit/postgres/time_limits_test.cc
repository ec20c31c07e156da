// What a wait for a server may take, whatever the server does.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "base/clock.h"
#include "postgres/connection.h"
#include "postgres/pg_replication_stream.h"
#include "postgres/replication_source.h"
#include "postgres/sql_session.h"
#include "unit/postgres/scripted_server.h"

namespace walpost::postgres {
namespace {

using testing::HasSubstr;

class SilentLogger final : public Logger {
 public:
  void Log(LogLevel, std::string_view, std::span<const LogField>) override {}
};

class TimeLimits : public testing::Test {
 protected:
  // Far above each limit, far below what would be waited without it.
  static constexpr absl::Duration kSlack = absl::Seconds(4);

  void TearDown() override { ::unsetenv("PGCONNECT_TIMEOUT"); }

  absl::Duration Elapsed() const { return clock_.Monotonic() - began_; }
  absl::Status Open(const std::string& conninfo) {
    ConnectionOptions options;
    options.conninfo = conninfo;
    options.hard_limit = absl::Milliseconds(200);
    began_ = clock_.Monotonic();
    return Connection::Open(options, ConnectionMode::kSql, never_).status();
  }

  SystemClock clock_;
  NeverStop never_;
  SilentLogger logger_;
  absl::Duration began_ = clock_.Monotonic();
};

TEST_F(TimeLimits, TheHardLimitOfAConnectionWinsOverConninfoAndEnvironment) {
  ScriptedServer silent({});
  EXPECT_TRUE(absl::IsUnavailable(Open(silent.Conninfo() + " connect_timeout=30")));
  EXPECT_LT(Elapsed(), kSlack);
  ::setenv("PGCONNECT_TIMEOUT", "30", 1);
  EXPECT_TRUE(absl::IsUnavailable(Open(silent.Conninfo())));
  EXPECT_LT(Elapsed(), kSlack);
}

TEST_F(TimeLimits, TheHardLimitCoversWhatFollowsTheLogin) {
  ScriptedServer silent_after_login({ScriptedServer::Welcome()});
  EXPECT_TRUE(absl::IsUnavailable(Open(silent_after_login.Conninfo())));
  EXPECT_LT(Elapsed(), kSlack);
}

TEST_F(TimeLimits, AServerThatIsSilentHoldsUpTheProbeForASecondAlone) {
  ScriptedServer silent({});
  ConnectionOptions options;
  options.conninfo = silent.Conninfo() + " connect_timeout=30";
  PgReplicationSource source(options, {}, clock_, logger_);
  EXPECT_FALSE(source.ServerIsStopping(never_));
  EXPECT_LT(Elapsed(), kSlack);
}

TEST_F(TimeLimits, AServerThatGoesOnSendingDoesNotEndTheCopyInGoodOrder) {
  ScriptedServer endless(
      {ScriptedServer::Welcome(), ScriptedServer::Done(), ScriptedServer::CopyBoth()},
      ScriptedServer::Message('d', std::string(8000, 'x')));
  ConnectionOptions options;
  options.conninfo = endless.Conninfo();
  auto connection = Connection::Open(options, ConnectionMode::kReplication, never_);
  ASSERT_TRUE(connection.ok()) << connection.status();
  auto stream = PgReplicationStream::Start(*std::move(connection), {},
                                           {.slot = "s", .publication = "p"}, clock_, logger_);
  ASSERT_TRUE(stream.ok()) << stream.status();
  const absl::Status status = (*stream)->Finish(absl::Milliseconds(200));
  EXPECT_TRUE(absl::IsUnavailable(status)) << status;
  EXPECT_THAT(std::string(status.message()), HasSubstr("did not end within 200ms"));
  EXPECT_LT(Elapsed(), kSlack);
}

}  // namespace
}  // namespace walpost::postgres
