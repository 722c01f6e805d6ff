#include "catalog/metric_details.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include <fmt/format.h>
#include <fnmatch.h>

#include "text/quantity.h"

namespace reveal::catalog {
namespace {

constexpr std::size_t kChannelsShown = 12;

std::string value_text(double value, std::string_view unit) {
  return std::isnan(value) ? "not read twice in this second" : text::format_quantity(value, unit);
}

void append_values(const MetricValues& metric, std::string& out) {
  for (std::size_t i = 0; i < metric.channels.size() && i < kChannelsShown; ++i) {
    const auto& [instance, value] = metric.channels[i];
    fmt::format_to(std::back_inserter(out), "  now{}{}: {}\n", instance.empty() ? "" : " ",
                   instance, value_text(value, metric.unit));
  }
  if (metric.channels.size() <= kChannelsShown) return;
  fmt::format_to(std::back_inserter(out), "  and {} channels more (--format json has all)\n",
                 metric.channels.size() - kChannelsShown);
}

}  // namespace

bool is_about(std::string_view word, const Row& row) {
  const std::string name(row.metric.name);
  if (word.find_first_of("*?[") != std::string_view::npos) {
    return ::fnmatch(std::string(word).c_str(), name.c_str(), 0) == 0;
  }
  return name.find(word) != std::string::npos || word == row.metric.alias ||
         word == row.collector || word == model::to_string(row.metric.subsystem);
}

std::string details_of(const Row& row, const CurrentValues& values) {
  const auto& metric = row.metric;
  std::string out = fmt::format(
      "{}\n  {}\n  {} in {}, a channel per {}; subsystem {}\n  source: {}", metric.name,
      metric.help, model::to_string(metric.kind), metric.unit, model::to_string(metric.scope),
      model::to_string(metric.subsystem), metric.source);
  if (!metric.doc_url.empty()) out += fmt::format(" ({})", metric.doc_url);
  out += '\n';
  if (!row.available()) {
    out += fmt::format("  missing: {}\n", row.reason);
    if (!row.remedy.empty()) out += fmt::format("  what would add it: {}\n", row.remedy);
    return out;
  }
  if (const auto found = values.find(metric.name); found != values.end()) {
    append_values(found->second, out);
  }
  return out;
}

}  // namespace reveal::catalog
