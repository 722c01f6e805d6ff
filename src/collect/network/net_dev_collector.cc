// /proc/net/dev: traffic and errors per network interface of this network namespace.
//
// An interface gets its channels when it has moved its first packet: hosts carry many that never
// do. Container hosts make and drop interfaces all day, so the number that is followed is bounded.
#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "collect/collector.h"
#include "collect/parts/instance_channels.h"
#include "collect/parts/metric_rows.h"
#include "procfs/net_dev.h"
#include "procfs/text_file.h"

namespace reveal::collect {
namespace {

using model::Kind;
using model::MetricDescriptor;
using procfs::InterfaceStats;
using procfs::NetField;

constexpr std::size_t kMaxInterfaces = 64;      // at once
constexpr std::size_t kLongestLine = 400;       // 16 numbers with all their digits
constexpr std::uint64_t kReadingsPerLook = 50;  // for those that are gone

constexpr MetricRow<NetField> row(NetField field, std::string_view source, std::string_view alias,
                                  Kind kind, std::string_view unit, std::string_view name,
                                  std::string_view label, std::string_view help,
                                  std::int16_t rank = 100) {
  MetricDescriptor out;
  out.name = name;
  out.label = label;
  out.unit = unit;
  out.kind = kind;
  out.subsystem = model::Subsystem::kNetwork;
  out.scope = model::Scope::kNic;
  out.source = source;
  out.alias = alias;
  out.doc_url = "https://docs.kernel.org/networking/statistics.html";
  out.help = help;
  out.rank = rank;
  return {field, out};
}

constexpr auto kCounter = Kind::kCounter;
constexpr auto kEvent = Kind::kEvent;

constexpr MetricRow<NetField> kRows[] = {
    row(NetField::kRxBytes, "/proc/net/dev receive bytes", "rx_bytes", kCounter, "bytes",
        "network_received_bytes_total", "Network bytes received", "Bytes received.", 10),
    row(NetField::kRxPackets, "/proc/net/dev receive packets", "rx_packets", kCounter, "packets",
        "network_received_packets_total", "Network packets received", "Packets received.", 40),
    row(NetField::kRxErrors, "/proc/net/dev receive errs", "rx_errs", kEvent, "packets",
        "network_receive_errors_total", "Network receive errors", "Packets received in error.", 30),
    row(NetField::kRxDrops, "/proc/net/dev receive drop", "rx_drop", kEvent, "packets",
        "network_receive_drops_total", "Received network packets dropped",
        "Received packets dropped for want of buffers or because nobody wanted them.", 30),
    row(NetField::kRxFifo, "/proc/net/dev receive fifo", "rx_fifo", kEvent, "packets",
        "network_receive_fifo_errors_total", "Network receive overruns",
        "Packets lost because the adapter's buffer was full.", 50),
    row(NetField::kRxFrame, "/proc/net/dev receive frame", "rx_frame", kEvent, "packets",
        "network_receive_frame_errors_total", "Network framing errors",
        "Packets with wrong length, checksum or alignment.", 50),
    row(NetField::kRxMulticast, "/proc/net/dev receive multicast", "rx_multicast", kCounter,
        "packets", "network_received_multicast_packets_total", "Network multicasts received",
        "Multicast packets received."),
    row(NetField::kTxBytes, "/proc/net/dev transmit bytes", "tx_bytes", kCounter, "bytes",
        "network_sent_bytes_total", "Network bytes sent", "Bytes sent.", 10),
    row(NetField::kTxPackets, "/proc/net/dev transmit packets", "tx_packets", kCounter, "packets",
        "network_sent_packets_total", "Network packets sent", "Packets sent.", 40),
    row(NetField::kTxErrors, "/proc/net/dev transmit errs", "tx_errs", kEvent, "packets",
        "network_send_errors_total", "Network send errors", "Packets that could not be sent.", 30),
    row(NetField::kTxDrops, "/proc/net/dev transmit drop", "tx_drop", kEvent, "packets",
        "network_send_drops_total", "Network packets to send dropped",
        "Packets dropped before they were sent.", 30),
    row(NetField::kTxFifo, "/proc/net/dev transmit fifo", "tx_fifo", kEvent, "packets",
        "network_send_fifo_errors_total", "Network send underruns",
        "Packets lost because the adapter's buffer ran empty.", 50),
    row(NetField::kTxCollisions, "/proc/net/dev transmit colls", "tx_colls", kEvent, "collisions",
        "network_collisions_total", "Network collisions", "Collisions on half-duplex links."),
    row(NetField::kTxCarrier, "/proc/net/dev transmit carrier", "tx_carrier", kEvent, "packets",
        "network_carrier_errors_total", "Network carrier errors",
        "Packets lost because the link was down or lost its carrier.", 50),
};

bool has_moved_packets(const InterfaceStats& stats) {
  const auto received = stats[NetField::kRxPackets].value_or(0);
  return received != 0 || stats[NetField::kTxPackets].value_or(0) != 0;
}

class NetDevCollector final : public Collector {
 public:
  base::Result<void> open(const procfs::HostRoot& root, model::ChannelTable& channels) override {
    file_ = procfs::TextFile(root.proc_path("net/dev"), kLongestLine);
    if (auto text = file_.read(); !text) return base::pass(text);
    add_channels_of(*this, channels);
    return {};
  }

