#include "kafka/kafka_sink.h"

#include <absl/strings/str_cat.h>
#include <librdkafka/rdkafka.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include "base/status_macros.h"
#include "core/poison.h"
#include "kafka/epoch_timestamp.h"
#include "kafka/error_mapping.h"
#include "kafka/message.h"
#include "kafka/milliseconds.h"
#include "kafka/producer_config.h"

namespace walpost::kafka {
namespace {

// How long the reason for a loss is waited for; it is microseconds away.
constexpr absl::Duration kRefusalWait = absl::Milliseconds(200);
// One attempt to hear from a broker; a stop is noticed in between.
constexpr absl::Duration kBrokerAttempt = absl::Milliseconds(200);
constexpr absl::Duration kCredentialsPatience = absl::Seconds(3);

// Adds up what was delivered, so that the shared counters are touched once for a run of events of
// one topic.
class TopicTally {
 public:
  TopicTally() = default;
  ~TopicTally() { Flush(); }
  TopicTally(const TopicTally&) = delete;
  TopicTally& operator=(const TopicTally&) = delete;

  void Add(TopicCounters* counters, std::size_t bytes) {
    if (counters != counters_) {
      Flush();
      counters_ = counters;
    }
    ++events_;
    bytes_ += static_cast<std::int64_t>(bytes);
  }

 private:
  void Flush() {
    if (counters_ == nullptr) return;
    counters_->events.Add(std::exchange(events_, 0));
    counters_->bytes.Add(std::exchange(bytes_, 0));
  }

  TopicCounters* counters_ = nullptr;
  std::int64_t events_ = 0;
  std::int64_t bytes_ = 0;
};

// Not failed by itself, but given up with the producer.
bool IsPurge(rd_kafka_resp_err_t error) {
  return error == RD_KAFKA_RESP_ERR__PURGE_QUEUE || error == RD_KAFKA_RESP_ERR__PURGE_INFLIGHT ||
         error == RD_KAFKA_RESP_ERR__FATAL;
}

LogLevel FromSyslogSeverity(int severity) {
  if (severity <= 4) return LogLevel::kWarn;
  return severity <= 6 ? LogLevel::kInfo : LogLevel::kDebug;
}

}  // namespace

absl::StatusOr<std::unique_ptr<KafkaSink>> KafkaSink::Create(ProducerOptions options,
                                                             TopicCounterTable& counters,
                                                             RelayMetrics& metrics, Logger& logger,
                                                             const Clock& clock) {
  UniqueFd event_fd(::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC));
  if (event_fd.get() < 0) {
    return absl::InternalError(absl::StrCat("eventfd: ", std::strerror(errno)));
  }
  std::unique_ptr<KafkaSink> sink(
      new KafkaSink(std::move(options), std::move(event_fd), counters, metrics, logger, clock));
  WALPOST_RETURN_IF_ERROR(sink->Start());
  return sink;
}

KafkaSink::KafkaSink(ProducerOptions options, UniqueFd event_fd, TopicCounterTable& counters,
                     RelayMetrics& metrics, Logger& logger, const Clock& clock)
    : options_(std::move(options)),
      event_fd_(std::move(event_fd)),
      metrics_(metrics),
      logger_(logger),
      clock_(clock),
      health_(BrokerList(options_), metrics, logger, clock),
      topics_(counters),
      now_(clock.Monotonic()) {}

KafkaSink::~KafkaSink() { Discard(); }

absl::Status KafkaSink::Start() {
  WALPOST_ASSIGN_OR_RETURN(ConfHandle conf, MakeProducerConf(options_, max_batch_bytes_));
  takes_epoch_ = options_.allow_epoch && EpochTimestamp::Install(conf.get());
  places_keyless_ = PropertyValue(conf.get(), "partitioner") == "murmur2";
  WALPOST_ASSIGN_OR_RETURN(client_, MakeProducer(std::move(conf)));
  queue_.reset(rd_kafka_queue_get_main(client_.get()));
  rd_kafka_set_log_queue(client_.get(), nullptr);
  constexpr std::uint64_t kOne = 1;
  rd_kafka_queue_io_event_enable(queue_.get(), event_fd_.get(), &kOne, sizeof kOne);
  // What arrived on the queue before that line woke nobody.
  WakeEventFd();
  return absl::OkStatus();
}

