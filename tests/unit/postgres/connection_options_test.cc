#include "postgres/connection_options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

namespace walpost::postgres {
namespace {

using absl::StatusCode;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

// What libpq reads from the environment must not come from the machine that the test runs on.
class ConnectionOptionsTest : public testing::Test {
 protected:
  void SetUp() override {
    for (const char* name : {"PGOPTIONS", "PGHOST", "PGHOSTADDR", "PGPORT", "PGDATABASE", "PGUSER",
                             "PGSERVICE", "PGPASSWORD", "PGTARGETSESSIONATTRS"}) {
      ::unsetenv(name);
    }
  }
  void TearDown() override { ::unsetenv("PGOPTIONS"); }

  static ConnectionParameters Build(const ConnectionOptions& options,
                                    ConnectionMode mode = ConnectionMode::kReplication) {
    absl::StatusOr<ConnectionParameters> built = BuildConnectionParameters(options, mode);
    EXPECT_TRUE(built.ok()) << built.status();
    return built.value_or(ConnectionParameters());
  }

  // The value that libpq would use: the last one.
  static std::string Value(const ConnectionParameters& parameters, std::string_view keyword) {
    std::string out = "(absent)";
    for (const auto& [k, v] : parameters) {
      if (k == keyword) out = v;
    }
    return out;
  }

  std::string WriteFile(std::string_view content) {
    std::string path = testing::TempDir() + "walpost_password";
    std::ofstream(path, std::ios::binary) << content;
    return path;
  }

