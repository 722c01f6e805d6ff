#include "catalog/current_values.h"

#include <chrono>
#include <cmath>
#include <limits>

#include "collect/sampler.h"
#include "derive/deriver.h"

namespace reveal::catalog {
namespace {

constexpr std::chrono::milliseconds kWatch{1200};

// A channel that is read every second is missing in most rows.
void keep_known(std::span<const double> row, std::vector<double>& latest) {
  latest.resize(row.size(), std::numeric_limits<double>::quiet_NaN());
  for (std::size_t i = 0; i < row.size(); ++i) {
    if (!std::isnan(row[i])) latest[i] = row[i];
  }
}

CurrentValues by_metric(const model::ChannelTable& channels, const std::vector<double>& latest) {
  CurrentValues out;
  for (std::size_t i = 0; i < latest.size(); ++i) {
    const model::ChannelId id(i);
    MetricValues& metric = out[std::string(channels.metric(id).name)];
    metric.unit = channels.metric(id).unit;
    metric.channels.emplace_back(channels.channel(id).instance, latest[i]);
  }
  return out;
}

}  // namespace

base::Result<CurrentValues> current_values(const procfs::HostRoot& root,
                                           const collect::PollPlan& poll_plan) {
  auto sampler = collect::Sampler::open({.root = root, .duration = kWatch, .poll_plan = poll_plan});
  if (!sampler) return base::pass(sampler);
  derive::Deriver deriver;
  std::vector<double> latest;
  while (true) {
    const auto frame = (*sampler)->next();
    if (!frame) return base::pass(frame);
    if (*frame == nullptr) return by_metric(deriver.channels(), latest);
    keep_known(deriver.step((*sampler)->channels(), **frame), latest);
  }
}

}  // namespace reveal::catalog