void KafkaSink::Discard() {
  kept_events_.clear();
  if (client_ == nullptr) return;
  // Otherwise the end of the client would wait for requests that a broker does not answer.
  rd_kafka_purge(client_.get(), RD_KAFKA_PURGE_F_QUEUE | RD_KAFKA_PURGE_F_INFLIGHT |
                                    RD_KAFKA_PURGE_F_NON_BLOCKING);
  topics_.Clear();
  queue_.reset();
  client_.reset();
  in_flight_ = 0;
  awaits_refusal_ = false;
  refusal_heard_ = false;
}

absl::Status KafkaSink::Restart() {
  metrics_.reconnects_kafka.Add(1);
  Discard();
  DrainEventFd();
  const absl::Status made = Start();
  // What could be made once may be made again: a file that is missing now, a limit of the system.
  lost_ = made.ok() ? made : absl::UnavailableError(made.message());
  return lost_;
}

absl::StatusOr<std::size_t> KafkaSink::Publish(const OutboxEvent& event, EventTicket ticket) {
  if (!lost_.ok()) return lost_;
  Topic* topic = topics_.Last(event.topic);
  if (topic == nullptr) {
    WALPOST_ASSIGN_OR_RETURN(topic, FindTopic(event.topic));
  }
  if (event.partition) WALPOST_RETURN_IF_ERROR(CheckPartition(event, *topic));
  if (event.timestamp_ms == 0) WALPOST_RETURN_IF_ERROR(CheckTimestamp(event));
  const bool open = topic->gate.open(now_);
  if (!open) WALPOST_RETURN_IF_ERROR(AwaitPartitions(*topic));
  const auto place = PlaceOf(event, *topic, places_keyless_);
  if (!open && !topic->gate.Admits(place)) {
    return absl::ResourceExhaustedError("the first event of the partition is under way");
  }
  const rd_kafka_resp_err_t error =
      Produce(client_.get(), topic->handle.get(), event, place, ticket);
  if (error != RD_KAFKA_RESP_ERR_NO_ERROR) return Refusal(error, event);
  if (!open) topic->gate.OnTaken(place);
  ++in_flight_;
  return CostOf(event);
}

// Before the client has it: later on it would fail together with all that came after it. A topic
// may have got more partitions since it was last looked at.
absl::Status KafkaSink::CheckPartition(const OutboxEvent& event, Topic& topic) {
  const PartitionGate& gate = topic.gate;
  if (*event.partition >= 0) {
    if (*event.partition < gate.partitions() || gate.AwaitsTopic()) return absl::OkStatus();
    WALPOST_RETURN_IF_ERROR(NotTaken(LearnPartitions(client_.get(), topic, now_)));
    // A topic that is not there yet may be made by the first event.
    if (*event.partition < gate.partitions() || gate.partitions() == 0) return absl::OkStatus();
  }
  return PoisonError(
      PoisonReason::kPartition,
      ToStd(absl::StrCat("topic '", ToAbsl(event.topic), "' has no partition ", *event.partition,
                         gate.partitions() > 0 ? absl::StrCat(", only ", gate.partitions()) : "",
                         "; hint: check the column of outbox.partition, or add partitions")));
}

// Has the gate know what it has to know to admit an event.
absl::Status KafkaSink::AwaitPartitions(Topic& topic) {
  if (in_flight_ == 0) topic.gate.OnNothingUnderWay();
  if (!topic.gate.WantsPartitions(now_)) return absl::OkStatus();
  return NotTaken(LearnPartitions(client_.get(), topic, now_));
}

absl::Status KafkaSink::CheckTimestamp(const OutboxEvent& event) const {
  if (takes_epoch_) return absl::OkStatus();
  return PoisonError(PoisonReason::kTimestamp,
                     ToStd(absl::StrCat("an event for topic '", ToAbsl(event.topic),
                                        "' has the timestamp 0, which this version of librdkafka "
                                        "takes for the current time")));
}

absl::StatusOr<Topic*> KafkaSink::FindTopic(std::string_view name) {
  absl::StatusOr<Topic*> topic = topics_.Find(client_.get(), name);
  if (!topic.ok()) return NotTaken(topic.status());
  return topic;
}

