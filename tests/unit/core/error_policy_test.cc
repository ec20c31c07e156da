#include "core/error_policy.h"

#include <gtest/gtest.h>

#include <string_view>

namespace walpost {
namespace {

using Code = absl::StatusCode;

TEST(ErrorPolicy, TriesAgainOnlyWhereThatMayHelp) {
  for (Code code : {Code::kUnavailable, Code::kDeadlineExceeded, Code::kResourceExhausted,
                    Code::kAborted, Code::kUnauthenticated}) {
    EXPECT_TRUE(PolicyFor(code).retry) << absl::StatusCodeToString(code);
  }
}

TEST(ErrorPolicy, NeverTriesAgainAfterALossOrABug) {
  for (Code code : {Code::kDataLoss, Code::kInternal, Code::kInvalidArgument, Code::kNotFound,
                    Code::kFailedPrecondition, Code::kUnknown}) {
    EXPECT_FALSE(PolicyFor(code).retry) << absl::StatusCodeToString(code);
  }
}

TEST(ErrorPolicy, GivesTheExitCodesOfTheContract) {
  EXPECT_EQ(PolicyFor(Code::kOk).exit_code, 0);
  EXPECT_EQ(PolicyFor(Code::kCancelled).exit_code, 0);
  EXPECT_EQ(PolicyFor(Code::kUnavailable).exit_code, 1);
  EXPECT_EQ(PolicyFor(Code::kResourceExhausted).exit_code, 1);
  EXPECT_EQ(PolicyFor(Code::kInvalidArgument).exit_code, 2);
  EXPECT_EQ(PolicyFor(Code::kFailedPrecondition).exit_code, 3);
  EXPECT_EQ(PolicyFor(Code::kNotFound).exit_code, 3);
  EXPECT_EQ(PolicyFor(Code::kUnauthenticated).exit_code, 3);
  EXPECT_EQ(PolicyFor(Code::kDataLoss).exit_code, 4);
  EXPECT_EQ(PolicyFor(Code::kInternal).exit_code, 70);
}

TEST(ErrorPolicy, TakesACodeThatNoEdgeHandsOutForABug) {
  for (Code code : {Code::kUnknown, Code::kAlreadyExists, Code::kPermissionDenied,
                    Code::kOutOfRange, Code::kUnimplemented}) {
    EXPECT_EQ(PolicyFor(code).exit_code, kExitBug) << absl::StatusCodeToString(code);
    EXPECT_EQ(PolicyFor(code).label, "bug");
  }
}

TEST(ErrorPolicy, LabelsEveryCodeWithAMetricLabel) {
  for (int code = 0; code <= static_cast<int>(Code::kUnauthenticated); ++code) {
    std::string_view label = PolicyFor(static_cast<Code>(code)).label;
    EXPECT_FALSE(label.empty()) << code;
    EXPECT_EQ(label.find_first_not_of("abcdefghijklmnopqrstuvwxyz_"), std::string_view::npos);
  }
}

}  // namespace
}  // namespace walpost
