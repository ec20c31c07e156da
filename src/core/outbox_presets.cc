#include "core/outbox_presets.h"

namespace walpost {
namespace {

constexpr OutboxPreset kPresets[] = {
    {.name = "debezium",
     .purpose = "the table of Debezium's Outbox Event Router, for those who leave it",
     .columns = "id, aggregatetype, aggregateid, type, payload",
     .table = "public.outbox",
     .id = "id",
     .payload = "payload",
     .topic = "outbox.event.${aggregatetype}",
     .key = "aggregateid",
     .event_type = "",
     .headers_from = "",
     .value = "text"},
    {.name = "aggregate",
     .purpose = "a table with names in snake case",
     .columns = "id, aggregate_type, aggregate_id, event_type, payload, created_at, published_at",
     .table = "public.outbox",
     .id = "id",
     .payload = "payload",
     .topic = "outbox.event.${aggregate_type}",
     .key = "aggregate_id",
     .event_type = "event_type",
     .headers_from = "",
     .value = "text"},
    {.name = "topic",
     .purpose = "a table whose rows name their topic",
     .columns = "id, topic, payload, created_at, processed_at",
     .table = "public.outbox",
     .id = "id",
     .payload = "payload",
     .topic = "${topic}",
     .key = "",
     .event_type = "",
     .headers_from = "",
     .value = "text"},
    {.name = "efcore",
     .purpose = "the table of a .NET application, in mixed case, with the payload as text",
     .columns = "\"Id\", \"Type\", \"Payload\", \"CreatedAt\", \"ProcessedAt\"",
     .table = "public.\"OutboxMessages\"",
     .id = "Id",
     .payload = "Payload",
     .topic = "outbox.event.${Type}",
     .key = "Id",
     .event_type = "Type",
     .headers_from = "",
     .value = "text"},
    {.name = kMessagePreset,
     .purpose = "no table: SELECT pg_logical_emit_message(true, 'walpost', content), where content "
                "is a JSON object",
     .columns = "none; members of content: topic, key, headers, payload, id (else the LSN)",
     .table = "",
     .id = "id",
     .payload = "payload",
     .topic = "${topic}",
     .key = "key",
     .event_type = "",
     .headers_from = "headers",
     .value = "text"},
};

}  // namespace

std::span<const OutboxPreset> OutboxPresets() { return kPresets; }

const OutboxPreset* FindOutboxPreset(std::string_view name) {
  for (const OutboxPreset& preset : kPresets) {
    if (preset.name == name) return &preset;
  }
  return nullptr;
}

}  // namespace walpost