absl::Status KafkaSink::Refusal(int code, const OutboxEvent& event) {
  const auto error = static_cast<rd_kafka_resp_err_t>(code);
  if (NoticeFatalError()) return lost_;
  const EventFacts facts = {
      .topic = event.topic,
      .bytes = SizeOf(event),
      .max_message_bytes = PropertyValue(rd_kafka_conf(client_.get()), "message.max.bytes"),
      .id = {}};
  if (error == RD_KAFKA_RESP_ERR__QUEUE_FULL && in_flight_ == 0) {
    // No delivery report will ever make room for it.
    return absl::InvalidArgumentError(
        absl::StrCat("an event of ", facts.bytes, " bytes for topic '", ToAbsl(event.topic),
                     "' exceeds the producer's queue; hint: raise queue.buffering.max.kbytes in "
                     "kafka.properties"));
  }
  return NotTaken(PublishError(error, facts));
}

// The events behind one that was not taken, and may be later, must not overtake it.
absl::Status KafkaSink::NotTaken(absl::Status reason) {
  if (absl::IsUnavailable(reason) && lost_.ok()) lost_ = reason;
  return reason;
}

absl::Status KafkaSink::PollDeliveries(DeliveryListener& listener) {
  // Before the queue is read: a report that arrives in between must leave the descriptor readable.
  DrainEventFd();
  now_ = clock_.Monotonic();
  delivered_since_poll_ = false;
  while (EventHandle event = NextEvent(absl::ZeroDuration())) Handle(event.get(), listener);
  if (client_ != nullptr) NoticeFatalError();
  if (awaits_refusal_) HearRefusal(listener);
  if (delivered_since_poll_) health_.Reachable();
  return lost_;
}

// The client announces that it is lost to a refused batch just before it reports that batch; who
// only heard the former would publish the same again for ever.
void KafkaSink::HearRefusal(DeliveryListener& listener) {
  const absl::Duration deadline = clock_.Monotonic() + kRefusalWait;
  while (awaits_refusal_ && in_flight_ > 0) {
    const absl::Duration left = deadline - clock_.Monotonic();
    if (left <= absl::ZeroDuration()) break;
    const EventHandle event = NextEvent(left);
    if (event == nullptr) break;
    Handle(event.get(), listener);
  }
  awaits_refusal_ = false;
}

EventHandle KafkaSink::NextEvent(absl::Duration wait) {
  if (!kept_events_.empty()) {
    EventHandle event = std::move(kept_events_.front());
    kept_events_.pop_front();
    return event;
  }
  if (queue_ == nullptr) return nullptr;
  return EventHandle(rd_kafka_queue_poll(queue_.get(), ToMilliseconds(wait)));
}

void KafkaSink::Handle(rd_kafka_event_t* event, DeliveryListener& listener) {
  if (rd_kafka_event_type(event) == RD_KAFKA_EVENT_DR) {
    HandleDeliveries(event, listener);
  } else {
    HandleOther(event);
  }
}

void KafkaSink::HandleDeliveries(rd_kafka_event_t* event, DeliveryListener& listener) {
  const std::size_t batch = rd_kafka_event_message_count(event);
  const rd_kafka_message_t* refused = nullptr;
  std::size_t refused_bytes = 0;
  TopicTally tally;
  while (const rd_kafka_message_t* message = rd_kafka_event_message_next(event)) {
    --in_flight_;
    if (message->err == RD_KAFKA_RESP_ERR_NO_ERROR) {
      auto& topic = *static_cast<Topic*>(rd_kafka_topic_opaque(message->rkt));
      if (topic.gate.waits()) topic.gate.OnDelivered(message->partition);
      tally.Add(topic.counters, message->len);
      listener.OnDelivered(TicketOf(*message), CostOf(*message));
      delivered_since_poll_ = true;
      continue;
    }
    if (RefusesBatch(message->err)) refused = message;
    refused_bytes += message->key_len + message->len;
    HandleFailure(*message, batch, listener);
  }
  if (refused != nullptr && batch > 1) SendSmallerBatches(*refused, refused_bytes);
}

