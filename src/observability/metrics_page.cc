#include "observability/metrics_page.h"

#include <absl/time/time.h>
#include <prometheus/metric_family.h>
#include <prometheus/text_serializer.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "observability/metric_names.h"

namespace walpost::observability {
namespace {

using prometheus::ClientMetric;
using prometheus::MetricFamily;
using prometheus::MetricType;
using Labels = std::vector<ClientMetric::Label>;

constexpr std::array kStates = {RelayState::kStarting, RelayState::kConnecting,
                                RelayState::kStandby,  RelayState::kStreaming,
                                RelayState::kDraining, RelayState::kStopped};

MetricFamily Family(const MetricName& metric, MetricType type) {
  MetricFamily family;
  family.name = metric.name;
  family.help = metric.help;
  family.type = type;
  return family;
}

void AddRow(MetricFamily& family, double value, Labels labels) {
  ClientMetric row;
  row.label = std::move(labels);
  (family.type == MetricType::Counter ? row.counter.value : row.gauge.value) = value;
  family.metric.push_back(std::move(row));
}

MetricFamily Single(const MetricName& metric, MetricType type, double value) {
  MetricFamily family = Family(metric, type);
  AddRow(family, value, {});
  return family;
}

MetricFamily Gauge(const MetricName& metric, std::int64_t value) {
  return Single(metric, MetricType::Gauge, static_cast<double>(value));
}

MetricFamily Counter(const MetricName& metric, const RelaxedCell& cell) {
  return Single(metric, MetricType::Counter, static_cast<double>(cell.Get()));
}

MetricFamily BuildInfo(std::string_view version) {
  MetricFamily family = Family(kBuildInfo, MetricType::Gauge);
  AddRow(family, 1, {{"version", std::string(version)}});
  return family;
}

MetricFamily State(RelayState current) {
  MetricFamily family = Family(kState, MetricType::Gauge);
  for (RelayState state : kStates) {
    AddRow(family, state == current ? 1 : 0, {{"state", std::string(RelayStateName(state))}});
  }
  return family;
}

MetricFamily Reconnects(const RelayMetrics& metrics) {
  MetricFamily family = Family(kReconnects, MetricType::Counter);
  AddRow(family, static_cast<double>(metrics.reconnects_postgres.Get()), {{"peer", "postgres"}});
  AddRow(family, static_cast<double>(metrics.reconnects_kafka.Get()), {{"peer", "kafka"}});
  return family;
}

// A row for each pair, also of zero: an alert on the rate would miss a counter's first event if it
// appeared with it.
MetricFamily PoisonEvents(const RelayMetrics& metrics) {
  MetricFamily family = Family(kPoisonEvents, MetricType::Counter);
  for (PoisonReason reason : kPoisonReasons) {
    for (PoisonAction action : kPoisonActions) {
      const RelaxedCell& count =
          metrics.poison_events[static_cast<std::size_t>(reason)][static_cast<std::size_t>(action)];
      AddRow(family, static_cast<double>(count.Get()),
             {{"reason", std::string(PoisonReasonName(reason))},
              {"action", std::string(PoisonActionName(action))}});
    }
  }
  return family;
}

MetricFamily CommitToAck(const DurationHistogram& histogram) {
  ClientMetric row;
  std::uint64_t count = 0;
  for (std::size_t i = 0; i < DurationHistogram::kBounds.size(); ++i) {
    count += static_cast<std::uint64_t>(histogram.BucketCount(i));
    row.histogram.bucket.push_back({count, DurationHistogram::kBounds[i]});
  }
  // The serializer adds the bucket of +Inf from the count.
  count += static_cast<std::uint64_t>(histogram.BucketCount(DurationHistogram::kBounds.size()));
  row.histogram.sample_count = count;
  row.histogram.sample_sum = histogram.SumSeconds();
  MetricFamily family = Family(kCommitToAck, MetricType::Histogram);
  family.metric.push_back(std::move(row));
  return family;
}

// Unknown, and so 0, until the server has told both ends.
std::int64_t LagBytes(const RelayMetrics& metrics) {
  std::int64_t confirmed = metrics.confirmed_lsn.Get();
  if (confirmed == 0) return 0;
  return std::max<std::int64_t>(metrics.server_wal_end.Get() - confirmed, 0);
}

double LagSeconds(const RelayMetrics& metrics, const Clock& clock) {
  std::int64_t oldest = metrics.oldest_unacked_commit_us.Get();
  if (oldest == 0) return 0;
  // The commit was stamped by the server's clock, which may be ahead of ours.
  return std::max(absl::ToDoubleSeconds(clock.Now() - absl::FromUnixMicros(oldest)), 0.0);
}

void AddTopics(const TopicCounterTable& topics, std::vector<MetricFamily>& families) {
  MetricFamily events = Family(kEventsPublished, MetricType::Counter);
  MetricFamily bytes = Family(kBytesPublished, MetricType::Counter);
  topics.Visit([&](std::string_view topic, const TopicCounters& counters) {
    Labels labels = {{"topic", std::string(topic)}};
    AddRow(events, static_cast<double>(counters.events.Get()), labels);
    AddRow(bytes, static_cast<double>(counters.bytes.Get()), labels);
  });
  families.push_back(std::move(events));
  families.push_back(std::move(bytes));
}

}  // namespace

std::string RenderMetricsPage(const RelayMetrics& metrics, const TopicCounterTable& topics,
                              const Clock& clock, std::string_view version) {
  std::vector<MetricFamily> families;
  families.push_back(BuildInfo(version));
  families.push_back(State(metrics.state.load(std::memory_order_relaxed)));
  families.push_back(Gauge(kBrokerUp, metrics.broker_up.load(std::memory_order_relaxed) ? 1 : 0));
  AddTopics(topics, families);
  families.push_back(Gauge(kEventsInFlight, metrics.events_in_flight.Get()));
  families.push_back(Gauge(kBytesInFlight, metrics.bytes_in_flight.Get()));
  families.push_back(CommitToAck(metrics.commit_to_ack));
  families.push_back(Gauge(kReceivedLsn, metrics.received_lsn.Get()));
  families.push_back(Gauge(kConfirmedLsn, metrics.confirmed_lsn.Get()));
  families.push_back(Gauge(kLagBytes, LagBytes(metrics)));
  families.push_back(Single(kLagSeconds, MetricType::Gauge, LagSeconds(metrics, clock)));
  families.push_back(Reconnects(metrics));
  families.push_back(PoisonEvents(metrics));
  families.push_back(Counter(kRowsIgnored, metrics.rows_ignored));
  families.push_back(Counter(kUpdatesIgnored, metrics.updates_ignored));
  families.push_back(Counter(kTruncatesIgnored, metrics.truncates_ignored));
  return prometheus::TextSerializer().Serialize(families);
}

}  // namespace walpost::observability
