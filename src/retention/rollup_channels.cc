#include "retention/rollup_channels.h"

#include <algorithm>
#include <string>

namespace reveal::retention {
namespace {

using model::ChannelTable;
using model::MetricId;

std::string beside_name(const model::MetricDescriptor& metric, std::size_t statistic) {
  return std::string(metric.name).append(suffix(static_cast<Statistic>(statistic)));
}

// A metric of a rollup whose name is that of one before it and a suffix is that one's statistic: no
// metric that Reveal collects has such a name, which a test of its catalog sees to.
std::optional<Statistic> statistic_of(const ChannelTable& rollup, MetricId id) {
  const auto& metric = rollup.metric(id);
  for (std::size_t i = 0; i < kStatistics; ++i) {
    const auto end = suffix(static_cast<Statistic>(i));
    if (!metric.name.ends_with(end)) continue;
    const auto of = rollup.find_metric(metric.name.substr(0, metric.name.size() - end.size()));
    if (of && *of < id) return static_cast<Statistic>(i);
  }
  return std::nullopt;
}

// An imported recording may have metrics of any name.
bool name_is_taken(const ChannelTable& fine, const model::MetricDescriptor& metric) {
  for (std::size_t i = 0; i < kStatistics; ++i) {
    if (fine.find_metric(beside_name(metric, i))) return true;
  }
  return false;
}

}  // namespace

void RollupChannels::resume(const ChannelTable& table) {
  for (std::size_t i = 0; i < table.metric_count(); ++i)
    table_.add_metric(table.metric(MetricId(i)));
  for (std::size_t i = 0; i < table.channel_count(); ++i) {
    const auto& channel = table.channel(model::ChannelId(i));
    table_.add_channel(channel.metric, channel.instance);
  }
}

RollupChannels::Metrics RollupChannels::add(const ChannelTable& fine, MetricId id) {
  const auto& metric = fine.metric(id);
  Metrics out;
  out.latest = table_.add_metric(metric);
  if (fine_ == FineSource::kRollup) {
    out.is = statistic_of(fine, id);
  } else if (metric.kind != model::Kind::kStatic && !name_is_taken(fine, metric)) {
    out.beside = add_summary_metrics(table_, metric);
  }
  return out;
}

const RollupChannels::Metrics& RollupChannels::metrics_of(const ChannelTable& fine, MetricId id) {
  if (metrics_.size() <= id.index()) metrics_.resize(id.index() + 1);
  auto& known = metrics_[id.index()];
  if (!known) known = add(fine, id);
  return *known;
}

void RollupChannels::grow(const ChannelTable& fine, std::size_t count) {
  for (std::size_t i = routes_.size(); i < count; ++i) {
    const auto& channel = fine.channel(model::ChannelId(i));
    const Metrics& metrics = metrics_of(fine, channel.metric);
    Route route{table_.add_channel(metrics.latest, channel.instance), std::nullopt, metrics.is};
    if (metrics.beside) {
      auto& beside = route.beside.emplace();
      for (std::size_t k = 0; k < kStatistics; ++k) {
        beside[k] = table_.add_channel((*metrics.beside)[k], channel.instance);
      }
    }
    routes_.push_back(route);
  }
}

}  // namespace reveal::retention
