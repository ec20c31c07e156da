#include "observability/listen_address.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netinet/in.h>

#include <cerrno>
#include <string>
#include <string_view>
#include <utility>

namespace walpost::observability {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

std::string Canonical(std::string_view text) {
  auto address = ListenAddress::Parse(text);
  return address.ok() ? address->ToString() : std::string(address.status().message());
}

TEST(ListenAddress, ReadsHostAndPort) {
  EXPECT_EQ(Canonical("127.0.0.1:9464"), "127.0.0.1:9464");
  EXPECT_EQ(Canonical("0.0.0.0:0"), "0.0.0.0:0");
  EXPECT_EQ(Canonical("127.0.0.1:65535"), "127.0.0.1:65535");
}

TEST(ListenAddress, ReadsAnIpv6AddressInBrackets) {
  EXPECT_EQ(Canonical("[::1]:9464"), "[::1]:9464");
  EXPECT_EQ(Canonical("[::]:80"), "[::]:80");
  EXPECT_TRUE(ListenAddress::Parse("[::1]:9464")->is_ipv6());
}

TEST(ListenAddress, ResolvesANameAndPrefersIpv4) {
  EXPECT_EQ(Canonical("localhost:9464"), "127.0.0.1:9464");
}

TEST(ListenAddress, RejectsWhatIsNotHostAndPort) {
  for (std::string_view text : {"",
                                ":",
                                "9464",
                                "127.0.0.1",
                                "127.0.0.1:",
                                ":9464",
                                "127.0.0.1:65536",
                                "127.0.0.1:-1",
                                "127.0.0.1:+1",
                                "127.0.0.1: 1",
                                "127.0.0.1:80s",
                                "127.0.0.1:99999999999",
                                "::1:9464",
                                "[::1]",
                                "[::1]9464",
                                "[]:9464",
                                "[127.0.0.1:9464",
                                "127.0.0.1]:9464",
                                "a b:9464",
                                "127.0.0.1:80,127.0.0.1:81",
                                "http://127.0.0.1:9464"}) {
    absl::Status status = ListenAddress::Parse(text).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << "'" << text << "'";
    EXPECT_THAT(std::string(status.message()),
                AllOf(HasSubstr("admin.listen (--admin-listen) '" + std::string(text) + "'"),
                      HasSubstr("; hint: ")));
  }
}

TEST(ListenAddress, TakesAnotherPort) {
  EXPECT_EQ(ListenAddress::Parse("127.0.0.1:0")->WithPort(8080).ToString(), "127.0.0.1:8080");
  EXPECT_EQ(ListenAddress::Parse("[::1]:0")->WithPort(8080).ToString(), "[::1]:8080");
}

TEST(BindError, NamesTheSettingTheReasonAndAWayOut) {
  for (auto [error, code] : {std::pair(EADDRINUSE, absl::StatusCode::kFailedPrecondition),
                             std::pair(EACCES, absl::StatusCode::kFailedPrecondition),
                             std::pair(EMFILE, absl::StatusCode::kFailedPrecondition),
                             std::pair(EADDRNOTAVAIL, absl::StatusCode::kInvalidArgument)}) {
    absl::Status status = BindError("127.0.0.1:80", error);
    EXPECT_EQ(status.code(), code) << error;
    EXPECT_THAT(
        std::string(status.message()),
        AllOf(HasSubstr("admin.listen (--admin-listen) '127.0.0.1:80'"), HasSubstr("; hint: ")));
  }
  EXPECT_THAT(std::string(BindError("127.0.0.1:80", EACCES).message()),
              HasSubstr("Permission denied"));
}

}  // namespace
}  // namespace walpost::observability
