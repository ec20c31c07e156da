#ifndef WALPOST_OBSERVABILITY_METRICS_PAGE_H_
#define WALPOST_OBSERVABILITY_METRICS_PAGE_H_

#include <string>
#include <string_view>

#include "base/clock.h"
#include "core/topic_counters.h"
#include "walpost/relay_metrics.h"

namespace walpost::observability {

inline constexpr std::string_view kMetricsContentType = "text/plain; version=0.0.4; charset=utf-8";

// What /metrics answers with: every figure in Prometheus's text format, with names and help from
// metric_names.h. Reads each figure once; figures may be of slightly different moments. Safe on any
// thread.
//
// Numbers have 16 significant digits, so a position in the WAL is exact below 2^53 bytes (8 PiB).
// Source: https://prometheus.io/docs/instrumenting/exposition_formats/
std::string RenderMetricsPage(const RelayMetrics& metrics, const TopicCounterTable& topics,
                              const Clock& clock, std::string_view version);

}  // namespace walpost::observability

#endif  // WALPOST_OBSERVABILITY_METRICS_PAGE_H_
