#include "base/unique_fd.h"

#include <fcntl.h>
#include <gtest/gtest.h>

#include <type_traits>
#include <utility>

namespace walpost {
namespace {

int OpenSomething() { return ::open("/dev/null", O_RDONLY | O_CLOEXEC); }

bool IsOpen(int fd) { return ::fcntl(fd, F_GETFD) != -1; }

TEST(UniqueFd, ClosesWhatItOwns) {
  int raw = OpenSomething();
  {
    UniqueFd fd(raw);
    EXPECT_EQ(fd.get(), raw);
    EXPECT_TRUE(IsOpen(raw));
  }
  EXPECT_FALSE(IsOpen(raw));
}

TEST(UniqueFd, OwnsNothingByDefault) { EXPECT_EQ(UniqueFd().get(), -1); }

TEST(UniqueFd, GivesUpWhatWasMovedOutOfIt) {
  int raw = OpenSomething();
  UniqueFd target;
  {
    UniqueFd source(raw);
    target = std::move(source);
    EXPECT_EQ(source.get(), -1);  // NOLINT(bugprone-use-after-move): the state is promised
  }
  EXPECT_TRUE(IsOpen(raw));
  UniqueFd last(std::move(target));
  EXPECT_EQ(last.get(), raw);
}

TEST(UniqueFd, ClosesWhatItHadWhenItIsAssignedAnother) {
  int first = OpenSomething();
  int second = OpenSomething();
  UniqueFd fd(first);
  fd = UniqueFd(second);
  EXPECT_FALSE(IsOpen(first));
  EXPECT_TRUE(IsOpen(second));
}

TEST(UniqueFd, SurvivesBeingAssignedToItself) {
  UniqueFd fd(OpenSomething());
  UniqueFd& alias = fd;
  fd = std::move(alias);
  EXPECT_TRUE(IsOpen(fd.get()));
}

TEST(UniqueFd, CannotBeCopied) {
  EXPECT_FALSE(std::is_copy_constructible_v<UniqueFd>);
  EXPECT_FALSE(std::is_copy_assignable_v<UniqueFd>);
}

}  // namespace
}  // namespace walpost
