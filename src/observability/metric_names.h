#ifndef WALPOST_OBSERVABILITY_METRIC_NAMES_H_
#define WALPOST_OBSERVABILITY_METRIC_NAMES_H_

namespace walpost::observability {

// A metric as dashboards and alerts know it; never renamed. Counters end in _total.
struct MetricName {
  const char* name;
  const char* help;
};

inline constexpr MetricName kBuildInfo = {"walpost_build_info",
                                          "Always 1; the label tells the version."};
inline constexpr MetricName kState = {
    "walpost_state", "1 for what the relay is doing (see the label state), 0 for all else."};
inline constexpr MetricName kBrokerUp = {"walpost_broker_up",
                                         "Whether a Kafka broker is reachable: 1 or 0."};

inline constexpr MetricName kEventsPublished = {
    "walpost_events_published_total",
    "Events that every in-sync replica of the topic has acknowledged."};
inline constexpr MetricName kBytesPublished = {
    "walpost_bytes_published_total", "Bytes of the events that were acknowledged, by topic."};
inline constexpr MetricName kEventsInFlight = {
    "walpost_events_in_flight", "Events that were handed to Kafka and are not acknowledged yet."};
inline constexpr MetricName kBytesInFlight = {"walpost_bytes_in_flight",
                                              "Bytes of memory that the events in flight hold."};
inline constexpr MetricName kCommitToAck = {
    "walpost_commit_to_ack_seconds",
    "Time from an event's commit in PostgreSQL to its acknowledgement by Kafka."};

inline constexpr MetricName kReceivedLsn = {"walpost_received_lsn",
                                            "Highest WAL position that was received, in bytes."};
inline constexpr MetricName kConfirmedLsn = {
    "walpost_confirmed_lsn",
    "WAL position confirmed to the slot, in bytes: all events before it are in Kafka."};
inline constexpr MetricName kLagBytes = {
    "walpost_lag_bytes", "WAL between the confirmed position and the server's last known end."};
inline constexpr MetricName kLagSeconds = {
    "walpost_lag_seconds",
    "Age of the oldest commit that was received and is not wholly acknowledged; 0 when there is "
    "none."};

inline constexpr MetricName kReconnects = {"walpost_reconnects_total",
                                           "Connections made again after a loss, by peer."};
inline constexpr MetricName kPoisonEvents = {
    "walpost_poison_events_total",
    "Events that can never be published as they are, by reason and by what was done."};
inline constexpr MetricName kRowsIgnored = {"walpost_rows_ignored_total",
                                            "INSERTs into published tables that are no outbox."};
inline constexpr MetricName kUpdatesIgnored = {"walpost_updates_ignored_total",
                                               "UPDATEs of outbox rows, which are not events."};
inline constexpr MetricName kTruncatesIgnored = {"walpost_truncates_ignored_total",
                                                 "TRUNCATEs of published tables."};

}  // namespace walpost::observability

#endif  // WALPOST_OBSERVABILITY_METRIC_NAMES_H_
