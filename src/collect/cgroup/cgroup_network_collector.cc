#include "collect/cgroup/cgroup_network_collector.h"

#include <algorithm>
#include <array>
#include <memory>

#include <fmt/format.h>

#include "collect/cgroup/cgroup_hierarchies.h"

namespace reveal::collect {
namespace {

using model::Kind;
using model::MetricDescriptor;
using Q = NetworkQuantity;

constexpr MetricRow<Q> row(Q quantity, Kind kind, std::string_view unit, std::string_view source,
                           std::string_view alias, std::string_view name, std::string_view label,
                           std::string_view help, std::int16_t rank) {
  MetricDescriptor out;
  out.name = name;
  out.label = label;
  out.unit = unit;
  out.kind = kind;
  out.subsystem = model::Subsystem::kNetwork;
  out.scope = model::Scope::kCgroup;
  out.source = source;
  out.alias = alias;
  out.doc_url = is_of_interfaces(quantity) ? "https://docs.kernel.org/networking/statistics.html"
                                           : "https://docs.kernel.org/networking/snmp_counter.html";
  out.help = help;
  out.rank = rank;
  return {quantity, out};
}

constexpr auto kCounter = Kind::kCounter;
constexpr auto kEvent = Kind::kEvent;

constexpr MetricRow<Q> kRows[] = {
    row(Q::kReceivedBytes, kCounter, "bytes", "/proc/[0-9]*/net/dev receive bytes",
        "cgroup.rx_bytes", "network_cgroup_received_bytes_total", "Control group bytes received",
        "Bytes received by the interfaces, but for lo, of the group's own network.", 20),
    row(Q::kReceivedPackets, kCounter, "packets", "/proc/[0-9]*/net/dev receive packets",
        "cgroup.rx_packets", "network_cgroup_received_packets_total",
        "Control group packets received",
        "Packets received by the interfaces, but for lo, of the group's own network.", 60),
    row(Q::kReceiveErrors, kEvent, "packets", "/proc/[0-9]*/net/dev receive errs", "cgroup.rx_errs",
        "network_cgroup_receive_errors_total", "Control group receive errors",
        "Packets that came to the group's own network in error.", 30),
    row(Q::kReceiveDrops, kEvent, "packets", "/proc/[0-9]*/net/dev receive drop", "cgroup.rx_drop",
        "network_cgroup_receive_drops_total", "Control group received packets dropped",
        "Packets that came to the group's own network and were dropped, for want of buffers or "
        "because nobody wanted them.",
        30),
    row(Q::kSentBytes, kCounter, "bytes", "/proc/[0-9]*/net/dev transmit bytes", "cgroup.tx_bytes",
        "network_cgroup_sent_bytes_total", "Control group bytes sent",
        "Bytes sent by the interfaces, but for lo, of the group's own network.", 20),
    row(Q::kSentPackets, kCounter, "packets", "/proc/[0-9]*/net/dev transmit packets",
        "cgroup.tx_packets", "network_cgroup_sent_packets_total", "Control group packets sent",
        "Packets sent by the interfaces, but for lo, of the group's own network.", 60),
    row(Q::kSendErrors, kEvent, "packets", "/proc/[0-9]*/net/dev transmit errs", "cgroup.tx_errs",
        "network_cgroup_send_errors_total", "Control group send errors",
        "Packets that the group's own network could not send.", 30),
    row(Q::kSendDrops, kEvent, "packets", "/proc/[0-9]*/net/dev transmit drop", "cgroup.tx_drop",
        "network_cgroup_send_drops_total", "Control group packets to send dropped",
        "Packets of the group's own network that were dropped before they were sent.", 30),
    row(Q::kTcpSegments, kCounter, "segments", "/proc/[0-9]*/net/snmp Tcp OutSegs",
        "cgroup.TcpOutSegs", "network_cgroup_tcp_sent_segments_total",
        "Control group TCP segments sent",
        "Segments sent from the group's own network, without those that were only retransmitted.",
        60),
    row(Q::kTcpRetransmits, kEvent, "segments", "/proc/[0-9]*/net/snmp Tcp RetransSegs",
        "cgroup.TcpRetransSegs", "network_cgroup_tcp_retransmits_total",
        "Control group TCP retransmitted segments",
        "Segments that the group's own network sent again because no acknowledgement came.", 20),
    row(Q::kUdpBufferErrors, kEvent, "packets", "/proc/[0-9]*/net/snmp Udp RcvbufErrors",
        "cgroup.UdpRcvbufErrors", "network_cgroup_udp_receive_buffer_errors_total",
        "Control group UDP receive buffer overflows",
        "Datagrams (IPv4) to the group's own network that were dropped because the receiving "
        "socket was full.",
        30),
};

constexpr std::string_view kRefused =
    "not of all groups: reading /proc/PID/ns/net of other users' processes needs CAP_SYS_PTRACE "
    "(root has it)";

// Mixes a part into a sum that is the same in any order of the parts, and never 0.
std::uint64_t with_part(std::uint64_t sum, std::uint64_t part) {
  part = (part ^ (part >> 32)) * 0x9e3779b97f4a7c15U;
  return sum + ((part ^ (part >> 29)) | 1U);
}

// The values of one group, and what they are sums over.
struct Sums {
  std::array<procfs::Value, kNetworkQuantities> values;
  std::uint64_t namespaces = 0;
  std::uint64_t interfaces = 0;

