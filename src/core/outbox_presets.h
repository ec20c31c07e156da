#ifndef WALPOST_CORE_OUTBOX_PRESETS_H_
#define WALPOST_CORE_OUTBOX_PRESETS_H_

#include <span>
#include <string_view>
#include <utility>

namespace walpost {

// What a preset says where an [[outbox]] block is silent. The texts are those of the settings with
// the same names, and static.
struct OutboxPreset {
  std::string_view name;
  std::string_view purpose;  // for people
  std::string_view columns;  // for people: those of its table
  std::string_view table;
  std::string_view id;
  std::string_view payload;
  std::string_view topic;
  std::string_view key;         // empty: none
  std::string_view event_type;  // the column of the header `eventType`; empty: no such header
  std::string_view headers_from;
  std::string_view value;
};

inline constexpr std::string_view kOutboxPresetNames[] = {"debezium", "aggregate", "topic",
                                                          "efcore", "message"};
// The preset whose events are logical decoding messages, and not rows.
inline constexpr std::string_view kMessagePreset = "message";

// In the order in which they are shown.
std::span<const OutboxPreset> OutboxPresets();

// Null when there is none.
const OutboxPreset* FindOutboxPreset(std::string_view name);

}  // namespace walpost

#endif  // WALPOST_CORE_OUTBOX_PRESETS_H_
