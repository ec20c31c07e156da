#include "base/status_macros.h"

#include <absl/status/status.h>
#include <absl/status/statusor.h>
#include <gtest/gtest.h>

#include <memory>
#include <utility>

namespace walpost {
namespace {

absl::Status StepThen(const absl::Status& status, bool& went_on) {
  WALPOST_RETURN_IF_ERROR(status);
  went_on = true;
  return absl::OkStatus();
}

absl::StatusOr<int> Twice(absl::StatusOr<int> value) {
  WALPOST_ASSIGN_OR_RETURN(int number, std::move(value));
  return 2 * number;
}

absl::StatusOr<int> Unwrap(absl::StatusOr<std::unique_ptr<int>> value) {
  WALPOST_ASSIGN_OR_RETURN(std::unique_ptr<int> owned, std::move(value));
  return *owned;
}

TEST(ReturnIfError, GoesOnAfterOk) {
  bool went_on = false;
  EXPECT_TRUE(StepThen(absl::OkStatus(), went_on).ok());
  EXPECT_TRUE(went_on);
}

TEST(ReturnIfError, EndsTheFunctionWithTheError) {
  bool went_on = false;
  EXPECT_EQ(StepThen(absl::DataLossError("torn"), went_on), absl::DataLossError("torn"));
  EXPECT_FALSE(went_on);
}

TEST(AssignOrReturn, HandsOutTheValue) {
  EXPECT_EQ(Twice(21).value(), 42);
  EXPECT_EQ(Unwrap(std::make_unique<int>(7)).value(), 7) << "a value that can only be moved";
}

TEST(AssignOrReturn, EndsTheFunctionWithTheError) {
  EXPECT_EQ(Twice(absl::UnavailableError("gone")).status(), absl::UnavailableError("gone"));
}

}  // namespace
}  // namespace walpost
