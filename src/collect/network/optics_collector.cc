// The health of optical modules: light, laser current, temperature. Reading a module's memory is a
// slow conversation over I2C through the adapter's firmware and needs CAP_NET_ADMIN, so this is
// read only if the configuration asks for it.
#include <algorithm>
#include <cerrno>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "collect/collector.h"
#include "collect/network/ethtool_adapters.h"
#include "collect/parts/instance_channels.h"
#include "netlink/optics.h"

namespace reveal::collect {
namespace {

std::vector<model::MetricDescriptor> optics_metrics();

using model::MetricDescriptor;

constexpr MetricDescriptor monitor(std::string_view source, std::string_view alias,
                                   std::string_view unit, double scale, std::string_view name,
                                   std::string_view label, std::string_view help) {
  MetricDescriptor out;
  out.name = name;
  out.label = label;
  out.unit = unit;
  out.scale = scale;
  out.subsystem = model::Subsystem::kNetwork;
  out.scope = model::Scope::kNic;
  out.source = source;
  out.alias = alias;
  out.doc_url = "https://docs.kernel.org/networking/ethtool-netlink.html#module-eeprom-get";
  out.help = help;
  out.rank = 50;
  return out;
}

constexpr MetricDescriptor real(MetricDescriptor out) {
  out.repr = model::Repr::kF64;
  return out;
}

enum Monitor : std::size_t { kReceivePower, kSendPower, kBias, kTemperature, kVoltage };

// In the order of Monitor.
constexpr MetricDescriptor kMetrics[] = {
    monitor("ethtool GMODULEEEPROM receive power", "Receiver signal average optical power", "watts",
            1e-7, "network_optics_receive_power_watts", "Light received",
            "Optical power that a lane of the module receives."),
    monitor("ethtool GMODULEEEPROM send power", "Laser output power", "watts", 1e-7,
            "network_optics_send_power_watts", "Light sent",
            "Optical power that a lane of the module sends."),
    monitor("ethtool GMODULEEEPROM bias current", "Laser bias current", "amperes", 2e-6,
            "network_optics_bias_amperes", "Laser bias current",
            "Current through a lane's laser; rises as the laser ages."),
    real(monitor("ethtool GMODULEEEPROM temperature", "Module temperature", "celsius", 1.0,
                 "network_optics_temperature_celsius", "Optical module temperature",
                 "Temperature inside the module.")),
    monitor("ethtool GMODULEEEPROM supply voltage", "Module voltage", "volts", 1e-4,
            "network_optics_voltage_volts", "Optical module voltage",
            "Supply voltage of the module."),
};

class OpticsCollector final : public Collector {
 public:
  base::Result<void> open(const procfs::HostRoot& root, model::ChannelTable& channels) override {
    if (auto opened = adapters_.open(root); !opened) return opened;
    add_channels_of(*this, channels);
    if (!devices_.empty()) return {};
    if (refusal_ == EPERM) {
      return base::fail(base::ErrorKind::kAbsent, "reading modules needs a privilege", "ethtool",
                        "give reveal CAP_NET_ADMIN");
    }
    return base::fail(base::ErrorKind::kAbsent, "no adapter has an optical module with monitors",
                      "ethtool");
  }

  void collect(FrameWriter& writer) override {
    for (const std::string& name : adapters_.names()) read(writer, name);
  }

 private:
  struct Device {
    std::string name;
    InstanceChannels module;
    std::vector<InstanceChannels> lanes;
  };

  void read(FrameWriter& writer, const std::string& name) {
    const auto memory = adapters_.ethtool().module_memory(name);
    if (!memory) refusal_ = adapters_.ethtool().last_errno();
    const auto optics = memory ? netlink::parse_optics(memory->type, memory->bytes) : std::nullopt;
    if (!optics) return;
    Device& device = find(name);
    device.module.set(writer, kTemperature, optics->temperature_celsius);
    device.module.set(writer, kVoltage, optics->supply_voltage);
    for (std::size_t lane = 0; lane < netlink::kOpticLanes; ++lane) {
      device.lanes[lane].set(writer, kReceivePower, optics->lanes[lane].receive_power);
      device.lanes[lane].set(writer, kSendPower, optics->lanes[lane].send_power);
      device.lanes[lane].set(writer, kBias, optics->lanes[lane].bias_current);
    }
  }

  Device& find(const std::string& name) {
    const auto at = std::find_if(devices_.begin(), devices_.end(),
                                 [&](const Device& device) { return device.name == name; });
    if (at != devices_.end()) return *at;
    Device& added = devices_.emplace_back(
        Device{name, InstanceChannels(metrics_, fmt::format("dev={}", name)), {}});
    for (std::size_t lane = 0; lane < netlink::kOpticLanes; ++lane) {
      added.lanes.emplace_back(metrics_, fmt::format("dev={},lane={}", name, lane));
    }
    return added;
  }

  EthtoolAdapters adapters_;
  std::vector<MetricDescriptor> metrics_ = optics_metrics();
  std::vector<Device> devices_;
  int refusal_ = 0;
};

std::vector<MetricDescriptor> optics_metrics() {
  return {std::begin(kMetrics), std::end(kMetrics)};
}

std::unique_ptr<Collector> make_optics() {
  return std::make_unique<OpticsCollector>();
}

}  // namespace

extern const CollectorDescriptor kOpticsCollector = {
    .name = "optics",
    .help = "light and temperature per optical module",
    .make = make_optics,
    .metrics = optics_metrics,
    .poll_class = PollClass::kSlow,
    .may_block = true,
    .opt_in = true,
};

}  // namespace reveal::collect
