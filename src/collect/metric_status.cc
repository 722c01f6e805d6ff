#include "collect/metric_status.h"

#include <utility>

#include "collect/registry.h"

namespace reveal::collect {
namespace {

std::vector<std::string> instances_of(const model::ChannelTable& channels, std::string_view name) {
  std::vector<std::string> out;
  const auto metric = channels.find_metric(name);
  if (!metric) return out;
  for (std::size_t i = 0; i < channels.channel_count(); ++i) {
    const auto& channel = channels.channel(model::ChannelId(i));
    if (channel.metric == *metric) out.emplace_back(channel.instance);
  }
  return out;
}

void say_why(MetricStatus& status, base::Error error) {
  status.remedy = std::exchange(error.remedy, {});
  status.reason = error.message();
}

void survey_one(const CollectorDescriptor& descriptor, const procfs::HostRoot& root,
                std::vector<MetricStatus>& out) {
  const auto collector = descriptor.make();
  model::ChannelTable channels;
  const auto opened = collector->open(root, channels);
  for (const auto& metric : descriptor.metrics()) {
    MetricStatus status{descriptor.name, metric, instances_of(channels, metric.name), {}, {}};
    if (!opened) {
      say_why(status, opened.error());
    } else if (!status.available()) {
      say_why(status, collector->why_absent(metric));
    }
    out.push_back(std::move(status));
  }
}

}  // namespace

std::vector<MetricStatus> survey(const procfs::HostRoot& root) {
  std::vector<MetricStatus> out;
  for (const auto& descriptor : registry()) survey_one(descriptor, root, out);
  return out;
}

}  // namespace reveal::collect
