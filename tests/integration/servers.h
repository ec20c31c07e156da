#ifndef WALPOST_TESTS_INTEGRATION_SERVERS_H_
#define WALPOST_TESTS_INTEGRATION_SERVERS_H_

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "support/kafka_broker.h"
#include "support/postgres_server.h"

namespace walpost::integration {

// The servers that all tests of the binary share: each started when a test first asks for it, ended
// after the last test. A test that stops one starts it again.
class Servers final : public ::testing::Environment {
 public:
  // The instance that main() gave to gtest.
  static Servers& Get();

  void TearDown() override;

  support::PostgresServer& postgres();
  support::KafkaBroker& kafka();

  // Why this machine cannot run a broker, or "".
  const std::string& why_no_kafka();

 private:
  std::unique_ptr<support::PostgresServer> postgres_;
  std::unique_ptr<support::KafkaBroker> kafka_;
  std::unique_ptr<std::string> why_no_kafka_;
};

// The program under test: $WALPOST_BINARY, or the one of this build.
std::string WalpostBinary();

}  // namespace walpost::integration

#endif  // WALPOST_TESTS_INTEGRATION_SERVERS_H_