void KafkaSink::HandleFailure(const rd_kafka_message_t& message, std::size_t batch,
                              DeliveryListener& listener) {
  const EventFacts facts = {.topic = rd_kafka_topic_name(message.rkt),
                            .bytes = message.key_len + message.len,
                            .max_message_bytes = {},
                            .id = IdOf(message)};
  const absl::Status reason = DeliveryError(message.err, facts, batch == 1);
  if (!IsPurge(message.err)) {
    // Whatever is published behind it could overtake it.
    if (lost_.ok()) lost_ = absl::UnavailableError(reason.message());
    awaits_refusal_ = false;
    refusal_heard_ = true;
  }
  listener.OnFailed(TicketOf(message), CostOf(message), reason);
}

// The events of a refused batch may each be acceptable; in batches small enough they are refused
// one by one, if at all.
void KafkaSink::SendSmallerBatches(const rd_kafka_message_t& refused, std::size_t bytes) {
  const bool too_large = refused.err == RD_KAFKA_RESP_ERR_MSG_SIZE_TOO_LARGE;
  max_batch_bytes_ = too_large ? std::max<std::size_t>(bytes / 4, 1) : 1;
  logger_.Warn("kafka: a batch was refused, smaller ones are sent from now on",
               {{"topic", rd_kafka_topic_name(refused.rkt)},
                {"reason", rd_kafka_err2str(refused.err)},
                {"batch_bytes", bytes},
                {"max_batch_bytes", max_batch_bytes_},
                {"hint",
                 "set batch.size in kafka.properties below the topic's "
                 "max.message.bytes"}});
}

void KafkaSink::HandleOther(rd_kafka_event_t* event) {
  switch (rd_kafka_event_type(event)) {
    case RD_KAFKA_EVENT_ERROR:
      return HandleError(event);
    case RD_KAFKA_EVENT_LOG:
      return HandleLog(event);
    case RD_KAFKA_EVENT_STATS:
      return HandleStats(event);
    default:
      return;
  }
}

void KafkaSink::HandleError(rd_kafka_event_t* event) {
  const rd_kafka_resp_err_t error = rd_kafka_event_error(event);
  const std::string_view reason = rd_kafka_event_error_string(event);
  if (error == RD_KAFKA_RESP_ERR__FATAL ||
      error == rd_kafka_fatal_error(client_.get(), nullptr, 0)) {
    NoticeFatalError();
  } else if (error == RD_KAFKA_RESP_ERR__ALL_BROKERS_DOWN) {
    health_.AllDown(reason);
  } else if (IsAboutConnection(error)) {
    refused_credentials_ = IsAboutCredentials(error);
    health_.ConnectionFailed(reason);
  } else {
    health_.ClientLog(LogLevel::kWarn, rd_kafka_err2name(error), reason);
  }
}

bool KafkaSink::NoticeFatalError() {
  std::array<char, 512> text{};
  const rd_kafka_resp_err_t error = rd_kafka_fatal_error(client_.get(), text.data(), text.size());
  if (error == RD_KAFKA_RESP_ERR_NO_ERROR) return false;
  if (error == RD_KAFKA_RESP_ERR__GAPLESS_GUARANTEE && !refusal_heard_) awaits_refusal_ = true;
  if (lost_.ok()) {
    lost_ = absl::UnavailableError(absl::StrCat("the kafka producer is lost: ", text.data()));
  }
  return true;
}

void KafkaSink::HandleLog(rd_kafka_event_t* event) {
  const char* facility = "";
  const char* text = "";
  int severity = 0;
  if (rd_kafka_event_log(event, &facility, &text, &severity) != 0) return;
  const std::string_view kind = facility;
  // Failures come as error events as well, and the warning is about a property that we chose.
  const bool known = kind == "FAIL" || kind == "ERROR" || kind == "FATAL" ||
                     (kind == "CONFWARN" &&
                      std::string_view(text).find("enable.gapless") != std::string_view::npos);
  health_.ClientLog(known ? LogLevel::kDebug : FromSyslogSeverity(severity), kind, text);
}

