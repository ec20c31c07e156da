// Measures a relay from outside: rows go in through SQL, messages come out of Kafka, and nothing is
// known of what lies between.
//
//   bench_e2e fill CONNINFO ROWS ROWS_PER_TRANSACTION PAD_BYTES
//       a backlog, as fast as the server takes it
//   bench_e2e drain BROKERS TOPIC ROWS SECONDS PID_FILE
//       waits for ROWS new messages: rate from the first to the last, and in that time the
//       processor time, and the peak memory, of the process in PID_FILE; prints `ready` on standard
//       error once the relay may be started
//   bench_e2e check BROKERS TOPIC ROWS SECONDS
//       reads the topic from its beginning: lost, repeated, out of order for a key
//   bench_e2e latency CONNINFO BROKERS TOPIC ROWS_PER_SECOND SECONDS
//       from the end of a commit to the consumer, one row a transaction
//
// A row's payload is {"k": "k<number % 997>", "n": <number>, "pad": "xxx..."}; its key is k. Each
// command prints one line of name=value and exits with 1 when a row is missing.
#include <libpq-fe.h>
#include <librdkafka/rdkafka.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <string_view>
#include <thread>
#include <unordered_map>
#include <vector>

namespace {

using Arguments = std::vector<std::string>;

constexpr int kQueryMillis = 5'000;

double Now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

void SleepFor(double seconds) {
  if (seconds > 0) std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
}

[[noreturn]] void Die(const std::string& what) {
  std::fprintf(stderr, "e2e: %s\n", what.c_str());
  std::exit(1);
}

// ---- PostgreSQL

struct FinishConnection {
  void operator()(PGconn* connection) const { PQfinish(connection); }
};
using Connection = std::unique_ptr<PGconn, FinishConnection>;

Connection Connect(const std::string& conninfo) {
  Connection connection(PQconnectdb(conninfo.c_str()));
  if (PQstatus(connection.get()) != CONNECTION_OK) Die(PQerrorMessage(connection.get()));
  return connection;
}

void MustSucceed(const Connection& connection, PGresult* result) {
  if (PQresultStatus(result) != PGRES_COMMAND_OK) Die(PQerrorMessage(connection.get()));
  PQclear(result);
}

void InsertRow(const Connection& connection, long number) {
  const std::string key = "k" + std::to_string(number % 997);
  const std::string payload = "{\"k\": \"" + key + "\", \"n\": " + std::to_string(number) +
                              ", \"pad\": \"" + std::string(200, 'x') + "\"}";
  const char* values[] = {key.c_str(), payload.c_str()};
  MustSucceed(connection,
              PQexecParams(connection.get(),
                           "INSERT INTO outbox(aggregatetype, aggregateid, type, payload) "
                           "VALUES ('order', $1, 'OrderPlaced', $2)",
                           2, nullptr, values, nullptr, nullptr, 0));
}

// ---- Kafka

template <auto destroy>
struct Destroy {
  template <typename T>
  void operator()(T* handle) const {
    destroy(handle);
  }
};
using Message = std::unique_ptr<rd_kafka_message_t, Destroy<rd_kafka_message_destroy>>;

std::string_view Value(const Message& message) {
  return {static_cast<const char*>(message->payload), message->len};
}

// The row's number; -1 when the value is not one of ours.
long NumberOf(const Message& message) {
  constexpr std::string_view kName = "\"n\": ";
  const std::string_view value = Value(message);
  const std::size_t at = value.find(kName);
  if (at == std::string_view::npos) return -1;
  return std::strtol(value.data() + at + kName.size(), nullptr, 10);
}

// All partitions of one topic, assigned by hand so that no group is waited for.
class Consumer {
 public:
  enum class From { kBeginning, kEnd };

  Consumer(const std::string& brokers, const std::string& topic, From from)
      : client_(Make(brokers)) {
    const int partitions = PartitionCount(topic);
    rd_kafka_topic_partition_list_t* list = rd_kafka_topic_partition_list_new(partitions);
    for (int i = 0; i < partitions; ++i) {
      std::int64_t low = 0, high = 0;
      rd_kafka_query_watermark_offsets(client_.get(), topic.c_str(), i, &low, &high, kQueryMillis);
      rd_kafka_topic_partition_list_add(list, topic.c_str(), i)->offset =
          from == From::kBeginning ? low : high;
    }
    rd_kafka_assign(client_.get(), list);
    rd_kafka_topic_partition_list_destroy(list);
  }

  // The next message, or null when none comes in time.
  Message Poll(int millis) {
    Message message(rd_kafka_consumer_poll(client_.get(), millis));
    if (message != nullptr && message->err != RD_KAFKA_RESP_ERR_NO_ERROR) message.reset();
    return message;
  }

 private:
  using Client = std::unique_ptr<rd_kafka_t, Destroy<rd_kafka_destroy>>;