  void add(const CgroupNamespaces::Namespace& one) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      const auto part = one.counts->values[i];
      const auto before = namespaces == 0 ? procfs::Value(0) : values[i];
      values[i] = before && part ? procfs::Value(*before + *part) : std::nullopt;
    }
    namespaces = with_part(namespaces, one.serial);
    interfaces = with_part(interfaces, one.serial ^ one.counts->interfaces);
  }
  bool knows(Q quantity) const { return values[static_cast<std::size_t>(quantity)].has_value(); }
};

}  // namespace

CgroupNetworkCollector::CgroupNetworkCollector(CgroupNamespaceLimits limits)
    : limits_(limits),
      metrics_(metrics_of(kRows)),
      limit_text_(fmt::format("{}, and no more: that is the limit", limits.namespaces)) {}

base::Result<void> CgroupNetworkCollector::open(const procfs::HostRoot& root,
                                                model::ChannelTable& channels) {
  auto hierarchies = find_cgroup_hierarchies(root);
  if (!hierarchies) return base::pass(std::move(hierarchies));
  outputs_.clear();
  namespaces_.emplace(root, std::move(*hierarchies), limits_);
  if (auto opened = namespaces_->open(); !opened) return opened;
  add_channels_of(*this, channels);
  for (auto& [path, output] : outputs_) output.parts = {};  // that frame was thrown away
  read_.forget();
  known_.forget();
  return {};
}

void CgroupNetworkCollector::collect(FrameWriter& writer) {
  namespaces_->read();
  release_gone(writer);
  state_facts(writer);
  const auto& all = namespaces_->namespaces();
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (is_first_of_its_owner(i)) set_sums_of(*all[i].owner, writer);
  }
}

void CgroupNetworkCollector::state_facts(FrameWriter& writer) {
  if (namespaces_->refused()) known_.say(writer, kRefused);
  read_.say(writer, namespaces_->overflows() ? std::string_view(limit_text_) : "");
}

bool CgroupNetworkCollector::is_first_of_its_owner(std::size_t index) const {
  const auto& all = namespaces_->namespaces();
  return std::none_of(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(index),
                      [&](const auto& one) { return one.owner == all[index].owner; });
}

void CgroupNetworkCollector::set_sums_of(const Member& owner, FrameWriter& writer) {
  Sums sums;
  for (const auto& one : namespaces_->namespaces()) {
    if (one.owner != &owner) continue;
    if (!one.counts) return;
    sums.add(one);
  }
  Output& output = output_of(owner);
  Parts& parts = output.parts;
  const bool others = parts.namespaces != 0 && parts.namespaces != sums.namespaces;
  const bool other_interfaces = parts.interfaces != 0 && parts.interfaces != sums.interfaces;
  for (std::size_t row = 0; row < std::size(kRows); ++row) {
    const Q quantity = kRows[row].key;
    const auto value = sums.values[static_cast<std::size_t>(quantity)];
    const bool reset = is_of_interfaces(quantity) ? other_interfaces : others;
    if (value) output.channels.set(writer, row, *value, reset || output.anew);
  }
  output.anew = false;
  // Values that are missing now will have to be compared with the ones before.
  if (sums.knows(Q::kReceivedBytes)) parts.interfaces = sums.interfaces;
  if (sums.knows(Q::kTcpSegments)) parts.namespaces = sums.namespaces;
}

CgroupNetworkCollector::Output& CgroupNetworkCollector::output_of(const Member& owner) {
  const auto it = outputs_.find(owner.path);
  if (it != outputs_.end()) return it->second;
  return outputs_
      .emplace(owner.path,
               Output{CgroupChannels(metrics_, owner.instance), {}, ended_.take(owner.path)})
      .first->second;
}

void CgroupNetworkCollector::release_gone(FrameWriter& writer) {
  if (namespaces_->version() == version_) return;
  version_ = namespaces_->version();
  for (auto it = outputs_.begin(); it != outputs_.end();) {
    if (namespaces_->follows(it->first)) {
      ++it;
      continue;
    }
    it->second.channels.release(writer);
    ended_.add(it->first);
    it = outputs_.erase(it);
  }
}

base::Error CgroupNetworkCollector::why_absent(const MetricDescriptor& metric) const {
  if (!outputs_.empty()) return Collector::why_absent(metric);
  if (namespaces_->hidden()) {
    return {base::ErrorKind::kAbsent, "processes of control groups cannot be seen from here", "",
            "run in the host's namespace of processes (hostPID in Kubernetes)"};
  }
  return {base::ErrorKind::kAbsent, "no followed control group has a network of its own", "", ""};
}

namespace {

std::vector<MetricDescriptor> cgroup_network_metrics() {
  return metrics_of(kRows);
}

std::unique_ptr<Collector> make_cgroup_network() {
  return std::make_unique<CgroupNetworkCollector>();
}

}  // namespace

extern const CollectorDescriptor kCgroupNetworkCollector = {
    .name = "cgroup_network",
    .help = "traffic, losses and drops of control groups with a network of their own",
    .make = make_cgroup_network,
    .metrics = cgroup_network_metrics,
    .poll_class = PollClass::kMedium,
    .may_block = true,
};

}  // namespace reveal::collect
