#ifndef WALPOST_BASE_MUTEX_H_
#define WALPOST_BASE_MUTEX_H_

#include <absl/base/thread_annotations.h>

#include <mutex>

namespace walpost {

// std::mutex with clang's thread-safety annotations. absl::Mutex would serve, but ThreadSanitizer
// reports races in the packaged one that are none.
class ABSL_LOCKABLE Mutex {
 public:
  void Lock() ABSL_EXCLUSIVE_LOCK_FUNCTION() { mutex_.lock(); }
  void Unlock() ABSL_UNLOCK_FUNCTION() { mutex_.unlock(); }

 private:
  std::mutex mutex_;
};

class ABSL_SCOPED_LOCKABLE MutexLock {
 public:
  explicit MutexLock(Mutex& mutex) ABSL_EXCLUSIVE_LOCK_FUNCTION(mutex) : mutex_(mutex) {
    mutex_.Lock();
  }
  ~MutexLock() ABSL_UNLOCK_FUNCTION() { mutex_.Unlock(); }
  MutexLock(const MutexLock&) = delete;
  MutexLock& operator=(const MutexLock&) = delete;

 private:
  Mutex& mutex_;
};

}  // namespace walpost

#endif  // WALPOST_BASE_MUTEX_H_
