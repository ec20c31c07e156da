#include "kafka/epoch_timestamp.h"

#include <cstring>

#include "kafka/handles.h"

namespace walpost::kafka {
namespace {

constexpr char kName[] = "epoch-timestamp";
// The client's own fields follow the public ones; the timestamp is one of the first of them, and
// the struct is several times as large as this.
constexpr std::size_t kLast = sizeof(rd_kafka_message_t) + 64;

std::int64_t ReadAt(const rd_kafka_message_t* message, std::size_t offset) {
  std::int64_t value = 0;
  std::memcpy(&value, reinterpret_cast<const char*>(message) + offset, sizeof value);
  return value;
}

void WriteAt(rd_kafka_message_t* message, std::size_t offset, std::int64_t value) {
  std::memcpy(reinterpret_cast<char*>(message) + offset, &value, sizeof value);
}

bool HasStandIn(const rd_kafka_message_t* message) {
  return rd_kafka_message_timestamp(message, nullptr) == EpochTimestamp::kStandIn;
}

// Looks for the place whose change the client's own function reports.
rd_kafka_resp_err_t Find(rd_kafka_t*, rd_kafka_message_t* message, void* found) {
  if (!HasStandIn(message)) return RD_KAFKA_RESP_ERR_NO_ERROR;
  for (std::size_t at = sizeof(rd_kafka_message_t); at <= kLast; at += sizeof(std::int64_t)) {
    if (ReadAt(message, at) != EpochTimestamp::kStandIn) continue;
    WriteAt(message, at, EpochTimestamp::kStandIn + 1);
    const bool is_it = rd_kafka_message_timestamp(message, nullptr) == EpochTimestamp::kStandIn + 1;
    WriteAt(message, at, EpochTimestamp::kStandIn);
    if (is_it) *static_cast<std::optional<std::size_t>*>(found) = at;
  }
  return RD_KAFKA_RESP_ERR_NO_ERROR;
}

rd_kafka_resp_err_t Replace(rd_kafka_t*, rd_kafka_message_t* message, void*) {
  if (HasStandIn(message)) WriteAt(message, *EpochTimestamp::Offset(), 0);
  return RD_KAFKA_RESP_ERR_NO_ERROR;
}

rd_kafka_resp_err_t AddFind(rd_kafka_t* client, const rd_kafka_conf_t*, void* found, char*,
                            std::size_t) {
  return rd_kafka_interceptor_add_on_send(client, kName, Find, found);
}

rd_kafka_resp_err_t AddReplace(rd_kafka_t* client, const rd_kafka_conf_t*, void*, char*,
                               std::size_t) {
  return rd_kafka_interceptor_add_on_send(client, kName, Replace, nullptr);
}

// Gives one message to a client without brokers.
std::optional<std::size_t> LookForIt() {
  std::optional<std::size_t> found;
  ConfHandle conf(rd_kafka_conf_new());
  rd_kafka_conf_interceptor_add_on_new(conf.get(), kName, AddFind, &found);
  // It would complain that it has no broker.
  rd_kafka_conf_set_log_cb(conf.get(), nullptr);
  char error[256];
  ClientHandle client(rd_kafka_new(RD_KAFKA_PRODUCER, conf.get(), error, sizeof error));
  if (client == nullptr) return std::nullopt;
  static_cast<void>(conf.release());  // now the client's
  rd_kafka_vu_t arguments[2];
  arguments[0].vtype = RD_KAFKA_VTYPE_TOPIC;
  arguments[0].u.cstr = kName;
  arguments[1].vtype = RD_KAFKA_VTYPE_TIMESTAMP;
  arguments[1].u.i64 = EpochTimestamp::kStandIn;
  rd_kafka_error_t* refused = rd_kafka_produceva(client.get(), arguments, 2);
  if (refused != nullptr) rd_kafka_error_destroy(refused);
  rd_kafka_purge(client.get(), RD_KAFKA_PURGE_F_QUEUE | RD_KAFKA_PURGE_F_INFLIGHT);
  return found;
}

}  // namespace

std::optional<std::size_t> EpochTimestamp::Offset() {
  static const std::optional<std::size_t> offset = LookForIt();
  return offset;
}

bool EpochTimestamp::Install(rd_kafka_conf_t* conf) {
  return Offset().has_value() &&
         rd_kafka_conf_interceptor_add_on_new(conf, kName, AddReplace, nullptr) ==
             RD_KAFKA_RESP_ERR_NO_ERROR;
}

}  // namespace walpost::kafka
