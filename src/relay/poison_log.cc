#include "relay/poison_log.h"

#include <absl/strings/str_cat.h>

#include "base/strings.h"
#include "core/poison.h"

namespace walpost {
namespace {

constexpr std::string_view kHintMark = "; hint: ";

struct Message {
  std::string_view text;
  std::string_view hint;  // empty without one
};

Message Split(std::string_view message) {
  const std::size_t mark = message.find(kHintMark);
  if (mark == std::string_view::npos) return {message, {}};
  return {message.substr(0, mark), message.substr(mark + kHintMark.size())};
}

std::string JoinHints(std::string_view first, std::string_view second) {
  if (first.empty()) return std::string(second);
  // The same, when a row and its dead letter are refused for one reason.
  if (first.find(second) != std::string_view::npos) return std::string(first);
  return absl::StrCat(ToAbsl(first), "; ", ToAbsl(second));
}

std::string WithHint(std::string text, std::string_view hint) {
  if (!hint.empty()) absl::StrAppend(&text, ToAbsl(kHintMark), ToAbsl(hint));
  return text;
}

}  // namespace

std::string JoinReasons(std::string_view first, std::string_view link, std::string_view second) {
  const Message one = Split(first);
  const Message two = Split(second);
  return WithHint(absl::StrCat(ToAbsl(one.text), "; ", ToAbsl(link), " ", ToAbsl(two.text)),
                  JoinHints(one.hint, two.hint));
}

std::string WithPosition(std::string_view message, Lsn position) {
  const Message parts = Split(message);
  return WithHint(absl::StrCat(ToAbsl(parts.text), " (LSN ", position.ToString(), ")"), parts.hint);
}

void PoisonLog::Handled(PoisonAction action, const absl::Status& poison, Lsn position) {
  const std::pair place{transaction_, ++event_};
  if (place <= counted_to_) return;  // the same one again
  counted_to_ = place;
  const PoisonReason reason = PoisonReasonOf(poison);
  metrics_.PoisonEvents(reason, action).Add(1);
  OfReason& same = reasons_[static_cast<std::size_t>(reason)];
  const absl::Duration now = clock_.Monotonic();
  if (same.events == 0 && now - same.last_line >= kInterval) {
    same.last_line = now;
    SayInFull(action, poison, position);
    return;
  }
  ++same.events;
  same.last = position;
  ++unsaid_;
}

void PoisonLog::SayInFull(PoisonAction action, const absl::Status& poison, Lsn position) {
  const std::string text(poison.message());
  if (action == PoisonAction::kDeadLetter) {
    logger_.Warn(
        "a poison event goes to the dead-letter topic",
        {{"reason", text}, {"lsn", position.ToString()}, {"topic", options_.dead_letter_topic}});
  } else {
    logger_.Warn("a poison event was skipped", {{"reason", text}, {"lsn", position.ToString()}});
  }
}

void PoisonLog::SayCounts(absl::Duration silent_for) {
  const absl::Duration now = clock_.Monotonic();
  for (PoisonReason reason : kPoisonReasons) {
    OfReason& same = reasons_[static_cast<std::size_t>(reason)];
    if (same.events == 0 || now - same.last_line < silent_for) continue;
    logger_.Warn("further poison events", {{"action", PoisonActionName(options_.on_poison)},
                                           {"reason", PoisonReasonName(reason)},
                                           {"events", same.events},
                                           {"last_lsn", same.last.ToString()}});
    unsaid_ -= same.events;
    same.events = 0;
    same.last_line = now;
  }
}

absl::Status PoisonLog::Halted(const absl::Status& poison, Lsn position, std::string_view hint) {
  metrics_.PoisonEvents(PoisonReasonOf(poison), PoisonAction::kHalt).Add(1);
  const Message message = Split(ToStd(poison.message()));
  const std::string text =
      WithHint(absl::StrCat("poison event: ", ToAbsl(message.text)), JoinHints(message.hint, hint));
  return absl::DataLossError(position.is_zero() ? text : WithPosition(text, position));
}

}  // namespace walpost
