#ifndef WALPOST_POISON_H_
#define WALPOST_POISON_H_

#include <array>
#include <string_view>

namespace walpost {

// What makes an event poison: it can never be published as it is.
enum class PoisonReason {
  kTopic,      // NULL, empty or illegal
  kKey,        // cannot be made from the row
  kValue,      // likewise
  kHeader,     // likewise
  kPartition,  // not a partition of the topic
  kTimestamp,  // not a time that Kafka takes
  kMessage,    // a logical decoding message that is not what it should be
  kUpdate,     // an UPDATE of an outbox row, where those are not ignored
  kRefused,    // by the producer: too large, ...
};

// What is done about a poison event.
enum class PoisonAction {
  kHalt,        // the relay stops, and confirms nothing from the event on
  kDeadLetter,  // it goes to another topic, and counts as delivered once that topic has it
  kSkip,        // it is left out, and counted
};

inline constexpr std::array kPoisonReasons = {
    PoisonReason::kTopic,   PoisonReason::kKey,       PoisonReason::kValue,
    PoisonReason::kHeader,  PoisonReason::kPartition, PoisonReason::kTimestamp,
    PoisonReason::kMessage, PoisonReason::kUpdate,    PoisonReason::kRefused};
inline constexpr std::array kPoisonActions = {PoisonAction::kHalt, PoisonAction::kDeadLetter,
                                              PoisonAction::kSkip};

// Values of the metric labels `reason` and `action`; those of the actions are those of the setting
// relay.on_poison too.
std::string_view PoisonReasonName(PoisonReason reason);
std::string_view PoisonActionName(PoisonAction action);

}  // namespace walpost

#endif  // WALPOST_POISON_H_
