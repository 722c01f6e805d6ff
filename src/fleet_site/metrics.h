// The analyser's metrics for Prometheus: one row a metric (http/metrics.h), from which /metrics and
// its reference page are made. A new metric is a row in metrics.cc.
//
// No row has a series a host, and of groups only the first kMostGroups of shown_order() have one,
// of receivers of alerts the first kMostReceivers, so that a scrape stays small whatever the fleet
// is.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "fleet_site/fleet_state.h"
#include "http/http_counts.h"
#include "http/metrics.h"

namespace reveal::fleet_site {

// What a scrape is made of.
struct Scrape {
  const FleetState& state;
  const http::HttpCounts& http;
};

using MetricRow = http::MetricRow<Scrape>;

std::span<const http::MetricGroup> metric_groups();
std::span<const MetricRow> metric_rows();

// The most series that a scrape has if nothing is asked for.
inline constexpr int kMostDefaultSeries = 100;
inline constexpr std::size_t kMostGroups = 10;
inline constexpr std::size_t kMostReceivers = 4;

// As in http/metrics.h.
base::Result<std::vector<std::string_view>> chosen_groups(std::span<const std::string> collected,
                                                          std::span<const std::string> excluded);
std::string metrics_text(const Scrape& scrape, std::span<const std::string_view> groups,
                         http::Exposition format);

// Returns docs/reference/analyser_metrics.md.
std::string analyser_metrics_page();

}  // namespace reveal::fleet_site
