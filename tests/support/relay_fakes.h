#ifndef WALPOST_SUPPORT_RELAY_FAKES_H_
#define WALPOST_SUPPORT_RELAY_FAKES_H_

#include <absl/status/status.h>
#include <absl/status/statusor.h>
#include <absl/time/time.h>

#include <algorithm>
#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "base/clock.h"
#include "relay/waiter.h"
#include "walpost/event_sink.h"
#include "walpost/logger.h"
#include "walpost/replication_stream.h"
#include "walpost/stop_signal.h"

// What a relay works with, with verbs: time that passes when told to, a server that says what it is
// told to say, a broker that can be made to hold, deliver and fail.
namespace walpost::test {

class ManualClock final : public Clock {
 public:
  absl::Time Now() const override { return absl::FromUnixSeconds(1'700'000'000) + elapsed_; }
  absl::Duration Monotonic() const override { return elapsed_; }
  void Advance(absl::Duration by) { elapsed_ += by; }

 private:
  absl::Duration elapsed_ = absl::Seconds(1000);
};

class ManualStop final : public StopSignal {
 public:
  bool requested() const override { return requested_; }
  int fd() const override { return -1; }
  void Request() { requested_ = true; }

 private:
  bool requested_ = false;
};

class KeptLog final : public Logger {
 public:
  void Log(LogLevel level, std::string_view message, std::span<const LogField>) override {
    lines_.emplace_back(level, std::string(message));
  }
  int Count(std::string_view message) const {
    int n = 0;
    for (const auto& line : lines_) n += line.second.find(message) != std::string::npos ? 1 : 0;
    return n;
  }

 private:
  std::vector<std::pair<LogLevel, std::string>> lines_;
};

// What one stream says and is told. Shared with the test, since the relay throws its stream away.
struct StreamScript {
  StreamInfo info{.system_id = "7000",
                  .timeline = 1,
                  .server_version = 150000,
                  .confirmed_flush = Lsn(10),
                  .wal_sender_timeout = absl::Seconds(60)};
  std::deque<std::string> frames;
  absl::Status end;  // once the frames are over, if not OK
  int frames_read = 0;
  std::vector<StandbyStatus> statuses;
  bool unsent = false;  // a status that the socket did not take
  bool finished = false;
  bool closed = false;

  void Say(std::string frame) { frames.push_back(std::move(frame)); }
  Lsn flushed() const {
    Lsn highest;
    for (const StandbyStatus& status : statuses) highest = std::max(highest, status.flush);
    return highest;
  }
};

class FakeStream final : public ReplicationStream {
 public:
  explicit FakeStream(std::shared_ptr<StreamScript> script) : script_(std::move(script)) {}
  ~FakeStream() override { script_->closed = true; }

  const StreamInfo& info() const override { return script_->info; }
  absl::StatusOr<std::string_view> Read() override {
    if (script_->frames.empty()) {
      if (!script_->end.ok()) return script_->end;
      return std::string_view();
    }
    current_ = std::move(script_->frames.front());
    script_->frames.pop_front();
    ++script_->frames_read;
    return std::string_view(current_);
  }
  absl::Status SendStatus(const StandbyStatus& status) override {
    script_->statuses.push_back(status);
    return absl::OkStatus();
  }
  absl::Status Flush() override { return absl::OkStatus(); }
  bool wants_write() const override { return script_->unsent; }
  int fd() const override { return 5; }
  absl::Status Finish(absl::Duration) override {
    script_->finished = true;
    return absl::OkStatus();
  }

 private:
  std::shared_ptr<StreamScript> script_;
  std::string current_;
};

class FakeSource final : public ReplicationSource {
 public:
  absl::StatusOr<std::unique_ptr<ReplicationStream>> Open(const StopSignal& stop) override {
    if (stop.requested()) return absl::CancelledError("stop");
    ++opened_;
    if (outcomes_.empty()) return otherwise_;
    auto outcome = std::move(outcomes_.front());
    outcomes_.pop_front();
    if (!outcome.ok()) return outcome.status();
    return std::make_unique<FakeStream>(*outcome);
  }
  bool ServerIsStopping(const StopSignal&) override { return stopping_; }

  void StopServer() { stopping_ = true; }
  // The next call to Open() gives this stream, or fails like this.
  std::shared_ptr<StreamScript> AddStream() {
    auto script = std::make_shared<StreamScript>();
    outcomes_.emplace_back(script);
    return script;
  }
  void FailNext(absl::Status status) { outcomes_.emplace_back(std::move(status)); }
  void FailFromThenOn(absl::Status status) { otherwise_ = std::move(status); }
  int opened() const { return opened_; }

 private:
  std::deque<absl::StatusOr<std::shared_ptr<StreamScript>>> outcomes_;
  absl::Status otherwise_ = absl::UnavailableError("no further stream");
  int opened_ = 0;
  bool stopping_ = false;
};

class FakeSink final : public EventSink {
 public:
  struct Published {
    std::string topic;
    std::optional<std::string> key;
    std::optional<std::string> value;
    EventTicket ticket;
  };
  static constexpr std::size_t kCost = 100;

  absl::StatusOr<std::size_t> Publish(const OutboxEvent& event, EventTicket ticket) override {
    if (!refusal_.ok()) return std::exchange(refusal_, absl::OkStatus());
    if (waiting_.size() >= room_) return absl::ResourceExhaustedError("full");
    Published copy{std::string(event.topic), std::nullopt, std::nullopt, ticket};
    if (event.key) copy.key = std::string(*event.key);
    if (event.value) copy.value = std::string(*event.value);
    published_.push_back(copy);
    waiting_.push_back(ticket);
    return kCost;
  }
  absl::Status PollDeliveries(DeliveryListener& listener) override {
    if (!lost_.ok()) return lost_;
    while (!held_ && !waiting_.empty()) Report(listener, 0);
    while (release_ > 0 && !waiting_.empty()) {
      --release_;
      Report(listener, 0);
    }
    while (release_last_ > 0 && !waiting_.empty()) {
      --release_last_;
      Report(listener, waiting_.size() - 1);
    }
    return absl::OkStatus();
  }
  int event_fd() const override { return 6; }
  absl::Status Restart() override {
    ++restarts_;
    lost_ = absl::OkStatus();
    waiting_.clear();
    return absl::OkStatus();
  }

  // Keeps every report back, or lets them all come.
  void Hold() { held_ = true; }
  void ReleaseAll() { held_ = false; }
  // Reports the oldest, or the youngest, that is held.
  void Release(int n) { release_ += n; }
  void ReleaseYoungest(int n) { release_last_ += n; }
  // The next event that is reported has failed like this.
  void FailNextDelivery(absl::Status status) { failure_ = std::move(status); }
  void RefuseNext(absl::Status status) { refusal_ = std::move(status); }
  void LoseProducer() { lost_ = absl::UnavailableError("fatal"); }
  void SetRoom(std::size_t events) { room_ = events; }

  const std::vector<Published>& published() const { return published_; }
  int restarts() const { return restarts_; }

 private:
  void Report(DeliveryListener& listener, std::size_t index) {
    const EventTicket ticket = waiting_[index];
    waiting_.erase(waiting_.begin() + static_cast<std::ptrdiff_t>(index));
    if (!failure_.ok()) {
      listener.OnFailed(ticket, kCost, std::exchange(failure_, absl::OkStatus()));
    } else {
      listener.OnDelivered(ticket, kCost);
    }
  }

  std::vector<Published> published_;
  std::deque<EventTicket> waiting_;
  bool held_ = false;
  int release_ = 0;
  int release_last_ = 0;
  std::size_t room_ = 1'000'000;
  absl::Status failure_;
  absl::Status refusal_;
  absl::Status lost_;
  int restarts_ = 0;
};

// Each time the relay would sleep, the next step of the scenario happens; when there is none left,
// a stop is requested. Time passes only in PassTime(), in the portions for which the relay sleeps.
class ScenarioWaiter final : public Waiter {
 public:
  ScenarioWaiter(ManualClock& clock, ManualStop& stop) : clock_(clock), stop_(stop) {}

  void Then(std::function<void()> step) { steps_.emplace_back(std::move(step)); }
  void PassTime(absl::Duration duration) { steps_.emplace_back(duration); }

  void Wait(const WaitRequest& request) override {
    last_request_ = request;
    ++waits_;
    if (steps_.empty()) {
      // What the relay does after the stop may take time too.
      if (stop_.requested()) clock_.Advance(std::min(request.timeout, absl::Seconds(1)));
      stop_.Request();
      return;
    }
    if (auto* step = std::get_if<std::function<void()>>(&steps_.front())) {
      auto run = std::move(*step);
      steps_.pop_front();
      run();
      return;
    }
    auto& left = std::get<absl::Duration>(steps_.front());
    // Never zero, as a real sleep is not.
    const absl::Duration slept = std::max(std::min(left, request.timeout), absl::Microseconds(1));
    clock_.Advance(slept);
    left -= slept;
    if (left <= absl::ZeroDuration()) steps_.pop_front();
  }

  const WaitRequest& last_request() const { return last_request_; }
  int waits() const { return waits_; }

 private:
  ManualClock& clock_;
  ManualStop& stop_;
  std::deque<std::variant<std::function<void()>, absl::Duration>> steps_;
  WaitRequest last_request_;
  int waits_ = 0;
};

}  // namespace walpost::test

#endif  // WALPOST_SUPPORT_RELAY_FAKES_H_
