// The agent's metrics for Prometheus: one row a metric, from which /metrics and its reference page
// are made (metrics_text.h). A new metric is a row in metrics.cc.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "http/http_counts.h"
#include "http/metrics.h"
#include "serve/agent_state.h"

namespace reveal::serve {

// What a scrape is made of.
struct Scrape {
  const AgentState& state;
  const http::HttpCounts& http;
};

std::span<const http::MetricGroup> metric_groups();

using MetricRow = http::MetricRow<Scrape>;
std::span<const MetricRow> metric_rows();

// The group that has no rows: what is recorded, of which the server knows nothing.
inline constexpr std::string_view kRecordedGroup = "channels";

// The most series that a scrape has if nothing is asked for.
inline constexpr int kMostDefaultSeries = 150;

}  // namespace reveal::serve