  static ConnectionOptions With(std::string conninfo) {
    ConnectionOptions options;
    options.conninfo = std::move(conninfo);
    return options;
  }
};

TEST_F(ConnectionOptionsTest, PinsWhatCouldChangeThePayload) {
  std::string options = Value(Build(With("host=db")), "options");
  for (const char* setting :
       {"-c intervalstyle=postgres", "-c extra_float_digits=3", "-c bytea_output=hex",
        "-c row_security=off", "-c statement_timeout=0"}) {
    EXPECT_THAT(options, HasSubstr(setting));
  }
  EXPECT_EQ(Value(Build(With("host=db client_encoding=LATIN1")), "client_encoding"), "UTF8");
}

TEST_F(ConnectionOptionsTest, KeepsTheUsersOptionsBeforeOurs) {
  std::string options = Value(Build(With("options='-c wal_sender_timeout=5s'")), "options");
  EXPECT_THAT(options, StartsWith("-c wal_sender_timeout=5s -c intervalstyle=postgres"));
}

TEST_F(ConnectionOptionsTest, KeepsPgoptionsWhenTheConninfoHasNone) {
  ::setenv("PGOPTIONS", "-c geqo=off", 1);
  EXPECT_THAT(Value(Build(With("host=db")), "options"), StartsWith("-c geqo=off -c "));
  EXPECT_THAT(Value(Build(With("options='-c jit=off'")), "options"), Not(HasSubstr("geqo")));
}

TEST_F(ConnectionOptionsTest, ReadsTheOptionsOfAUri) {
  std::string options =
      Value(Build(With("postgresql://u@db/shop?options=-c%20geqo%3Doff")), "options");
  EXPECT_THAT(options, StartsWith("-c geqo=off "));
}

TEST_F(ConnectionOptionsTest, LetsTheConninfoOverrideOurDefaultsButNotWhatIsPinned) {
  ConnectionParameters parameters = Build(With("keepalives_idle=5 application_name=x"));
  std::vector<std::string> order;
  for (const auto& [k, v] : parameters) order.push_back(k);
  auto position = [&order](std::string_view k) {
    return std::find(order.begin(), order.end(), k) - order.begin();
  };
  EXPECT_LT(position("keepalives_idle"), position("dbname"));
  EXPECT_LT(position("dbname"), position("application_name"));
  EXPECT_LT(position("dbname"), position("client_encoding"));
}

TEST_F(ConnectionOptionsTest, NamesTheSlotInTheApplicationName) {
  ConnectionOptions options;
  options.slot = "orders";
  EXPECT_EQ(Value(Build(options), "application_name"), "walpost/orders");
}

TEST_F(ConnectionOptionsTest, AsksForReplicationOnlyWhereItIsWanted) {
  EXPECT_EQ(Value(Build({}), "replication"), "database");
  EXPECT_EQ(Value(Build({}, ConnectionMode::kSql), "replication"), "(absent)");
}

TEST_F(ConnectionOptionsTest, AnEmptyConninfoLeavesTheDatabaseToTheEnvironment) {
  EXPECT_EQ(Value(Build({}), "dbname"), "(absent)");
}

TEST_F(ConnectionOptionsTest, ABareWordIsADatabase) {
  EXPECT_TRUE(ValidateConninfo("shop").ok());
  EXPECT_EQ(Value(Build(With("shop")), "dbname"), "shop");
  EXPECT_EQ(ConninfoValue("shop", "dbname"), "shop");
}

TEST_F(ConnectionOptionsTest, APasswordFileWinsAndMayHoldAnyCharacter) {
  ConnectionOptions options = With("password=old");
  options.password_file = WriteFile("p@ss:w/o%rd'\\ #\n");
  ConnectionParameters parameters = Build(options);
  EXPECT_EQ(Value(parameters, "password"), "p@ss:w/o%rd'\\ #");
}

TEST_F(ConnectionOptionsTest, StripsOneNewlineAlone) {
  EXPECT_EQ(*ReadPasswordFile(WriteFile("a\n\n")), "a\n");
  EXPECT_EQ(*ReadPasswordFile(WriteFile("a\r\n")), "a");
  EXPECT_EQ(*ReadPasswordFile(WriteFile(" a ")), " a ");
  EXPECT_EQ(*ReadPasswordFile(WriteFile("")), "");
}

TEST_F(ConnectionOptionsTest, AMissingPasswordFileIsNamed) {
  absl::Status status = ReadPasswordFile("/nowhere/secret").status();
  EXPECT_EQ(status.code(), StatusCode::kUnauthenticated);
  EXPECT_THAT(std::string(status.message()), HasSubstr("postgres.password_file '/nowhere/secret'"));
}

TEST_F(ConnectionOptionsTest, ASyntaxErrorNamesTheSettingAndRepeatsNothing) {
  for (const char* conninfo :
       {"host=db zzsecret user", "password=my zzsecret=1", "password='zzsecret",
        "postgresql://u:zzsecret@[::1/x", "postgresql://u:zzsecret@db/x?zzsecret=1",
        "postgres://u:zzsecret%zz@db/x"}) {
    absl::Status status = ValidateConninfo(conninfo);
    EXPECT_EQ(status.code(), StatusCode::kInvalidArgument) << conninfo;
    EXPECT_THAT(std::string(status.message()), HasSubstr("postgres.conninfo (--conninfo)"));
    EXPECT_THAT(std::string(status.message()), Not(HasSubstr("zzsecret")));
    EXPECT_EQ(BuildConnectionParameters(With(conninfo), ConnectionMode::kSql).status().code(),
              StatusCode::kInvalidArgument);
  }
}

TEST_F(ConnectionOptionsTest, SplitsHostsWithTheirPorts) {
  auto hosts = SplitHosts("host=a,b,c port=1,2,3");
  ASSERT_TRUE(hosts.ok());
  ASSERT_EQ(hosts->size(), 3u);
  EXPECT_EQ((*hosts)[1], (ConnectionParameters{{"host", "b"}, {"port", "2"}}));
  hosts = SplitHosts("postgresql://a:1,b:2/shop");
  ASSERT_EQ(hosts->size(), 2u);
  EXPECT_EQ((*hosts)[0], (ConnectionParameters{{"host", "a"}, {"port", "1"}}));
}

TEST_F(ConnectionOptionsTest, GivesOnePortToEveryHost) {
  auto hosts = SplitHosts("host=a,b port=7");
  ASSERT_EQ(hosts->size(), 2u);
  EXPECT_EQ(Value((*hosts)[0], "port"), "7");
  EXPECT_EQ(Value((*hosts)[1], "port"), "7");
}

TEST_F(ConnectionOptionsTest, LeavesASingleHostToLibpq) {
  EXPECT_EQ(SplitHosts("host=a")->size(), 1u);
  EXPECT_THAT((*SplitHosts("host=a"))[0], IsEmpty());
  EXPECT_THAT((*SplitHosts(""))[0], IsEmpty());
}

TEST_F(ConnectionOptionsTest, RefusesListsThatDoNotMatch) {
  EXPECT_EQ(SplitHosts("host=a,b,c port=1,2").status().code(), StatusCode::kInvalidArgument);
  EXPECT_EQ(SplitHosts("host=a,b hostaddr=127.0.0.1,127.0.0.2,127.0.0.3").status().code(),
            StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace walpost::postgres