  void collect(FrameWriter& writer) override {
    const auto text = file_.read();
    if (!text) return;
    reader_.read(*text, stats_);
    ++readings_;
    for (const InterfaceStats& stats : stats_) {
      Interface* interface = find(stats.name);
      if (interface == nullptr && has_moved_packets(stats)) interface = add(writer, stats.name);
      if (interface != nullptr) set(writer, *interface, stats);
    }
  }

  base::Error why_absent(const MetricDescriptor& metric) const override {
    if (!interfaces_.empty()) return Collector::why_absent(metric);
    return {base::ErrorKind::kAbsent, "no interface in " + file_.path() + " has moved a packet", "",
            ""};
  }

 private:
  struct Interface {
    std::string name;
    InstanceChannels channels;
  };

  static void set(FrameWriter& writer, Interface& interface, const InterfaceStats& stats) {
    for (std::size_t row = 0; row < std::size(kRows); ++row) {
      interface.channels.set(writer, row, stats[kRows[row].key]);
    }
  }

  Interface* find(std::string_view name) {
    const auto it =
        std::find_if(interfaces_.begin(), interfaces_.end(),
                     [&](const Interface& interface) { return interface.name == name; });
    return it == interfaces_.end() ? nullptr : &*it;
  }

  Interface* add(FrameWriter& writer, std::string_view name) {
    if (interfaces_.size() >= kMaxInterfaces && readings_ >= next_look_) release_gone(writer);
    if (interfaces_.size() >= kMaxInterfaces) return nullptr;
    interfaces_.push_back(
        {std::string(name), InstanceChannels(metrics_, fmt::format("dev={}", name))});
    return &interfaces_.back();
  }

  // Those of containers come and go with names of their own.
  void release_gone(FrameWriter& writer) {
    next_look_ = readings_ + kReadingsPerLook;
    std::erase_if(interfaces_, [&](Interface& interface) {
      const bool is_there =
          std::any_of(stats_.begin(), stats_.end(),
                      [&](const InterfaceStats& stats) { return stats.name == interface.name; });
      if (!is_there) interface.channels.release(writer);
      return !is_there;
    });
  }

  std::vector<MetricDescriptor> metrics_ = metrics_of(kRows);
  std::vector<Interface> interfaces_;
  procfs::TextFile file_;
  procfs::NetDevReader reader_;
  std::vector<InterfaceStats> stats_;
  std::uint64_t readings_ = 0;
  std::uint64_t next_look_ = 0;  // for interfaces that are gone, once there is no room
};

std::vector<MetricDescriptor> net_dev_metrics() {
  return metrics_of(kRows);
}

std::unique_ptr<Collector> make_net_dev() {
  return std::make_unique<NetDevCollector>();
}

}  // namespace

extern const CollectorDescriptor kNetDevCollector = {
    .name = "net_dev",
    .help = "traffic and errors per network interface",
    .make = make_net_dev,
    .metrics = net_dev_metrics,
};

}  // namespace reveal::collect
