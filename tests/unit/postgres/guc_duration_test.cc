#include "postgres/guc_duration.h"

#include <gtest/gtest.h>

namespace walpost::postgres {
namespace {

TEST(GucDuration, ReadsEveryUnitOfTheServer) {
  EXPECT_EQ(*ParseGucDuration("0"), absl::ZeroDuration());
  EXPECT_EQ(*ParseGucDuration("250"), absl::Milliseconds(250));
  EXPECT_EQ(*ParseGucDuration("500ms"), absl::Milliseconds(500));
  EXPECT_EQ(*ParseGucDuration("30s"), absl::Seconds(30));
  EXPECT_EQ(*ParseGucDuration("1min"), absl::Minutes(1));
  EXPECT_EQ(*ParseGucDuration("2h"), absl::Hours(2));
  EXPECT_EQ(*ParseGucDuration("3d"), absl::Hours(72));
}

TEST(GucDuration, RefusesWhatTheServerNeverPrints) {
  for (std::string_view text : {"", "s", "-1", "1 min", "1m", "1.5s", "99999999999999999999ms"}) {
    EXPECT_EQ(ParseGucDuration(text).status().code(), absl::StatusCode::kInternal) << text;
  }
}

}  // namespace
}  // namespace walpost::postgres