  static Client Make(const std::string& brokers) {
    std::array<char, 256> error{};
    rd_kafka_conf_t* conf = rd_kafka_conf_new();
    const std::pair<const char*, const char*> properties[] = {
        {"bootstrap.servers", brokers.c_str()},
        {"group.id", "walpost-bench"},
        {"enable.auto.commit", "false"},
        {"isolation.level", "read_committed"},
        {"fetch.min.bytes", "1"},
        {"queued.min.messages", "200000"},
    };
    for (const auto& [name, value] : properties) {
      if (rd_kafka_conf_set(conf, name, value, error.data(), error.size()) != RD_KAFKA_CONF_OK) {
        Die(error.data());
      }
    }
    Client client(rd_kafka_new(RD_KAFKA_CONSUMER, conf, error.data(), error.size()));
    if (client == nullptr) Die(error.data());
    rd_kafka_poll_set_consumer(client.get());
    return client;
  }

  int PartitionCount(const std::string& topic) {
    rd_kafka_topic_t* handle = rd_kafka_topic_new(client_.get(), topic.c_str(), nullptr);
    int count = 0;
    for (double end = Now() + 20; count == 0 && Now() < end; SleepFor(0.1)) {
      const rd_kafka_metadata_t* metadata = nullptr;
      if (rd_kafka_metadata(client_.get(), 0, handle, &metadata, kQueryMillis) !=
          RD_KAFKA_RESP_ERR_NO_ERROR) {
        continue;
      }
      if (metadata->topic_cnt == 1) count = metadata->topics[0].partition_cnt;
      rd_kafka_metadata_destroy(metadata);
    }
    rd_kafka_topic_destroy(handle);
    if (count == 0) Die("no topic " + topic);
    return count;
  }

  Client client_;
};

// ---- The relay's process

struct Usage {
  double cpu_seconds = 0;
  long peak_kib = 0;
};

Usage UsageOf(int pid) {
  Usage usage;
  const std::string folder = "/proc/" + std::to_string(pid);
  std::ifstream stat(folder + "/stat");
  std::string line;
  std::getline(stat, line);
  // After the name, which may hold blanks: field 3 of proc(5) is the first, 14 and 15 are wanted.
  std::istringstream fields(line.substr(std::min(line.size(), line.rfind(')') + 2)));
  std::string skipped;
  for (int i = 3; i < 14; ++i) fields >> skipped;
  double user = 0, system = 0;
  fields >> user >> system;
  usage.cpu_seconds = (user + system) / static_cast<double>(::sysconf(_SC_CLK_TCK));
  std::ifstream status(folder + "/status");
  while (std::getline(status, line)) {
    if (line.starts_with("VmHWM:")) usage.peak_kib = std::strtol(line.c_str() + 6, nullptr, 10);
  }
  return usage;
}

// ---- Commands

int Fill(const Arguments& arguments) {
  const Connection connection = Connect(arguments[0]);
  const long rows = std::stol(arguments[1]), per_transaction = std::stol(arguments[2]);
  const double start = Now();
  for (long first = 0; first < rows; first += per_transaction) {
    const long last = std::min(first + per_transaction, rows) - 1;
    const std::string insert =
        "INSERT INTO outbox(aggregatetype, aggregateid, type, payload) SELECT 'order', "
        "'k' || (g % 997), 'OrderPlaced', jsonb_build_object('n', g, 'k', 'k' || (g % 997), "
        "'pad', repeat('x', " +
        arguments[3] + ")) FROM generate_series(" + std::to_string(first) + ", " +
        std::to_string(last) + ") g";
    MustSucceed(connection, PQexec(connection.get(), insert.c_str()));
  }
  std::printf("rows=%ld seconds=%.2f\n", rows, Now() - start);
  return 0;
}

int Drain(const Arguments& arguments) {
  const long wanted = std::stol(arguments[2]);
  const double deadline = Now() + std::stod(arguments[3]);
  Consumer consumer(arguments[0], arguments[1], Consumer::From::kEnd);
  // Fetching has begun before the relay starts.
  consumer.Poll(1000);
  std::fprintf(stderr, "ready\n");
  int pid = 0;
  Usage before;
  double first = 0, last = 0;
  long count = 0;
  while (count < wanted && Now() < deadline) {
    const Message message = consumer.Poll(200);
    if (message == nullptr) continue;
    last = Now();
    if (count++ == 0) {
      // The relay's start is not counted.
      first = last;
      std::ifstream(arguments[4]) >> pid;
      before = UsageOf(pid);
    }
  }
  const Usage after = UsageOf(pid);
  const double cpu = after.cpu_seconds - before.cpu_seconds;
  const double messages = static_cast<double>(count);
  std::printf(
      "messages=%ld missing=%ld seconds=%.2f rate=%.0f cpu_seconds=%.2f cpu_us_per_event=%.2f "
      "peak_mib=%.1f\n",
      count, wanted - count, last - first, messages / std::max(1e-9, last - first), cpu,
      cpu * 1e6 / std::max(1.0, messages), static_cast<double>(after.peak_kib) / 1024);
  return count == wanted ? 0 : 1;
}

int Check(const Arguments& arguments) {
  const long rows = std::stol(arguments[2]);
  const double deadline = Now() + std::stod(arguments[3]);
  constexpr double kQuiet = 1.5;
  Consumer consumer(arguments[0], arguments[1], Consumer::From::kBeginning);
  std::vector<bool> seen(static_cast<std::size_t>(rows));
  std::unordered_map<std::string, long> last_of_key;
  long distinct = 0, repeated = 0, disorder = 0, foreign = 0;
  double last_message = Now();
  while (Now() < deadline && !(distinct == rows && Now() - last_message > kQuiet)) {
    const Message message = consumer.Poll(200);
    if (message == nullptr) continue;
    last_message = Now();
    const long number = NumberOf(message);
    if (number < 0 || number >= rows) {
      ++foreign;
      continue;
    }
    if (seen[static_cast<std::size_t>(number)]) {
      ++repeated;
      continue;
    }
    seen[static_cast<std::size_t>(number)] = true;
    ++distinct;
    const std::string key(static_cast<const char*>(message->key), message->key_len);
    long& last = last_of_key.emplace(key, -1).first->second;
    if (number < last) ++disorder;
    last = number;
  }
  std::printf("lost=%ld repeated=%ld out_of_order=%ld foreign=%ld\n", rows - distinct, repeated,
              disorder, foreign);
  return distinct == rows && disorder == 0 ? 0 : 1;
}

// Notes when each row arrived, in its own thread.
class ArrivalLog {
 public:
  ArrivalLog(const std::string& brokers, const std::string& topic, std::size_t rows)
      : consumer_(brokers, topic, Consumer::From::kEnd), arrivals_(rows), thread_([this] {
          while (!stop_) Take(consumer_.Poll(50));
        }) {}
  ~ArrivalLog() { Stop(); }
  ArrivalLog(const ArrivalLog&) = delete;
  ArrivalLog& operator=(const ArrivalLog&) = delete;

