// The drivers' own statistics per network adapter (what `ethtool -S` lists): losses inside the
// adapter, pauses, the state of its PCIe link, RDMA traffic.
//
// A driver has hundreds to thousands of them, and asking may wake the adapter's firmware; only the
// values of the table are kept. Names are looked up once for each adapter, and again when the
// number of its statistics changes, as it does with the number of its queues.
#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "collect/collector.h"
#include "collect/network/ethtool_adapters.h"
#include "collect/network/ethtool_rows.h"
#include "collect/parts/instance_channels.h"

namespace reveal::collect {
namespace {

using model::MetricDescriptor;

std::vector<MetricDescriptor> metrics() {
  std::vector<MetricDescriptor> out;
  for (const auto& statistic : driver_statistics()) out.push_back(statistic.metric);
  return out;
}

class EthtoolStatisticsCollector final : public Collector {
 public:
  base::Result<void> open(const procfs::HostRoot& root, model::ChannelTable& channels) override {
    if (auto opened = adapters_.open(root); !opened) return opened;
    add_channels_of(*this, channels);
    const bool any = std::any_of(devices_.begin(), devices_.end(),
                                 [](const Device& device) { return !device.places.empty(); });
    if (any) return {};
    return base::fail(base::ErrorKind::kAbsent,
                      "the drivers of this host's adapters keep no such statistics", "ethtool");
  }

  void collect(FrameWriter& writer) override {
    for (const std::string& name : adapters_.names()) read(writer, device(name));
  }

  base::Error why_absent(const MetricDescriptor& metric) const override {
    (void)metric;
    return {base::ErrorKind::kAbsent, "no adapter's driver has this statistic", "ethtool", ""};
  }

 private:
  struct Device {
    std::string name;
    std::size_t statistics = 0;  // when the names were looked up
    std::vector<StatisticPlace> places;
    std::vector<InstanceChannels> channels;  // by priority, the last of none
  };

  Device& device(const std::string& name) {
    const auto at = std::find_if(devices_.begin(), devices_.end(),
                                 [&](const Device& device) { return device.name == name; });
    if (at != devices_.end()) return *at;
    Device& added = devices_.emplace_back();
    added.name = name;
    for (int priority = 0; priority < kPriorities; ++priority) {
      added.channels.emplace_back(metrics_, fmt::format("dev={},priority={}", name, priority));
    }
    added.channels.emplace_back(metrics_, fmt::format("dev={}", name));
    return added;
  }

  void read(FrameWriter& writer, Device& device) {
    auto& ethtool = adapters_.ethtool();
    const auto count = ethtool.statistic_count(device.name);
    if (!count) return;
    if (*count != device.statistics) look_up(device);
    if (device.places.empty()) return;
    const auto values = ethtool.statistics(device.name);
    if (!values || values->size() != device.statistics) return;  // changed under our hands
    for (const StatisticPlace& place : device.places) {
      device.channels[place.priority].set(writer, place.row, procfs::Value((*values)[place.index]));
    }
  }

  void look_up(Device& device) {
    device.places.clear();
    device.statistics = 0;
    const auto names = adapters_.ethtool().statistic_names(device.name);
    if (!names) return;
    device.statistics = names->size() / netlink::kStatisticNameBytes;
    device.places = find_statistics(*names);
  }

  EthtoolAdapters adapters_;
  std::vector<MetricDescriptor> metrics_ = metrics();
  std::vector<Device> devices_;
};

std::vector<MetricDescriptor> ethtool_statistics_metrics() {
  return metrics();
}

std::unique_ptr<Collector> make_ethtool_statistics() {
  return std::make_unique<EthtoolStatisticsCollector>();
}

}  // namespace

extern const CollectorDescriptor kEthtoolStatisticsCollector = {
    .name = "ethtool_statistics",
    .help = "the drivers' own statistics per network adapter",
    .make = make_ethtool_statistics,
    .metrics = ethtool_statistics_metrics,
    .poll_class = PollClass::kMedium,
    .may_block = true,
};

}  // namespace reveal::collect
