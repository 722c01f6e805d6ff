#include "collect/parts/instance_channels.h"

#include <fmt/format.h>

namespace reveal::collect {

InstanceChannels& core_channels(std::vector<InstanceChannels>& cores, std::uint32_t cpu,
                                std::span<const model::MetricDescriptor> metrics) {
  while (cores.size() <= cpu) {
    cores.emplace_back(metrics, fmt::format("cpu={}", cores.size()));
  }
  return cores[cpu];
}

}  // namespace reveal::collect
