#include "integration/servers.h"

#include <cstdio>
#include <cstdlib>

namespace walpost::integration {
namespace {

// Without its servers no test means anything.
void MustStart(const absl::Status& status) {
  if (status.ok()) return;
  std::fprintf(stderr, "%s\n", status.ToString().c_str());
  std::abort();
}

}  // namespace

Servers& Servers::Get() {
  // gtest owns environments and gives no way to ask for them.
  static auto* const servers =
      static_cast<Servers*>(::testing::AddGlobalTestEnvironment(new Servers));
  return *servers;
}

void Servers::TearDown() {
  kafka_.reset();
  postgres_.reset();
}

support::PostgresServer& Servers::postgres() {
  if (postgres_ == nullptr) {
    postgres_ = std::make_unique<support::PostgresServer>();
    MustStart(postgres_->Start());
  }
  return *postgres_;
}

support::KafkaBroker& Servers::kafka() {
  if (kafka_ == nullptr) {
    kafka_ = std::make_unique<support::KafkaBroker>();
    MustStart(kafka_->Start());
  }
  return *kafka_;
}

const std::string& Servers::why_no_kafka() {
  if (why_no_kafka_ == nullptr) {
    why_no_kafka_ = std::make_unique<std::string>(support::KafkaBroker::WhyNot());
  }
  return *why_no_kafka_;
}

std::string WalpostBinary() {
  const char* chosen = std::getenv("WALPOST_BINARY");
  return chosen == nullptr ? WALPOST_BINARY_DEFAULT : chosen;
}

}  // namespace walpost::integration
