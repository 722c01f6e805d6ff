#include "record/recorded_channels.h"

#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "derive/derived_metrics.h"

namespace reveal::record {
namespace {

std::string_view metric_of(std::string_view channel) {
  return channel.substr(0, channel.find('{'));
}

// Returns the raw metrics from which the plan's kept derived metrics are made.
std::set<std::string_view> inputs_of_kept(const select::SelectionPlan& plan) {
  std::set<std::string_view> needed;
  for (const auto& cluster : plan.clusters) needed.insert(metric_of(cluster.representative));
  // A derived metric is made of raw ones and of derived ones in rows above.
  const auto rows = derive::derived_metrics();
  for (std::size_t i = rows.size(); i > 0; --i) {
    const auto& row = rows[i - 1];
    if (needed.erase(row.descriptor.name) == 0) continue;
    needed.insert(row.inputs.begin(), row.inputs.end());
  }
  for (const auto& cluster : plan.clusters) needed.erase(metric_of(cluster.representative));
  return needed;
}

}  // namespace

model::ChannelFilter::Choice recorded_by(select::SelectionPlan plan) {
  return [plan = std::move(plan)](const model::ChannelTable& channels) {
    const auto inputs = inputs_of_kept(plan);
    std::vector<bool> keep = select::apply(plan, channels).keep;
    for (std::size_t i = 0; i < keep.size(); ++i) {
      const auto& metric = channels.metric(model::ChannelId(i));
      if (metric.kind == model::Kind::kStatic || inputs.contains(metric.name)) keep[i] = true;
    }
    return keep;
  };
}

}  // namespace reveal::record
