#ifndef WALPOST_SUPPORT_FAKE_SINK_H_
#define WALPOST_SUPPORT_FAKE_SINK_H_

#include <absl/status/status.h>
#include <absl/status/statusor.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "walpost/event_sink.h"

namespace walpost::test {

// A broker that can be made to hold, deliver, fail and refuse.
class FakeSink final : public EventSink {
 public:
  struct Published {
    std::string topic;
    std::optional<std::string> key;
    std::optional<std::string> value;
    std::vector<std::pair<std::string, std::string>> headers;
    std::optional<std::int64_t> timestamp_ms;
    EventTicket ticket = 0;

    // "" without one.
    std::string Header(std::string_view name) const {
      for (const auto& header : headers) {
        if (header.first == name) return header.second;
      }
      return "";
    }
  };
  static constexpr std::size_t kCost = 100;

  absl::StatusOr<std::size_t> Publish(const OutboxEvent& event, EventTicket ticket) override {
    if (!lost_.ok()) return lost_;
    if (waiting_.size() >= room_) return absl::ResourceExhaustedError("full");
    if (!refusals_.empty()) {
      absl::Status refusal = std::move(refusals_.front());
      refusals_.pop_front();
      if (!refusal.ok()) return refusal;
    }
    published_.push_back(CopyOf(event, ticket));
    waiting_.push_back({ticket, std::string(event.topic)});
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
    waiting_.clear();
    const bool fails = failing_restarts_ > 0;
    if (fails) --failing_restarts_;
    lost_ = fails ? absl::UnavailableError("the producer cannot be made") : absl::OkStatus();
    return lost_;
  }

  // Keeps every report back, or lets them all come.
  void Hold() { held_ = true; }
  void ReleaseAll() { held_ = false; }
  // Reports the oldest, or the youngest, that is held.
  void Release(int n) { release_ += n; }
  void ReleaseYoungest(int n) { release_last_ += n; }
  // The next event that is reported has failed like this.
  void FailNextDelivery(absl::Status status) { failure_ = std::move(status); }
  // All events of this topic that are reported have failed like this.
  void FailDeliveriesTo(std::string topic, absl::Status status) {
    failing_topic_ = std::move(topic);
    topic_failure_ = std::move(status);
  }
  // What the next call to Publish() that finds room answers, and the one after it when called
  // again; OK takes it.
  void RefuseNext(absl::Status status) { refusals_.push_back(std::move(status)); }
  void LoseProducer() { lost_ = absl::UnavailableError("fatal"); }
  // The next calls to Restart() fail.
  void FailRestarts(int n) { failing_restarts_ = n; }
  void SetRoom(std::size_t events) { room_ = events; }

  const std::vector<Published>& published() const { return published_; }
  int restarts() const { return restarts_; }

 private:
  struct Waiting {
    EventTicket ticket = 0;
    std::string topic;
  };

  static Published CopyOf(const OutboxEvent& event, EventTicket ticket) {
    Published copy;
    copy.topic = event.topic;
    if (event.key) copy.key = *event.key;
    if (event.value) copy.value = *event.value;
    for (const EventHeader& header : event.headers) {
      copy.headers.emplace_back(header.name, header.value.value_or(""));
    }
    copy.timestamp_ms = event.timestamp_ms;
    copy.ticket = ticket;
    return copy;
  }

  void Report(DeliveryListener& listener, std::size_t index) {
    const Waiting event = waiting_[index];
    waiting_.erase(waiting_.begin() + static_cast<std::ptrdiff_t>(index));
    if (!failure_.ok()) {
      listener.OnFailed(event.ticket, kCost, std::exchange(failure_, absl::OkStatus()));
    } else if (event.topic == failing_topic_) {
      listener.OnFailed(event.ticket, kCost, topic_failure_);
    } else {
      listener.OnDelivered(event.ticket, kCost);
    }
  }

  std::vector<Published> published_;
  std::deque<Waiting> waiting_;
  bool held_ = false;
  int release_ = 0;
  int release_last_ = 0;
  std::size_t room_ = 1'000'000;
  absl::Status failure_;
  std::string failing_topic_;
  absl::Status topic_failure_;
  std::deque<absl::Status> refusals_;
  absl::Status lost_;
  int restarts_ = 0;
  int failing_restarts_ = 0;
};

}  // namespace walpost::test

#endif  // WALPOST_SUPPORT_FAKE_SINK_H_
