#include "base/mutex.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace walpost {
namespace {

class Tally {
 public:
  void Add() {
    MutexLock lock(mutex_);
    ++count_;
  }
  int count() {
    MutexLock lock(mutex_);
    return count_;
  }

 private:
  Mutex mutex_;
  int count_ ABSL_GUARDED_BY(mutex_) = 0;
};

TEST(Mutex, LetsOneThreadInAtATime) {
  Tally tally;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&tally] {
      for (int i = 0; i < 5'000; ++i) tally.Add();
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(tally.count(), 20'000);
}

TEST(MutexLock, LetsGoAtTheEndOfItsScope) {
  Mutex mutex;
  { MutexLock lock(mutex); }
  MutexLock again(mutex);
}

}  // namespace
}  // namespace walpost
