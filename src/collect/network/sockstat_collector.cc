// /proc/net/sockstat and /proc/net/sockstat6: how many sockets there are and what memory they hold,
// of this network namespace. Counting sockets here costs the same for ten as for a million.
#include "collect/collector.h"
#include "collect/parts/keyed_collector.h"
#include "collect/parts/page_size.h"
#include "procfs/labeled_layout.h"

namespace reveal::collect {
namespace {

using model::MetricDescriptor;

constexpr MetricDescriptor row(std::string_view source, std::string_view alias,
                               std::string_view name, std::string_view label, std::string_view help,
                               std::int16_t rank = 100) {
  MetricDescriptor out;
  out.name = name;
  out.label = label;
  out.unit = "sockets";
  out.subsystem = model::Subsystem::kNetwork;
  out.source = source;
  out.alias = alias;
  out.doc_url = "https://docs.kernel.org/networking/ip-sysctl.html";
  out.help = help;
  out.rank = rank;
  return out;
}

// In pages; their size is known at run time only.
constexpr MetricDescriptor memory(MetricDescriptor out) {
  out.unit = "bytes";
  return out;
}

constexpr MetricDescriptor kMetrics[] = {
    row("/proc/net/sockstat sockets used", "sockets.used", "network_used_sockets", "Sockets in use",
        "Sockets of every kind that programs hold."),
    row("/proc/net/sockstat TCP inuse", "tcp.inuse", "network_tcp_used_sockets",
        "TCP sockets in use", "TCP sockets that are not closed, listening ones among them."),
    row("/proc/net/sockstat TCP orphan", "tcp.orphan", "network_tcp_orphan_sockets",
        "Orphaned TCP sockets",
        "TCP sockets that no program holds any more and that still have something to send."),
    row("/proc/net/sockstat TCP tw", "tcp.tw", "network_tcp_time_wait_sockets",
        "TCP sockets in TIME-WAIT", "Closed TCP connections that wait for late segments.", 60),
    row("/proc/net/sockstat TCP alloc", "tcp.alloc", "network_tcp_allocated_sockets",
        "Allocated TCP sockets", "TCP sockets in any state that take memory.", 150),
    memory(row("/proc/net/sockstat TCP mem", "tcp.mem", "network_tcp_buffer_bytes",
               "TCP buffer memory", "Memory that the buffers of all TCP sockets hold.", 50)),
    row("/proc/net/sockstat UDP inuse", "udp.inuse", "network_udp_used_sockets",
        "UDP sockets in use", "UDP sockets that are bound or connected."),
    memory(row("/proc/net/sockstat UDP mem", "udp.mem", "network_udp_buffer_bytes",
               "UDP buffer memory", "Memory that the buffers of all UDP sockets hold.")),
};

constexpr MetricDescriptor kMetrics6[] = {
    row("/proc/net/sockstat6 TCP6 inuse", "tcp6.inuse", "network_tcp6_used_sockets",
        "TCP sockets over IPv6 in use", "TCP sockets over IPv6 that are not closed.", 150),
    row("/proc/net/sockstat6 UDP6 inuse", "udp6.inuse", "network_udp6_used_sockets",
        "UDP sockets over IPv6 in use", "UDP sockets over IPv6 that are bound or connected.", 150),
};

std::vector<MetricDescriptor> sockstat_metrics() {
  std::vector<MetricDescriptor> out{std::begin(kMetrics), std::end(kMetrics)};
  for (auto& metric : out) {
    if (metric.unit == "bytes") metric.scale = page_bytes();
  }
  return out;
}

std::vector<MetricDescriptor> sockstat6_metrics() {
  return {std::begin(kMetrics6), std::end(kMetrics6)};
}

std::unique_ptr<Collector> make_sockstat() {
  return std::make_unique<KeyedCollector<procfs::LabeledLayout, procfs::kOneRecord>>(
      "net/sockstat", sockstat_metrics());
}

std::unique_ptr<Collector> make_sockstat6() {
  return std::make_unique<KeyedCollector<procfs::LabeledLayout, procfs::kOneRecord>>(
      "net/sockstat6", sockstat6_metrics());
}

}  // namespace

extern const CollectorDescriptor kSockstatCollector = {
    .name = "sockstat",
    .help = "sockets and their memory",
    .make = make_sockstat,
    .metrics = sockstat_metrics,
    .poll_class = PollClass::kMedium,
};

extern const CollectorDescriptor kSockstat6Collector = {
    .name = "sockstat6",
    .help = "sockets over IPv6",
    .make = make_sockstat6,
    .metrics = sockstat6_metrics,
    .poll_class = PollClass::kMedium,
};

}  // namespace reveal::collect
