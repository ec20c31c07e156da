#ifndef WALPOST_TESTS_UNIT_KAFKA_FAKES_H_
#define WALPOST_TESTS_UNIT_KAFKA_FAKES_H_

#include <absl/status/status.h>
#include <absl/time/time.h>

#include <atomic>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/mutex.h"
#include "walpost/event_sink.h"
#include "walpost/logger.h"
#include "walpost/stop_signal.h"

namespace walpost::kafka {

// A clock that moves when it is told to.
class ManualClock final : public Clock {
 public:
  absl::Time Now() const override { return absl::UnixEpoch() + now_; }
  absl::Duration Monotonic() const override { return now_; }

  void Advance(absl::Duration by) { now_ += by; }

 private:
  absl::Duration now_ = absl::Hours(1);
};

// Keeps what was logged, a string for each line: `level message key=value ...`.
class RecordingLogger final : public Logger {
 public:
  void Log(LogLevel level, std::string_view message, std::span<const LogField> fields) override {
    std::string line = std::string(Name(level)) + " " + std::string(message);
    for (const LogField& field : fields) {
      line += " " + std::string(field.key) + "=" + Text(field);
    }
    MutexLock lock(mutex_);
    lines_.push_back(std::move(line));
  }

  std::vector<std::string> lines() const {
    MutexLock lock(mutex_);
    return lines_;
  }

  std::size_t CountContaining(std::string_view text) const {
    std::size_t count = 0;
    for (const std::string& line : lines()) count += line.find(text) != std::string::npos;
    return count;
  }

 private:
  static std::string_view Name(LogLevel level) {
    constexpr std::string_view kNames[] = {"debug", "info", "warn", "error"};
    return kNames[static_cast<int>(level)];
  }
  static std::string Text(const LogField& field) {
    if (const auto* text = std::get_if<std::string>(&field.value)) return *text;
    if (const auto* number = std::get_if<std::int64_t>(&field.value)) {
      return std::to_string(*number);
    }
    if (const auto* real = std::get_if<double>(&field.value)) return std::to_string(*real);
    return std::get<bool>(field.value) ? "true" : "false";
  }

  mutable Mutex mutex_;
  std::vector<std::string> lines_ ABSL_GUARDED_BY(mutex_);
};

// Requested from any thread.
class FakeStop final : public StopSignal {
 public:
  bool requested() const override { return requested_.load(); }
  int fd() const override { return -1; }

  void Request() { requested_.store(true); }

 private:
  std::atomic<bool> requested_{false};
};

// Keeps what a sink reports, in its order.
class RecordingListener final : public DeliveryListener {
 public:
  struct Delivered {
    EventTicket ticket;
    std::size_t cost;
    bool operator==(const Delivered&) const = default;
  };
  struct Failed {
    EventTicket ticket;
    std::size_t cost;
    absl::Status reason;
  };

  void OnDelivered(EventTicket ticket, std::size_t cost) override {
    delivered.push_back({ticket, cost});
  }
  void OnFailed(EventTicket ticket, std::size_t cost, const absl::Status& reason) override {
    failed.push_back({ticket, cost, reason});
  }

  std::size_t reports() const { return delivered.size() + failed.size(); }

  std::vector<Delivered> delivered;
  std::vector<Failed> failed;
};

}  // namespace walpost::kafka

#endif  // WALPOST_TESTS_UNIT_KAFKA_FAKES_H_
