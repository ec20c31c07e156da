#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

#include "ack/ack_tracker.h"

namespace walpost::ack {
namespace {

// What the tracker promises, said as plainly as possible: every position of the stream in order,
// with the events that it waits for; the confirmable one is the last of the longest prefix in which
// nothing is awaited.
class PlainModel {
 public:
  explicit PlainModel(Lsn start) : start_(start) {}

  void Begin() { positions_.push_back({Lsn(), 0, false}); }
  std::size_t AddEvent() {
    ++positions_.back().awaited;
    return positions_.size() - 1;
  }
  void UndoAddEvent() { --positions_.back().awaited; }
  void Commit(Lsn end) {
    positions_.back().lsn = end;
    positions_.back().closed = true;
  }
  void Advance(Lsn position) {
    if (positions_.empty() || positions_.back().closed) positions_.push_back({position, 0, true});
  }
  void Ack(std::size_t position) { --positions_[position].awaited; }

  Lsn confirmable() const {
    Lsn highest = start_;
    for (const Position& position : positions_) {
      if (!position.closed || position.awaited > 0) break;
      highest = std::max(highest, position.lsn);
    }
    return highest;
  }
  std::size_t unacked() const {
    std::size_t sum = 0;
    for (const Position& position : positions_) sum += static_cast<std::size_t>(position.awaited);
    return sum;
  }

 private:
  struct Position {
    Lsn lsn;
    int awaited;
    bool closed;
  };
  Lsn start_;
  std::vector<Position> positions_;
};

// One random history: transactions, keepalives, acks in any order, events taken back, streams that
// begin anew.
class History {
 public:
  explicit History(std::uint64_t seed) : random_(seed) {}

  void Run(int steps) {
    for (int i = 0; i < steps && !testing::Test::HasFatalFailure(); ++i) {
      Step();
      Check();
    }
  }

 private:
  struct InFlight {
    EventTicket ticket;
    std::size_t position;
  };

  int Pick(int n) { return static_cast<int>(random_() % static_cast<std::uint64_t>(n)); }

  void Step() {
    switch (Pick(12)) {
      case 0:
      case 1:
      case 2:
        return open_ ? AddEvent() : Begin();
      case 3:
      case 4:
        return open_ ? Commit() : Begin();
      case 5:
        return Keepalive();
      case 6:
        if (open_) TryEventWithoutRoom();
        return;
      case 7:
        if (Pick(40) == 0) Reconnect();
        return;
      default:
        if (!in_flight_.empty()) AckAny();
    }
  }

  void Begin() {
    ASSERT_TRUE(tracker_.Begin(0, Lsn()).ok());
    model_.Begin();
    open_ = true;
  }
  void AddEvent() {
    const auto ticket = tracker_.AddEvent();
    ASSERT_TRUE(ticket.ok());
    in_flight_.push_back({*ticket, model_.AddEvent()});
  }
  void TryEventWithoutRoom() {
    ASSERT_TRUE(tracker_.AddEvent().ok());
    tracker_.UndoAddEvent();
    model_.AddEvent();
    model_.UndoAddEvent();
  }
  void Commit() {
    lsn_ += static_cast<std::uint64_t>(1 + Pick(100));
    ASSERT_TRUE(tracker_.Commit(Lsn(lsn_)).ok());
    model_.Commit(Lsn(lsn_));
    open_ = false;
  }
  void Keepalive() {
    lsn_ += static_cast<std::uint64_t>(Pick(100));
    tracker_.Advance(Lsn(lsn_));
    model_.Advance(Lsn(lsn_));
  }
  void AckAny() {
    const auto chosen = in_flight_.begin() + Pick(static_cast<int>(in_flight_.size()));
    ASSERT_TRUE(tracker_.IsCurrent(chosen->ticket));
    ASSERT_TRUE(tracker_.Ack(chosen->ticket).ok());
    model_.Ack(chosen->position);
    in_flight_.erase(chosen);
  }
  void Reconnect() {
    const Lsn start = tracker_.confirmable();
    tracker_.Reset(start);
    model_ = PlainModel(start);
    for (const InFlight& old : in_flight_) ASSERT_FALSE(tracker_.IsCurrent(old.ticket));
    in_flight_.clear();
    open_ = false;
  }
  void Check() {
    ASSERT_EQ(tracker_.confirmable(), model_.confirmable());
    ASSERT_EQ(tracker_.unacked(), model_.unacked());
    ASSERT_EQ(tracker_.transaction_open(), open_);
    ASSERT_GE(tracker_.confirmable(), last_);
    last_ = tracker_.confirmable();
  }

  std::mt19937_64 random_;
  AckTracker tracker_;
  PlainModel model_{Lsn()};
  std::vector<InFlight> in_flight_;
  std::uint64_t lsn_ = 0;
  bool open_ = false;
  Lsn last_;
};

TEST(AckTrackerProperty, AgreesWithAPlainModelOverRandomHistories) {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    SCOPED_TRACE(seed);
    History(seed).Run(600);
    if (testing::Test::HasFatalFailure()) return;
  }
}

}  // namespace
}  // namespace walpost::ack
