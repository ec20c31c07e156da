#include "core/poison.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace walpost {
namespace {

TEST(Poison, KeepsItsReason) {
  for (PoisonReason reason : kPoisonReasons) {
    const absl::Status error = PoisonError(reason, "why");
    EXPECT_TRUE(absl::IsInvalidArgument(error));
    EXPECT_EQ(PoisonReasonOf(error), reason);
  }
}

TEST(Poison, ReasonsHaveNamesOfTheirOwn) {
  std::set<std::string_view> names;
  for (PoisonReason reason : kPoisonReasons) names.insert(PoisonReasonName(reason));
  EXPECT_EQ(names.size(), kPoisonReasons.size());
}

TEST(Poison, WhoeverKnowsTheReasonFirstIsRight) {
  const absl::Status key = AsPoison(PoisonReason::kKey, absl::InvalidArgumentError("not JSON"));
  EXPECT_EQ(PoisonReasonOf(key), PoisonReason::kKey);
  EXPECT_EQ(key.message(), "key: not JSON");
  EXPECT_EQ(AsPoison(PoisonReason::kValue, key), key);
  EXPECT_EQ(PoisonReasonOf(AsPoison(PoisonReason::kValue, key)), PoisonReason::kKey);
  EXPECT_TRUE(AsPoison(PoisonReason::kKey, absl::OkStatus()).ok());
}

TEST(Poison, WhatIsNotAboutTheEventIsNone) {
  EXPECT_TRUE(absl::IsInternal(AsPoison(PoisonReason::kValue, absl::InternalError("a bug"))));
}

TEST(Poison, WithoutAReasonItIsARefusal) {
  EXPECT_EQ(PoisonReasonOf(absl::InvalidArgumentError("too large")), PoisonReason::kRefused);
}

}  // namespace
}  // namespace walpost
