// The floor under every relay that is built on libpq and librdkafka: rows of a slot are produced
// with no more work than that. It finds three columns of the benchmark's outbox (id, aggregateid,
// payload), tracks no acknowledgement and confirms nothing, so it is a stick to measure with and
// not a relay.
//
//   bench_floor CONNINFO SLOT PUBLICATION BROKERS TOPIC
//
// Columns must be (id, aggregatetype, aggregateid, type, payload). LINGER_MS sets librdkafka's
// linger.ms (0).
#ifdef __clang__
// The client's macros for the variadic call are an extension.
#pragma clang diagnostic ignored "-Wgnu-statement-expression"
#endif

#include <libpq-fe.h>
#include <librdkafka/rdkafka.h>
#include <poll.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>

namespace {

constexpr std::size_t kColumns = 5;
// 'w', then three integers of 8 bytes; then the message of pgoutput.
constexpr std::size_t kFrameHeader = 25;
// 'I', the relation and 'N'; then the number of columns.
constexpr std::size_t kInsertHeader = kFrameHeader + 1 + 4 + 1;

struct Column {
  const char* data = nullptr;
  std::size_t size = 0;
};

std::size_t BigEndian(const char* bytes, int count) {
  std::size_t value = 0;
  for (int i = 0; i < count; ++i) value = value << 8 | static_cast<unsigned char>(bytes[i]);
  return value;
}

[[noreturn]] void Die(const char* what) {
  std::fprintf(stderr, "floor: %s\n", what);
  std::exit(1);
}

rd_kafka_t* MakeProducer(const char* brokers) {
  std::array<char, 256> error{};
  rd_kafka_conf_t* conf = rd_kafka_conf_new();
  const char* linger = std::getenv("LINGER_MS");
  const std::pair<const char*, const char*> properties[] = {
      {"bootstrap.servers", brokers},
      {"enable.idempotence", "true"},
      {"acks", "all"},
      {"linger.ms", linger == nullptr ? "0" : linger},
      {"queue.buffering.max.messages", "500000"},
      {"socket.nagle.disable", "true"},
  };
  for (const auto& [name, value] : properties) {
    if (rd_kafka_conf_set(conf, name, value, error.data(), error.size()) != RD_KAFKA_CONF_OK) {
      Die(error.data());
    }
  }
  // Reports are paid for, as by every relay, and ignored.
  rd_kafka_conf_set_dr_msg_cb(conf, [](rd_kafka_t*, const rd_kafka_message_t*, void*) {});
  rd_kafka_t* producer = rd_kafka_new(RD_KAFKA_PRODUCER, conf, error.data(), error.size());
  if (producer == nullptr) Die(error.data());
  return producer;
}

PGconn* StartReplication(const std::string& conninfo, const std::string& slot,
                         const std::string& publication) {
  // It never answers a keepalive, so the server must not wait for one.
  PGconn* connection =
      PQconnectdb((conninfo + " replication=database options='-c wal_sender_timeout=0'").c_str());
  const std::string start = "START_REPLICATION SLOT " + slot +
                            " LOGICAL 0/0 (proto_version '1', publication_names '" + publication +
                            "')";
  PGresult* result = PQexec(connection, start.c_str());
  if (PQresultStatus(result) != PGRES_COPY_BOTH) Die(PQerrorMessage(connection));
  PQclear(result);
  return connection;
}

void Publish(rd_kafka_t* producer, rd_kafka_topic_t* topic, const char* insert) {
  std::array<Column, kColumns> columns;
  const std::size_t count = BigEndian(insert + kInsertHeader, 2);
  const char* at = insert + kInsertHeader + 2;
  for (std::size_t i = 0; i < count && i < kColumns; ++i) {
    if (*at++ != 't') continue;
    columns[i].size = BigEndian(at, 4);
    columns[i].data = at + 4;
    at += 4 + columns[i].size;
  }
  const auto& [id, aggregate_type, aggregate_id, type, payload] = columns;
  while (rd_kafka_producev(producer, RD_KAFKA_V_RKT(topic),
                           RD_KAFKA_V_KEY(aggregate_id.data, aggregate_id.size),
                           RD_KAFKA_V_VALUE(const_cast<char*>(payload.data), payload.size),
                           RD_KAFKA_V_HEADER("id", id.data, static_cast<ssize_t>(id.size)),
                           RD_KAFKA_V_MSGFLAGS(RD_KAFKA_MSG_F_COPY),
                           RD_KAFKA_V_END) == RD_KAFKA_RESP_ERR__QUEUE_FULL) {
    ::poll(nullptr, 0, 1);
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 6) Die("usage: bench_floor CONNINFO SLOT PUBLICATION BROKERS TOPIC");
  rd_kafka_t* producer = MakeProducer(argv[4]);
  rd_kafka_topic_t* topic = rd_kafka_topic_new(producer, argv[5], nullptr);
  std::thread([producer] {
    for (;;) rd_kafka_poll(producer, 100);
  }).detach();
  PGconn* connection = StartReplication(argv[1], argv[2], argv[3]);
  for (;;) {
    char* frame = nullptr;
    const int size = PQgetCopyData(connection, &frame, 1);
    if (size == 0) {
      pollfd socket{PQsocket(connection), POLLIN, 0};
      ::poll(&socket, 1, 1000);
      if (PQconsumeInput(connection) == 0) Die(PQerrorMessage(connection));
      continue;
    }
    if (size < 0) Die(PQerrorMessage(connection));
    if (frame[0] == 'w' && frame[kFrameHeader] == 'I') Publish(producer, topic, frame);
    PQfreemem(frame);
  }
}
