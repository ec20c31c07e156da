// ThreadSanitizer knows pthread_create, pthread_mutex_lock and the like, but not the C11 names for
// the same things, through which the packaged librdkafka uses them: a thread that it does not know
// crashes in the first intercepted call, and locks that it does not see look like races. So the
// test's binary brings the C11 names itself, ahead of libc's, on top of the POSIX ones. glibc
// implements both on the same objects, so the sizes agree.
#if defined(__SANITIZE_THREAD__)
#define WALPOST_TSAN 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define WALPOST_TSAN 1
#endif
#endif

#ifdef WALPOST_TSAN

#include <pthread.h>
#include <threads.h>

#include <cerrno>
#include <cstdint>
#include <memory>

namespace {

struct Start {
  thrd_start_t function;
  void* argument;
};

void* Run(void* opaque) {
  const std::unique_ptr<Start> start(static_cast<Start*>(opaque));
  return reinterpret_cast<void*>(static_cast<std::intptr_t>(start->function(start->argument)));
}

int ToC11(int error) {
  if (error == 0) return thrd_success;
  if (error == ETIMEDOUT) return thrd_timedout;
  if (error == EBUSY) return thrd_busy;
  return thrd_error;
}

pthread_mutex_t* Posix(mtx_t* mutex) { return reinterpret_cast<pthread_mutex_t*>(mutex); }
pthread_cond_t* Posix(cnd_t* condition) { return reinterpret_cast<pthread_cond_t*>(condition); }

static_assert(sizeof(mtx_t) == sizeof(pthread_mutex_t));
static_assert(sizeof(cnd_t) == sizeof(pthread_cond_t));

}  // namespace

extern "C" {

int thrd_create(thrd_t* thread, thrd_start_t function, void* argument) {
  auto start = std::make_unique<Start>(Start{function, argument});
  const int error = pthread_create(thread, nullptr, Run, start.get());
  if (error == 0) static_cast<void>(start.release());
  return ToC11(error);
}

int thrd_join(thrd_t thread, int* result) {
  void* returned = nullptr;
  const int error = pthread_join(thread, &returned);
  if (result != nullptr) *result = static_cast<int>(reinterpret_cast<std::intptr_t>(returned));
  return ToC11(error);
}

int mtx_init(mtx_t* mutex, int type) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  if ((type & mtx_recursive) != 0) pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
  const int error = pthread_mutex_init(Posix(mutex), &attributes);
  pthread_mutexattr_destroy(&attributes);
  return ToC11(error);
}

int mtx_lock(mtx_t* mutex) { return ToC11(pthread_mutex_lock(Posix(mutex))); }
int mtx_trylock(mtx_t* mutex) { return ToC11(pthread_mutex_trylock(Posix(mutex))); }
int mtx_unlock(mtx_t* mutex) { return ToC11(pthread_mutex_unlock(Posix(mutex))); }
void mtx_destroy(mtx_t* mutex) { pthread_mutex_destroy(Posix(mutex)); }

int cnd_init(cnd_t* condition) { return ToC11(pthread_cond_init(Posix(condition), nullptr)); }
int cnd_signal(cnd_t* condition) { return ToC11(pthread_cond_signal(Posix(condition))); }
int cnd_broadcast(cnd_t* condition) { return ToC11(pthread_cond_broadcast(Posix(condition))); }
int cnd_wait(cnd_t* condition, mtx_t* mutex) {
  return ToC11(pthread_cond_wait(Posix(condition), Posix(mutex)));
}
int cnd_timedwait(cnd_t* __restrict condition, mtx_t* __restrict mutex,
                  const struct timespec* __restrict until) {
  return ToC11(pthread_cond_timedwait(Posix(condition), Posix(mutex), until));
}
void cnd_destroy(cnd_t* condition) { pthread_cond_destroy(Posix(condition)); }

}  // extern "C"

#endif  // WALPOST_TSAN
