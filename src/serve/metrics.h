// The agent's metrics for Prometheus: one row a metric, from which /metrics and its reference page
// are made (metrics_text.h). A new metric is a row in metrics.cc.
//
// No sample has a time, and none has a label for the host: the scraper knows both. A value that is
// not known has no sample.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "http/http_counts.h"
#include "http/samples.h"
#include "serve/agent_state.h"

namespace reveal::serve {

enum class MetricType : std::uint8_t { kGauge, kCounter, kHistogram, kInfo };

// What a scrape is made of.
struct Scrape {
  const AgentState& state;
  const http::HttpCounts& http;
};

// Metrics that are asked for together, by `?collect[]=` and `?exclude[]=`.
struct MetricGroup {
  std::string_view name = {};
  bool by_default = true;
  std::string_view help = {};  // a noun phrase
};
std::span<const MetricGroup> metric_groups();

struct MetricRow {
  std::string_view name = {};  // counters end with _total, infos with _info
  MetricType type = MetricType::kGauge;
  std::string_view unit = {};    // the unit at the end of the name, if it has one
  std::string_view group = {};   // of metric_groups()
  std::string_view labels = {};  // separated by ", "
  std::string_view help = {};    // one line without \ and "
  void (*append)(const Scrape& scrape, http::Samples& samples) = nullptr;
};
std::span<const MetricRow> metric_rows();

// The group that has no rows: what is recorded, of which the server knows nothing.
inline constexpr std::string_view kRecordedGroup = "channels";

// The most series that a scrape has if nothing is asked for.
inline constexpr int kMostDefaultSeries = 150;

}  // namespace reveal::serve
