#include "core/poison.h"

#include <absl/strings/cord.h>
#include <absl/strings/str_cat.h>

#include <optional>

#include "base/strings.h"

namespace walpost {
namespace {

constexpr char kPayloadUrl[] = "walpost/poison";

}  // namespace

std::string_view PoisonReasonName(PoisonReason reason) {
  switch (reason) {
    case PoisonReason::kTopic:
      return "topic";
    case PoisonReason::kKey:
      return "key";
    case PoisonReason::kValue:
      return "value";
    case PoisonReason::kHeader:
      return "header";
    case PoisonReason::kPartition:
      return "partition";
    case PoisonReason::kTimestamp:
      return "timestamp";
    case PoisonReason::kMessage:
      return "message";
    case PoisonReason::kUpdate:
      return "update";
    case PoisonReason::kRefused:
      return "refused";
  }
  return "unknown";
}

std::string_view PoisonActionName(PoisonAction action) {
  switch (action) {
    case PoisonAction::kHalt:
      return "halt";
    case PoisonAction::kDeadLetter:
      return "dead-letter";
    case PoisonAction::kSkip:
      return "skip";
  }
  return "unknown";
}

absl::Status PoisonError(PoisonReason reason, std::string_view message) {
  absl::Status error = absl::InvalidArgumentError(ToAbsl(message));
  error.SetPayload(kPayloadUrl, absl::Cord(ToAbsl(PoisonReasonName(reason))));
  return error;
}

absl::Status AsPoison(PoisonReason reason, const absl::Status& error) {
  if (!absl::IsInvalidArgument(error) || error.GetPayload(kPayloadUrl).has_value()) return error;
  return PoisonError(reason, absl::StrCat(ToAbsl(PoisonReasonName(reason)), ": ", error.message()));
}

PoisonReason PoisonReasonOf(const absl::Status& error) {
  const auto payload = error.GetPayload(kPayloadUrl);
  if (!payload.has_value()) return PoisonReason::kRefused;
  for (PoisonReason reason : kPoisonReasons) {
    if (*payload == ToAbsl(PoisonReasonName(reason))) return reason;
  }
  return PoisonReason::kRefused;
}

}  // namespace walpost