void KafkaSink::HandleStats(rd_kafka_event_t* event) {
  // States of brokers are the only ones that are spelled so.
  const char* stats = rd_kafka_event_stats(event);
  if (stats != nullptr && std::strstr(stats, "\"state\":\"UP\"") != nullptr) {
    health_.Reachable();
  } else {
    health_.Tick();
  }
}

void KafkaSink::DrainEventFd() {
  std::uint64_t count = 0;
  // One read takes the whole count; with none it fails, which is as good.
  [[maybe_unused]] const ssize_t read = ::read(event_fd_.get(), &count, sizeof count);
}

void KafkaSink::WakeEventFd() {
  constexpr std::uint64_t kOne = 1;
  // It fails only when the count is at its maximum, and then the descriptor is readable.
  [[maybe_unused]] const ssize_t written = ::write(event_fd_.get(), &kOne, sizeof kOne);
}

absl::Status KafkaSink::WaitForBroker(absl::Duration limit, const StopSignal& stop) {
  absl::Duration deadline = clock_.Monotonic() + limit;
  bool refused = false;
  refused_credentials_ = false;
  while (lost_.ok()) {
    if (stop.requested()) return absl::CancelledError("stopped while waiting for a kafka broker");
    const absl::Duration left = deadline - clock_.Monotonic();
    if (left <= absl::ZeroDuration()) return NobodyAnswered(limit);
    if (AskAnyBroker(std::min(left, kBrokerAttempt), stop)) return absl::OkStatus();
    ServeWhileWaiting();
    if (refused_credentials_ && !refused) {
      // A broker that starts may refuse at first; but who mistyped a password should hear soon.
      refused = true;
      deadline = std::min(deadline, clock_.Monotonic() + kCredentialsPatience);
    }
  }
  return lost_;
}

bool KafkaSink::AskAnyBroker(absl::Duration limit, const StopSignal& stop) {
  const absl::Duration began = clock_.Monotonic();
  const rd_kafka_metadata_t* metadata = nullptr;
  const rd_kafka_resp_err_t error =
      rd_kafka_metadata(client_.get(), /*all_topics=*/0, nullptr, &metadata, ToMilliseconds(limit));
  if (error == RD_KAFKA_RESP_ERR_NO_ERROR) {
    rd_kafka_metadata_destroy(metadata);
    ServeWhileWaiting();
    health_.Reachable();
    return true;
  }
  // Some errors come at once; asking again at once would spin.
  const absl::Duration left = limit - (clock_.Monotonic() - began);
  pollfd stopped = {.fd = stop.fd(), .events = POLLIN, .revents = 0};
  if (left > absl::ZeroDuration()) ::poll(&stopped, 1, ToMilliseconds(left));
  return false;
}

void KafkaSink::ServeWhileWaiting() {
  while (EventHandle event{rd_kafka_queue_poll(queue_.get(), 0)}) {
    if (rd_kafka_event_type(event.get()) == RD_KAFKA_EVENT_DR) {
      kept_events_.push_back(std::move(event));
      WakeEventFd();
    } else {
      HandleOther(event.get());
    }
  }
}

absl::Status KafkaSink::NobodyAnswered(absl::Duration limit) const {
  const std::string brokers = BrokerList(options_);
  const std::string reason =
      health_.last_reason().empty() ? std::string("no answer") : health_.last_reason();
  if (refused_credentials_) {
    return absl::UnauthenticatedError(
        absl::StrCat("the brokers of '", brokers, "' refuse the connection: ", reason,
                     "; hint: check security.protocol, sasl.* and ssl.* in kafka.properties"));
  }
  return absl::UnavailableError(absl::StrCat(
      "no broker of '", brokers, "' answered within ", absl::FormatDuration(limit), ": ", reason,
      "; hint: check kafka.brokers (--brokers) and that '", brokers, "' listens"));
}

absl::Status KafkaSink::InjectFatalErrorForTest() {
  const rd_kafka_resp_err_t error = rd_kafka_test_fatal_error(
      client_.get(), RD_KAFKA_RESP_ERR_OUT_OF_ORDER_SEQUENCE_NUMBER, "injected by a test");
  return error == RD_KAFKA_RESP_ERR_NO_ERROR ? absl::OkStatus()
                                             : absl::InternalError(rd_kafka_err2str(error));
}

}  // namespace walpost::kafka