  bool warm() const { return warm_; }
  std::size_t seen() const { return seen_; }
  // To be read after Stop().
  const std::vector<double>& arrivals() const { return arrivals_; }
  void Stop() {
    stop_ = true;
    if (thread_.joinable()) thread_.join();
  }

 private:
  void Take(const Message& message) {
    if (message == nullptr) return;
    const double now = Now();
    const long number = NumberOf(message);
    warm_ = true;
    if (number < 0 || number >= static_cast<long>(arrivals_.size())) return;
    double& arrival = arrivals_[static_cast<std::size_t>(number)];
    if (arrival != 0) return;
    arrival = now;
    ++seen_;
  }

  Consumer consumer_;
  std::vector<double> arrivals_;
  std::atomic<bool> warm_{false};
  std::atomic<bool> stop_{false};
  std::atomic<std::size_t> seen_{0};
  std::thread thread_;
};

double Percentile(const std::vector<double>& sorted, double share) {
  if (sorted.empty()) return std::nan("");
  const auto at = static_cast<std::size_t>(share * static_cast<double>(sorted.size()));
  return sorted[std::min(at, sorted.size() - 1)];
}

int Latency(const Arguments& arguments) {
  const double rate = std::stod(arguments[3]);
  const auto rows = static_cast<std::size_t>(rate * std::stod(arguments[4]));
  ArrivalLog log(arguments[1], arguments[2], rows);
  const Connection connection = Connect(arguments[0]);
  // Rows with a number beyond the measured ones, until the relay has been seen to work.
  for (double end = Now() + 30; !log.warm(); SleepFor(0.1)) {
    if (Now() > end) Die("the relay passed nothing on within 30 s");
    InsertRow(connection, static_cast<long>(rows));
  }
  SleepFor(0.5);
  std::vector<double> committed(rows);
  const double start = Now();
  for (std::size_t i = 0; i < rows; ++i) {
    SleepFor(start + static_cast<double>(i) / rate - Now());
    InsertRow(connection, static_cast<long>(i));
    committed[i] = Now();
  }
  for (double end = Now() + 30; log.seen() < rows && Now() < end;) SleepFor(0.05);
  log.Stop();
  std::vector<double> millis;
  for (std::size_t i = 0; i < rows; ++i) {
    if (log.arrivals()[i] != 0) millis.push_back((log.arrivals()[i] - committed[i]) * 1e3);
  }
  std::sort(millis.begin(), millis.end());
  std::printf("rows=%zu missing=%zu p50_ms=%.2f p99_ms=%.2f max_ms=%.2f\n", rows,
              rows - millis.size(), Percentile(millis, 0.5), Percentile(millis, 0.99),
              Percentile(millis, 1));
  return millis.size() == rows ? 0 : 1;
}

struct Command {
  std::string_view name;
  std::size_t arguments;
  int (*run)(const Arguments&);
};

constexpr Command kCommands[] = {
    {"fill", 4, Fill}, {"drain", 5, Drain}, {"check", 4, Check}, {"latency", 5, Latency}};

}  // namespace

int main(int argc, char** argv) {
  const Arguments arguments(argv + std::min(argc, 2), argv + argc);
  for (const Command& command : kCommands) {
    if (argc < 2 || command.name != argv[1] || command.arguments != arguments.size()) continue;
    return command.run(arguments);
  }
  std::fprintf(stderr, "usage: bench_e2e fill|drain|check|latency ARGUMENTS; see bench/e2e.cc\n");
  return 2;
}
