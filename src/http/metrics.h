// Registries of metrics as text: the answer to a scrape, and its reference page. A metric is a row
// of a table; one without samples is not mentioned.
//
// No sample has a time, and none has a label for the host: the scraper knows both. A value that is
// not known has no sample.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "http/samples.h"

namespace reveal::http {

enum class MetricType : std::uint8_t { kGauge, kCounter, kHistogram, kInfo };

// Metrics that are asked for together, by `?collect[]=` and `?exclude[]=`.
struct MetricGroup {
  std::string_view name = {};
  bool by_default = true;
  std::string_view help = {};  // a noun phrase
};

// What a metric is, whatever it is made of.
struct MetricRules {
  std::string_view name = {};  // counters end with _total, infos with _info
  MetricType type = MetricType::kGauge;
  std::string_view unit = {};    // the unit at the end of the name, if it has one
  std::string_view group = {};   // of the registry's groups
  std::string_view labels = {};  // separated by ", "
  std::string_view help = {};    // one line without \ and "
};

// `Scrape` is what a scrape is made of.
template <typename Scrape>
struct MetricRow {
  std::string_view name = {};  // as in MetricRules
  MetricType type = MetricType::kGauge;
  std::string_view unit = {};
  std::string_view group = {};
  std::string_view labels = {};
  std::string_view help = {};
  void (*append)(const Scrape& scrape, Samples& samples) = nullptr;

  MetricRules rules() const { return {name, type, unit, group, labels, help}; }
};

// Returns the groups of a scrape: `collected`, or else the default ones without `excluded`. Fails
// with kUsage if one is unknown, or if both are given.
base::Result<std::vector<std::string_view>> chosen_groups(std::span<const MetricGroup> all,
                                                          std::span<const std::string> collected,
                                                          std::span<const std::string> excluded);

// Appends a metric with its samples' lines; nothing if it has none.
void append_metric(const MetricRules& rules, std::string_view lines, Exposition format,
                   std::string& out);

// Returns the answer to a scrape of these groups, and `more` behind it.
template <typename Scrape>
std::string metrics_text(std::span<const MetricRow<Scrape>> rows, const Scrape& scrape,
                         std::span<const std::string_view> groups, Exposition format,
                         std::string_view more = {}) {
  std::string out;
  for (const auto& row : rows) {
    if (std::find(groups.begin(), groups.end(), row.group) == groups.end()) continue;
    std::string lines;
    Samples samples(row.name, format, lines);
    row.append(scrape, samples);
    append_metric(row.rules(), lines, format, out);
  }
  out += more;
  if (format == Exposition::kOpenMetrics) out += "# EOF\n";
  return out;
}

// Returns a part of a reference page: a group, and the table of its metrics if it has any.
std::string reference_of(const MetricGroup& group, std::span<const MetricRules> rules);

template <typename Scrape>
std::string metrics_page(std::string_view opening, std::span<const MetricGroup> groups,
                         std::span<const MetricRow<Scrape>> rows) {
  std::string out(opening);
  for (const auto& group : groups) {
    std::vector<MetricRules> rules;
    for (const auto& row : rows) {
      if (row.group == group.name) rules.push_back(row.rules());
    }
    out += reference_of(group, rules);
  }
  return out;
}

}  // namespace reveal::http
