#include "collect/metric_status.h"

#include <ctime>
#include <utility>

#include "collect/registry.h"
#include "collect/sampler.h"
#include "collect/tick_clock.h"

namespace reveal::collect {
namespace {

constexpr std::int64_t kPatienceNs = 3'000'000'000;

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

void add_statuses(const CollectorDescriptor& descriptor, const Source& source,
                  const model::ChannelTable& channels, std::vector<MetricStatus>& out) {
  for (const auto& metric : descriptor.metrics()) {
    MetricStatus status{descriptor.name, metric, instances_of(channels, metric.name), {}, {}};
    if (!source.is_open()) {
      say_why(status, source.why_closed());
    } else if (!status.available()) {
      say_why(status, source.why_absent(metric));
    }
    out.push_back(std::move(status));
  }
}

}  // namespace

base::Result<std::vector<MetricStatus>> survey(const procfs::HostRoot& root, const PollPlan& plan) {
  auto specs = planned_sources(plan);
  if (!specs) return base::pass(specs);
  ReadingCrews crews;
  std::vector<Source> sources;
  for (auto& spec : *specs) sources.emplace_back(std::move(spec), crews);
  model::ChannelTable channels;
  model::Frame frame;
  for (Source& source : sources) source.begin_opening(root, channels);
  const std::int64_t deadline = clock_ns(CLOCK_MONOTONIC) + kPatienceNs;
  std::vector<MetricStatus> out;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    sources[i].finish_opening(deadline);
    frame.resize(channels.channel_count());
    sources[i].tick({channels, frame, plan, std::chrono::seconds(1), 0});
    add_statuses(registry()[i], sources[i], channels, out);
  }
  return out;
}

}  // namespace reveal::collect
