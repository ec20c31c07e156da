#include "relay/failure_log.h"

#include <gtest/gtest.h>

#include "support/relay_fakes.h"

namespace walpost {
namespace {

class FailureLogTest : public testing::Test {
 protected:
  test::ManualClock clock_;
  test::KeptLog log_;
  FailureLog failures_{"postgres", log_, clock_};
};

TEST_F(FailureLogTest, SaysTheFirstAndThenCountsAtIntervals) {
  for (int i = 0; i < 100; ++i) {
    failures_.Failed("refused");
    clock_.Advance(absl::Seconds(10));
  }
  EXPECT_EQ(log_.Count("lost; trying"), 1);
  EXPECT_EQ(log_.Count("still lost"), 16);
}

TEST_F(FailureLogTest, ANewReasonIsSaidAtOnce) {
  failures_.Failed("refused");
  failures_.Failed("no route");
  EXPECT_EQ(log_.Count("lost; trying"), 2);
}

TEST_F(FailureLogTest, SaysThatItIsOverOnlyWhenSomethingWas) {
  failures_.Recovered();
  EXPECT_EQ(log_.Count("back"), 0);
  failures_.Failed("refused");
  failures_.Recovered();
  failures_.Recovered();
  EXPECT_EQ(log_.Count("back"), 2);
}

}  // namespace
}  // namespace walpost
