// How a network adapter is set up: queues, ring sizes, interrupt delay, pauses, offloads, driver
// and firmware. What differs here between two hosts that should be the same is often the cause.
#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "collect/collector.h"
#include "collect/network/ethtool_adapters.h"
#include "collect/parts/fact_text.h"
#include "collect/parts/instance_channels.h"

namespace reveal::collect {
namespace {

std::vector<model::MetricDescriptor> ethtool_settings_metrics();

using model::MetricDescriptor;
using procfs::Value;

constexpr MetricDescriptor setting(std::string_view source, std::string_view alias,
                                   std::string_view unit, std::string_view name,
                                   std::string_view label, std::string_view help) {
  MetricDescriptor out;
  out.name = name;
  out.label = label;
  out.unit = unit;
  out.kind = model::Kind::kStatic;
  out.subsystem = model::Subsystem::kNetwork;
  out.scope = model::Scope::kNic;
  out.source = source;
  out.alias = alias;
  out.doc_url = "https://docs.kernel.org/networking/ethtool-netlink.html";
  out.help = help;
  return out;
}

enum Setting : std::size_t { kChannels, kReceiveRing, kSendRing, kReceiveDelay, kPauses };

constexpr MetricDescriptor delay_in_us(MetricDescriptor out) {
  out.scale = 1e-6;
  return out;
}

// In the order of Setting.
constexpr MetricDescriptor kMetrics[] = {
    setting("ethtool GCHANNELS combined", "channels combined", "queues", "network_channels",
            "Adapter channels", "Pairs of queues that the driver serves, each with an interrupt."),
    setting("ethtool GRINGPARAM rx", "ring rx", "descriptors", "network_receive_ring_descriptors",
            "Receive ring size",
            "Packets that a receive queue can take before the host has looked at them."),
    setting("ethtool GRINGPARAM tx", "ring tx", "descriptors", "network_send_ring_descriptors",
            "Send ring size", "Packets that a send queue can hold for the adapter."),
    delay_in_us(setting("ethtool GCOALESCE rx_coalesce_usecs", "rx-usecs", "seconds",
                        "network_receive_interrupt_delay_seconds", "Receive interrupt delay",
                        "How long the adapter waits for more packets before it interrupts.")),
    setting("ethtool GPAUSEPARAM", "pause", "flags", "network_pause_flags", "Pause settings",
            "1 negotiated, plus 2 pauses when told to, plus 4 tells its peer to pause."),
};

class EthtoolSettingsCollector final : public Collector {
 public:
  base::Result<void> open(const procfs::HostRoot& root, model::ChannelTable& channels) override {
    if (auto opened = adapters_.open(root); !opened) return opened;
    add_channels_of(*this, channels);
    for (Device& device : devices_) {
      for (FactText* fact : {&device.driver, &device.firmware, &device.offloads}) fact->forget();
    }
    return {};
  }

  void collect(FrameWriter& writer) override {
    for (const std::string& name : adapters_.names()) {
      Device& device = find(name);
      set_numbers(writer, device);
      say_facts(writer, device);
    }
  }

  base::Error why_absent(const MetricDescriptor& metric) const override {
    (void)metric;
    return {base::ErrorKind::kAbsent, "no adapter's driver tells this setting", "ethtool", ""};
  }

 private:
  struct Device {
    std::string name;
    InstanceChannels channels;
    FactText driver;
    FactText firmware;
    FactText offloads;
  };

  Device& find(const std::string& name) {
    const auto at = std::find_if(devices_.begin(), devices_.end(),
                                 [&](const Device& device) { return device.name == name; });
    if (at != devices_.end()) return *at;
    devices_.push_back({name, InstanceChannels(metrics_, fmt::format("dev={}", name)),
                        FactText("driver of " + name), FactText("firmware of " + name),
                        FactText("offloads of " + name)});
    return devices_.back();
  }

  void set_numbers(FrameWriter& writer, Device& device) {
    auto& ethtool = adapters_.ethtool();
    if (const auto channels = ethtool.channels(device.name)) {
      device.channels.set(writer, kChannels, Value(*channels));
    }
    if (const auto rings = ethtool.rings(device.name)) {
      device.channels.set(writer, kReceiveRing, Value(rings->receive));
      device.channels.set(writer, kSendRing, Value(rings->send));
    }
    if (const auto delay = ethtool.receive_delay_us(device.name)) {
      device.channels.set(writer, kReceiveDelay, Value(*delay));
    }
    if (const auto pause = ethtool.pause(device.name)) {
      const unsigned flags =
          (pause->negotiated ? 1U : 0U) | (pause->receive ? 2U : 0U) | (pause->send ? 4U : 0U);
      device.channels.set(writer, kPauses, Value(flags));
    }
  }

  void say_facts(FrameWriter& writer, Device& device) {
    auto& ethtool = adapters_.ethtool();
    if (const auto driver = ethtool.driver(device.name)) {
      const auto firmware = netlink::DriverFacts::text(driver->firmware);
      text_.assign(netlink::DriverFacts::text(driver->driver)).append(" ");
      text_.append(netlink::DriverFacts::text(driver->version));
      device.driver.say(writer, text_);
      device.firmware.say(writer, firmware == "N/A" ? "" : firmware);
    }
    text_.clear();
    if (const auto on = ethtool.offloads(device.name)) list_offloads(*on);
    device.offloads.say(writer, text_);
  }

  void list_offloads(std::uint32_t on) {
    for (std::size_t i = 0; i < netlink::kOffloads; ++i) {
      if (i > 0) text_.append(", ");
      text_.append(netlink::offload_name(i)).append((on >> i & 1U) != 0 ? " on" : " off");
    }
  }

  EthtoolAdapters adapters_;
  std::vector<MetricDescriptor> metrics_ = ethtool_settings_metrics();
  std::vector<Device> devices_;
  std::string text_;
};

std::vector<MetricDescriptor> ethtool_settings_metrics() {
  return {std::begin(kMetrics), std::end(kMetrics)};
}

std::unique_ptr<Collector> make_ethtool_settings() {
  return std::make_unique<EthtoolSettingsCollector>();
}

}  // namespace

extern const CollectorDescriptor kEthtoolSettingsCollector = {
    .name = "ethtool_settings",
    .help = "queues, rings, pauses and offloads per network adapter",
    .make = make_ethtool_settings,
    .metrics = ethtool_settings_metrics,
    .poll_class = PollClass::kSlow,
    .may_block = true,
};

}  // namespace reveal::collect
