#include "observability/admin_server.h"

#include <absl/time/time.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/types.h>

#include <csignal>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "unit/observability/http_client.h"
#include "unit/observability/manual_clock.h"

namespace walpost::observability {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class AdminServerTest : public ::testing::Test {
 protected:
  absl::StatusOr<std::unique_ptr<AdminServer>> Start(const std::string& listen) {
    return AdminServer::Start({listen, "1.2.3", {absl::Seconds(60)}}, metrics_, topics_, clock_);
  }
  std::unique_ptr<AdminServer> MustStart() {
    auto server = Start("127.0.0.1:0");
    EXPECT_TRUE(server.ok()) << server.status();
    return server.ok() ? *std::move(server) : nullptr;
  }
  void BeStreaming() {
    metrics_.state = RelayState::kStreaming;
    metrics_.broker_up = true;
    metrics_.last_server_message_us.Set(absl::ToUnixMicros(clock_.Now()));
  }

  RelayMetrics metrics_;
  TopicCounterTable topics_;
  ManualClock clock_;
};

TEST_F(AdminServerTest, TakesAFreePortWhenToldNone) {
  auto server = MustStart();
  EXPECT_GT(server->port(), 0);
  EXPECT_EQ(Get(server->port(), "/").status, 200);
}

TEST_F(AdminServerTest, ServesTheMetricsOfTheMoment) {
  auto server = MustStart();
  metrics_.events_in_flight.Set(41);
  HttpAnswer answer = Get(server->port(), "/metrics");
  EXPECT_EQ(answer.status, 200);
  EXPECT_THAT(answer.head, HasSubstr("Content-Type: text/plain; version=0.0.4; charset=utf-8\r\n"));
  EXPECT_THAT(answer.body, HasSubstr("\nwalpost_events_in_flight 41\n"));
  EXPECT_THAT(answer.body, HasSubstr("walpost_build_info{version=\"1.2.3\"} 1\n"));
  metrics_.events_in_flight.Set(42);
  EXPECT_THAT(Get(server->port(), "/metrics").body, HasSubstr("\nwalpost_events_in_flight 42\n"));
}

TEST_F(AdminServerTest, IsHealthyUntilTheRelayStops) {
  auto server = MustStart();
  HttpAnswer answer = Get(server->port(), "/healthz");
  EXPECT_EQ(answer.status, 200);
  EXPECT_THAT(answer.head, HasSubstr("Content-Type: application/json\r\n"));
  EXPECT_EQ(answer.body, "{\"live\":true,\"state\":\"starting\"}\n");
  metrics_.state = RelayState::kStopped;
  EXPECT_EQ(Get(server->port(), "/healthz").status, 503);
}

TEST_F(AdminServerTest, IsReadyOnlyWhileStreamingAndTellsWhyNot) {
  auto server = MustStart();
  BeStreaming();
  EXPECT_EQ(Get(server->port(), "/readyz").status, 200);
  metrics_.state = RelayState::kStandby;
  HttpAnswer answer = Get(server->port(), "/readyz");
  EXPECT_EQ(answer.status, 503);
  EXPECT_THAT(answer.body, AllOf(HasSubstr("\"ready\":false"), HasSubstr("\"state\":\"standby\""),
                                 HasSubstr("another instance holds the slot")));
  EXPECT_EQ(Get(server->port(), "/healthz").status, 200) << "a standby is live";
}

TEST_F(AdminServerTest, ListsItsPagesAndKnowsNoOther) {
  auto server = MustStart();
  EXPECT_THAT(Get(server->port(), "/").body,
              AllOf(HasSubstr("/metrics"), HasSubstr("/healthz"), HasSubstr("/readyz")));
  for (std::string_view path : {"/metric", "/metrics/", "/healthz/x", "/../etc/passwd",
                                "/%2e%2e/etc/passwd", "/index.html"}) {
    EXPECT_EQ(Get(server->port(), path).status, 404) << path;
  }
}

TEST_F(AdminServerTest, IgnoresAQuery) {
  auto server = MustStart();
  EXPECT_EQ(Get(server->port(), "/healthz?verbose=1").status, 200);
}

TEST_F(AdminServerTest, AnswersHeadWithTheHeadAlone) {
  auto server = MustStart();
  HttpAnswer answer = Exchange(server->port(), "HEAD /healthz HTTP/1.1\r\nHost: x\r\n\r\n");
  EXPECT_EQ(answer.status, 200);
  EXPECT_THAT(answer.head, HasSubstr("Content-Length: 33\r\n"));
  EXPECT_EQ(answer.body, "");
}

TEST_F(AdminServerTest, AllowsNoOtherMethod) {
  auto server = MustStart();
  for (std::string_view method : {"POST", "PUT", "DELETE", "OPTIONS"}) {
    HttpAnswer answer =
        Exchange(server->port(), std::string(method) +
                                     " /metrics HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n");
    EXPECT_EQ(answer.status, 405) << method;
    EXPECT_THAT(answer.head, HasSubstr("Allow: GET, HEAD\r\n")) << method;
  }
}

TEST_F(AdminServerTest, SurvivesWhatIsNotHttp) {
  auto server = MustStart();
  Exchange(server->port(), "\x16\x03\x01\x02\r\n\r\n");
  Exchange(server->port(), "GET / HTTP/9.9\r\n\r\n");
  Exchange(server->port(), "GET\r\n\r\n");
  EXPECT_EQ(Get(server->port(), "/").status, 200);
}

TEST_F(AdminServerTest, RefusesAnEndlessHead) {
  auto server = MustStart();
  std::string request = "GET / HTTP/1.1\r\nX: " + std::string(100'000, 'a') + "\r\n\r\n";
  EXPECT_NE(Exchange(server->port(), request).status, 200);
  EXPECT_EQ(Get(server->port(), "/").status, 200);
}

TEST_F(AdminServerTest, AnswersThoughAClientIsSilent) {
  auto server = MustStart();
  UniqueFd silent = ConnectTo(server->port());
  EXPECT_EQ(Get(server->port(), "/healthz").status, 200);
}

TEST_F(AdminServerTest, AnswersSoonThoughMoreClientsAreSilentThanItHasThreads) {
  auto server = MustStart();
  std::vector<UniqueFd> silent;
  for (int i = 0; i < 4; ++i) silent.push_back(ConnectTo(server->port()));
  EXPECT_EQ(Get(server->port(), "/healthz").status, 200);
}

TEST_F(AdminServerTest, AnswersSeveralClientsWhileFiguresChange) {
  auto server = MustStart();
  std::vector<std::thread> clients;
  for (int c = 0; c < 3; ++c) {
    clients.emplace_back([port = server->port()] {
      for (int i = 0; i < 20; ++i) EXPECT_EQ(Get(port, "/metrics").status, 200);
    });
  }
  // This thread is the one writer that the figures allow.
  for (int i = 0; i < 2'000; ++i) {
    metrics_.events_in_flight.Set(i);
    metrics_.commit_to_ack.Observe(0.001, 1);
    topics_.ForTopic("t" + std::to_string(i % 10)).events.Add(1);
  }
  for (std::thread& client : clients) client.join();
}

TEST_F(AdminServerTest, FreesItsPortSoonWhenItStops) {
  auto server = MustStart();
  int port = server->port();
  absl::Duration start = SystemClock().Monotonic();
  server.reset();
  EXPECT_LT(SystemClock().Monotonic() - start, absl::Seconds(1));
  EXPECT_LT(ConnectTo(port).get(), 0);
  auto again = Start("127.0.0.1:" + std::to_string(port));
  EXPECT_TRUE(again.ok()) << again.status();
}

TEST_F(AdminServerTest, StopsThoughClientsAreSilentOrKeepTheirEndOpen) {
  auto server = MustStart();
  UniqueFd answered = ConnectTo(server->port());
  constexpr std::string_view kRequest = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";
  ASSERT_EQ(::send(answered.get(), kRequest.data(), kRequest.size(), MSG_NOSIGNAL),
            static_cast<ssize_t>(kRequest.size()));
  char first = 0;
  ASSERT_EQ(::recv(answered.get(), &first, 1, 0), 1);
  std::vector<UniqueFd> silent;
  for (int i = 0; i < 8; ++i) silent.push_back(ConnectTo(server->port()));
  absl::Duration start = SystemClock().Monotonic();
  server.reset();
  // Generous, for machines that are busy; without the wake-up and the request's limit it is longer.
  EXPECT_LT(SystemClock().Monotonic() - start, absl::Milliseconds(1'800));
}

TEST_F(AdminServerTest, RefusesAPortThatIsTakenAndNamesTheSetting) {
  auto first = MustStart();
  std::string listen = "127.0.0.1:" + std::to_string(first->port());
  ::testing::internal::CaptureStderr();
  ::testing::internal::CaptureStdout();
  absl::Status status = Start(listen).status();
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "") << "the error says it all";
  EXPECT_EQ(::testing::internal::GetCapturedStdout(), "");
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_THAT(std::string(status.message()),
              AllOf(HasSubstr("admin.listen (--admin-listen) '" + listen + "'"),
                    HasSubstr("Address already in use"), HasSubstr("; hint: ")));
}

TEST_F(AdminServerTest, RefusesAnAddressOfAnotherHost) {
  absl::Status status = Start("192.0.2.1:0").status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << status;
  EXPECT_THAT(std::string(status.message()), HasSubstr("admin.listen"));
}

TEST_F(AdminServerTest, RefusesWhatIsNoAddress) {
  EXPECT_EQ(Start("nonsense").status().code(), absl::StatusCode::kInvalidArgument);
}

TEST_F(AdminServerTest, ListensOnIpv6OrSaysThatThisSystemCannot) {
  auto server = Start("[::1]:0");
  if (server.ok()) {
    EXPECT_GT((*server)->port(), 0);
  } else {
    EXPECT_THAT(std::string(server.status().message()),
                AllOf(HasSubstr("admin.listen"), HasSubstr("; hint: ")));
  }
}

TEST_F(AdminServerTest, LeavesTheSignalsOfAStopAlone) {
  auto server = MustStart();
  EXPECT_EQ(Get(server->port(), "/").status, 200);
  for (int signal : {SIGTERM, SIGINT, SIGHUP}) {
    struct sigaction action = {};
    ASSERT_EQ(::sigaction(signal, nullptr, &action), 0);
    EXPECT_EQ(action.sa_handler, SIG_DFL) << signal;
  }
}

TEST_F(AdminServerTest, RunsBesideAnother) {
  auto one = MustStart();
  auto other = MustStart();
  EXPECT_NE(one->port(), other->port());
  one.reset();
  EXPECT_EQ(Get(other->port(), "/").status, 200);
}

}  // namespace
}  // namespace walpost::observability
