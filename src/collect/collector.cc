#include "collect/collector.h"

#include <string>

namespace reveal::collect {

base::Error Collector::why_absent(const model::MetricDescriptor& metric) const {
  const auto file = metric.source.substr(0, metric.source.find(' '));
  return {base::ErrorKind::kAbsent, "not in this kernel's " + std::string(file), "", ""};
}

void add_channels_of(Collector& collector, model::ChannelTable& channels) {
  model::Frame scratch;
  FrameWriter writer(channels, scratch);
  collector.collect(writer);
}

}  // namespace reveal::collect
