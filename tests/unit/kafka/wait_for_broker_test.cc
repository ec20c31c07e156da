#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <thread>

#include "base/unique_fd.h"
#include "unit/kafka/sink_fixture.h"

namespace walpost::kafka {
namespace {

using testing::HasSubstr;

// An address on which nobody listens: the port is bound, so nobody else gets it, but not listening.
class DeadPort {
 public:
  DeadPort() : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    EXPECT_EQ(::bind(socket_.get(), reinterpret_cast<sockaddr*>(&address), size), 0);
    EXPECT_EQ(::getsockname(socket_.get(), reinterpret_cast<sockaddr*>(&address), &size), 0);
    address_ = "127.0.0.1:" + std::to_string(ntohs(address.sin_port));
  }

  const std::string& address() const { return address_; }

 private:
  UniqueFd socket_;
  std::string address_;
};

class WaitForBrokerTest : public SinkTest {
 protected:
  void OpenSinkTo(const std::string& brokers, std::map<std::string, std::string> properties = {}) {
    auto made = KafkaSink::Create({.brokers = brokers, .properties = std::move(properties)},
                                  counters, metrics, logger, clock);
    ASSERT_TRUE(made.ok()) << made.status();
    sink = *std::move(made);
  }

  FakeStop stop;
};

TEST_F(WaitForBrokerTest, ReturnsWhenABrokerAnswers) {
  ASSERT_NO_FATAL_FAILURE(StartCluster(3));
  ASSERT_NO_FATAL_FAILURE(OpenSink());

  EXPECT_TRUE(sink->WaitForBroker(kPatience, stop).ok());

  EXPECT_TRUE(metrics.broker_up.load());
}

TEST_F(WaitForBrokerTest, NamesTheBrokerAndTheReasonWhenNobodyListens) {
  const DeadPort port;
  ASSERT_NO_FATAL_FAILURE(OpenSinkTo(port.address()));
  const absl::Duration began = clock.Monotonic();

  const absl::Status answer = sink->WaitForBroker(absl::Milliseconds(1500), stop);

  EXPECT_LT(clock.Monotonic() - began, absl::Seconds(5));
  EXPECT_EQ(answer.code(), absl::StatusCode::kUnavailable);
  const std::string text(answer.message());
  EXPECT_THAT(text, HasSubstr("'" + port.address() + "'"));
  EXPECT_THAT(text, HasSubstr("within 1.5s"));
  EXPECT_THAT(text, HasSubstr("Connection refused"));
  EXPECT_THAT(text, HasSubstr("--brokers"));
  EXPECT_FALSE(metrics.broker_up.load());
}

// The mock knows no SASL, and so refuses whoever comes with a password.
TEST_F(WaitForBrokerTest, BlamesTheCredentialsLongBeforeTheLimit) {
  ASSERT_NO_FATAL_FAILURE(StartCluster());
  ASSERT_NO_FATAL_FAILURE(OpenSinkTo(cluster->bootstrap(), {{"security.protocol", "sasl_plaintext"},
                                                            {"sasl.mechanisms", "PLAIN"},
                                                            {"sasl.username", "walpost"},
                                                            {"sasl.password", "hunter2"}}));
  const absl::Duration began = clock.Monotonic();

  const absl::Status answer = sink->WaitForBroker(absl::Seconds(600), stop);

  EXPECT_LT(clock.Monotonic() - began, kPatience);
  EXPECT_EQ(answer.code(), absl::StatusCode::kUnauthenticated) << answer;
  EXPECT_THAT(std::string(answer.message()), HasSubstr("SASL"));
  EXPECT_THAT(std::string(answer.message()), HasSubstr("kafka.properties"));
  EXPECT_EQ(logger.CountContaining("hunter2"), 0u);
}

TEST_F(WaitForBrokerTest, IsCancelledByAStop) {
  const DeadPort port;
  ASSERT_NO_FATAL_FAILURE(OpenSinkTo(port.address()));
  std::thread stopper([&] { stop.Request(); });

  const absl::Status answer = sink->WaitForBroker(kPatience, stop);

  stopper.join();
  EXPECT_EQ(answer.code(), absl::StatusCode::kCancelled);
}

TEST_F(WaitForBrokerTest, KeepsTheDeliveryReportsThatItMeets) {
  ASSERT_NO_FATAL_FAILURE(StartCluster());
  ASSERT_NO_FATAL_FAILURE(OpenSink());
  for (EventTicket ticket = 1; ticket <= 100; ++ticket) {
    ASSERT_TRUE(Publish("t", std::to_string(ticket), "v", ticket).ok());
  }
  // Every record is there, so that the reports are in the queue or about to be.
  ASSERT_EQ(ReadAll("t", 100).size(), 100u);

  ASSERT_TRUE(sink->WaitForBroker(kPatience, stop).ok());

  EXPECT_TRUE(PollUntil([&] { return listener.reports() == 100; }).ok());
  EXPECT_EQ(listener.delivered.size(), 100u);
}

TEST_F(WaitForBrokerTest, OutlastsABrokerThatStartsLate) {
  ASSERT_NO_FATAL_FAILURE(StartCluster());
  ASSERT_TRUE(cluster->StopBroker(1).ok());
  ASSERT_NO_FATAL_FAILURE(OpenSink());
  ASSERT_FALSE(sink->WaitForBroker(absl::Milliseconds(600), stop).ok());
  ASSERT_TRUE(cluster->StartBroker(1).ok());

  EXPECT_TRUE(sink->WaitForBroker(kPatience, stop).ok());
}

}  // namespace
}  // namespace walpost::kafka
