#include "observability/health.h"

#include <absl/strings/str_cat.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include <cstdint>
#include <string_view>
#include <utility>

namespace walpost::observability {
namespace {

using JsonWriter = rapidjson::Writer<rapidjson::StringBuffer>;

void WriteString(std::string_view text, JsonWriter& writer) {
  writer.String(text.data(), static_cast<rapidjson::SizeType>(text.size()));
}

// Why this state is not a flowing stream; empty for kStreaming.
std::string_view StateReason(RelayState state) {
  switch (state) {
    case RelayState::kStarting:
      return "the relay is starting";
    case RelayState::kConnecting:
      return "no replication stream: connecting to postgresql";
    case RelayState::kStandby:
      return "standby: another instance holds the slot";
    case RelayState::kStreaming:
      return "";
    case RelayState::kDraining:
      return "the relay is draining before it stops";
    case RelayState::kStopped:
      return "the relay has stopped";
  }
  return "the relay's state is unknown";
}

// Empty when the server was heard from within the limit. A clock that was set back makes the
// silence negative, which is no reason.
std::string SilenceReason(const RelayMetrics& metrics, const Clock& clock,
                          const HealthLimits& limits) {
  std::int64_t last = metrics.last_server_message_us.Get();
  if (last == 0) return "postgresql has not sent anything yet";
  absl::Duration silence = clock.Now() - absl::FromUnixMicros(last);
  if (silence <= limits.stall_limit) return "";
  return absl::StrCat("postgresql has been silent for ", absl::ToInt64Seconds(silence),
                      " s; the limit is ", absl::FormatDuration(limits.stall_limit));
}

// Empty while what was handed to the brokers is acknowledged within the limit.
std::string SinkReason(const RelayMetrics& metrics, const Clock& clock,
                       const HealthLimits& limits) {
  if (!metrics.broker_up.load(std::memory_order_relaxed)) return "no kafka broker is reachable";
  if (metrics.sink_failing.load(std::memory_order_relaxed)) {
    return "kafka has refused or lost events, which are published again; the log says why";
  }
  if (metrics.events_in_flight.Get() == 0) return "";
  const absl::Duration waits =
      clock.Now() - absl::FromUnixMicros(metrics.last_sink_progress_us.Get());
  if (waits <= limits.stall_limit) return "";
  return absl::StrCat("kafka has acknowledged nothing for ", absl::ToInt64Seconds(waits),
                      " s; the limit is ", absl::FormatDuration(limits.stall_limit));
}

}  // namespace

HealthReport Evaluate(const RelayMetrics& metrics, const Clock& clock, const HealthLimits& limits) {
  HealthReport report;
  report.state = metrics.state.load(std::memory_order_relaxed);
  report.live = report.state != RelayState::kStopped;
  if (report.state != RelayState::kStreaming) {
    report.reasons.emplace_back(StateReason(report.state));
  } else if (std::string silence = SilenceReason(metrics, clock, limits); !silence.empty()) {
    report.reasons.push_back(std::move(silence));
  }
  if (std::string reason = SinkReason(metrics, clock, limits); report.live && !reason.empty()) {
    report.reasons.push_back(std::move(reason));
  }
  report.ready = report.reasons.empty();
  return report;
}

std::string HealthReport::LiveJson() const {
  rapidjson::StringBuffer buffer;
  JsonWriter writer(buffer);
  writer.StartObject();
  writer.Key("live");
  writer.Bool(live);
  writer.Key("state");
  WriteString(RelayStateName(state), writer);
  writer.EndObject();
  return buffer.GetString();
}

std::string HealthReport::ReadyJson() const {
  rapidjson::StringBuffer buffer;
  JsonWriter writer(buffer);
  writer.StartObject();
  writer.Key("ready");
  writer.Bool(ready);
  writer.Key("state");
  WriteString(RelayStateName(state), writer);
  writer.Key("reasons");
  writer.StartArray();
  for (const std::string& reason : reasons) WriteString(reason, writer);
  writer.EndArray();
  writer.EndObject();
  return buffer.GetString();
}

}  // namespace walpost::observability
