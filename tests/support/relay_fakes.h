#ifndef WALPOST_SUPPORT_RELAY_FAKES_H_
#define WALPOST_SUPPORT_RELAY_FAKES_H_

#include <absl/status/status.h>
#include <absl/status/statusor.h>
#include <absl/time/time.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "base/clock.h"
#include "core/outbox_settings.h"
#include "relay/waiter.h"
#include "support/fake_sink.h"
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
  struct Line {
    LogLevel level;
    std::string message;
    std::map<std::string, std::string> fields;  // as text
  };

  void Log(LogLevel level, std::string_view message, std::span<const LogField> fields) override {
    Line line{level, std::string(message), {}};
    for (const LogField& field : fields) {
      const auto* text = std::get_if<std::string>(&field.value);
      line.fields[std::string(field.key)] =
          text != nullptr
              ? *text
              : std::visit([](const auto& value) { return testing::PrintToString(value); },
                           field.value);
    }
    lines_.push_back(std::move(line));
  }
  // Lines with this in their message.
  int Count(std::string_view message) const {
    int n = 0;
    for (const Line& line : lines_) n += line.message.find(message) != std::string::npos ? 1 : 0;
    return n;
  }
  // The first such line; an empty one when there is none.
  Line Find(std::string_view message) const {
    for (const Line& line : lines_) {
      if (line.message.find(message) != std::string::npos) return line;
    }
    return {};
  }

 private:
  std::vector<Line> lines_;
};

// What one stream says and is told. Shared with the test, since the relay throws its stream away.
struct StreamScript {
  StreamInfo info{.system_id = "7000",
                  .timeline = 1,
                  .server_version = 150000,
                  .wal_end = Lsn(1'000'000),
                  .confirmed_flush = Lsn(10),
                  .wal_sender_timeout = absl::Seconds(60)};
  std::deque<std::string> frames;
  absl::Status end;  // once the frames are over, if not OK
  int frames_read = 0;
  std::vector<StandbyStatus> statuses;
  bool unsent = false;  // a status that the socket did not take
  bool ended = false;   // `end` was told
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
      script_->ended = script_->ended || !script_->end.ok();
      if (script_->ended) return script_->end;
      return std::string_view();
    }
    current_ = std::move(script_->frames.front());
    script_->frames.pop_front();
    ++script_->frames_read;
    return std::string_view(current_);
  }
  absl::Status SendStatus(const StandbyStatus& status) override {
    if (script_->ended) return script_->end;
    script_->statuses.push_back(status);
    return absl::OkStatus();
  }
  absl::Status Flush() override { return absl::OkStatus(); }
  bool wants_write() const override { return script_->unsent; }
  int fd() const override { return 5; }
  absl::Status Finish(absl::Duration) override {
    if (script_->ended) return script_->end;
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
  absl::StatusOr<std::optional<CatalogTable>> LookUp(std::uint32_t relation_id,
                                                     const StopSignal& stop) override {
    ++look_ups_;
    if (auto during = std::exchange(during_look_up_, nullptr)) during();
    if (stop.requested()) return absl::CancelledError("stop");
    if (!look_up_failure_.ok()) return std::exchange(look_up_failure_, absl::OkStatus());
    const auto table = catalog_.find(relation_id);
    if (table == catalog_.end()) return std::nullopt;
    return table->second;
  }

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
  // What the catalogs say of a table; nothing of any other.
  void Describe(std::uint32_t relation_id, CatalogTable table) {
    catalog_[relation_id] = std::move(table);
  }
  void FailNextLookUp(absl::Status status) { look_up_failure_ = std::move(status); }
  // Happens while the next answer is waited for.
  void DuringNextLookUp(std::function<void()> step) { during_look_up_ = std::move(step); }
  int look_ups() const { return look_ups_; }

 private:
  std::map<std::uint32_t, CatalogTable> catalog_;
  absl::Status look_up_failure_;
  std::function<void()> during_look_up_;
  int look_ups_ = 0;
  std::deque<absl::StatusOr<std::shared_ptr<StreamScript>>> outcomes_;
  absl::Status otherwise_ = absl::UnavailableError("no further stream");
  int opened_ = 0;
  bool stopping_ = false;
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
