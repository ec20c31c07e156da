#include "kafka/message.h"

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "kafka/epoch_timestamp.h"

namespace walpost::kafka {
namespace {

// The ticket travels as the message's opaque pointer.
static_assert(sizeof(void*) == sizeof(EventTicket));

void* ToOpaque(EventTicket ticket) {
  return reinterpret_cast<void*>(static_cast<std::uintptr_t>(ticket));
}

// Bytes as librdkafka takes them: a null pointer is a null key or value, so an empty one needs some
// pointer. The cast drops a const that librdkafka keeps, as it copies the message.
void SetBytes(rd_kafka_vu_t& argument, rd_kafka_vtype_t type,
              const std::optional<std::string_view>& bytes) {
  static char empty[1] = "";
  argument.vtype = type;
  argument.u.mem.ptr = nullptr;
  argument.u.mem.size = 0;
  if (!bytes.has_value()) return;
  argument.u.mem.ptr = bytes->empty() ? empty : const_cast<char*>(bytes->data());
  argument.u.mem.size = bytes->size();
}

rd_kafka_headers_t* MakeHeaders(std::span<const EventHeader> headers) {
  rd_kafka_headers_t* made = rd_kafka_headers_new(headers.size());
  for (const EventHeader& header : headers) {
    const char* value = nullptr;
    ssize_t size = 0;
    if (header.value.has_value()) {
      value = header.value->empty() ? "" : header.value->data();
      size = static_cast<ssize_t>(header.value->size());
    }
    // It fails for no valid arguments.
    rd_kafka_header_add(made, header.name.data(), static_cast<ssize_t>(header.name.size()), value,
                        size);
  }
  return made;
}

}  // namespace

rd_kafka_resp_err_t Produce(rd_kafka_t* client, rd_kafka_topic_t* topic, const OutboxEvent& event,
                            std::optional<std::int32_t> place, EventTicket ticket) {
  // -1 would be taken for "let the partitioner choose".
  if (place.value_or(0) < 0) return RD_KAFKA_RESP_ERR__UNKNOWN_PARTITION;
  std::array<rd_kafka_vu_t, 8> arguments;
  arguments[0].vtype = RD_KAFKA_VTYPE_RKT;
  arguments[0].u.rkt = topic;
  arguments[1].vtype = RD_KAFKA_VTYPE_PARTITION;
  arguments[1].u.i32 = place.value_or(RD_KAFKA_PARTITION_UA);
  SetBytes(arguments[2], RD_KAFKA_VTYPE_VALUE, event.value);
  SetBytes(arguments[3], RD_KAFKA_VTYPE_KEY, event.key);
  arguments[4].vtype = RD_KAFKA_VTYPE_OPAQUE;
  arguments[4].u.ptr = ToOpaque(ticket);
  arguments[5].vtype = RD_KAFKA_VTYPE_MSGFLAGS;
  arguments[5].u.i = RD_KAFKA_MSG_F_COPY;
  arguments[6].vtype = RD_KAFKA_VTYPE_TIMESTAMP;
  // 0 is the current time to the client.
  const bool epoch = event.timestamp_ms == 0;
  arguments[6].u.i64 = epoch ? EpochTimestamp::kStandIn : event.timestamp_ms.value_or(0);
  std::size_t count = 7;
  rd_kafka_headers_t* headers = nullptr;
  if (!event.headers.empty()) {
    headers = MakeHeaders(event.headers);
    arguments[count].vtype = RD_KAFKA_VTYPE_HEADERS;
    arguments[count].u.headers = headers;
    ++count;
  }
  rd_kafka_error_t* error = rd_kafka_produceva(client, arguments.data(), count);
  if (error == nullptr) return RD_KAFKA_RESP_ERR_NO_ERROR;
  // They became the client's only if it took the message.
  if (headers != nullptr) rd_kafka_headers_destroy(headers);
  const rd_kafka_resp_err_t code = rd_kafka_error_code(error);
  rd_kafka_error_destroy(error);
  return code;
}

EventTicket TicketOf(const rd_kafka_message_t& message) {
  return reinterpret_cast<std::uintptr_t>(message._private);
}

std::string IdOf(const rd_kafka_message_t& message) {
  std::string id;
  ForEachHeader(message, [&id](std::string_view name, const void* value, std::size_t size) {
    if (value == nullptr || (name != "id" && name != "ce_id")) return;
    id.assign(static_cast<const char*>(value), size);
  });
  return id;
}

std::size_t SizeOf(const OutboxEvent& event) {
  return (event.key ? event.key->size() : 0) + (event.value ? event.value->size() : 0);
}

std::size_t CostOf(const OutboxEvent& event) {
  std::size_t bytes = kPerEventOverhead + SizeOf(event);
  for (const EventHeader& header : event.headers) bytes += header.value ? header.value->size() : 0;
  return bytes;
}

std::size_t CostOf(const rd_kafka_message_t& message) {
  std::size_t bytes = kPerEventOverhead + message.key_len + message.len;
  ForEachHeader(message, [&](const char*, const void*, std::size_t size) { bytes += size; });
  return bytes;
}

}  // namespace walpost::kafka
