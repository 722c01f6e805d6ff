// /proc/net/snmp6: the counters of IP and UDP over IPv6 of this network namespace. TCP counts both
// families together, in /proc/net/snmp.
#include "collect/collector.h"
#include "collect/parts/keyed_collector.h"
#include "collect/parts/metric_maker.h"
#include "procfs/keyed_layout.h"

namespace reveal::collect {
namespace {

using model::Kind;
using model::MetricDescriptor;

constexpr MetricOrigin kOrigin = {
    .subsystem = model::Subsystem::kNetwork,
    .doc_url = "https://docs.kernel.org/networking/snmp_counter.html"};

constexpr MetricDescriptor row(std::string_view source, Kind kind, std::string_view unit,
                               std::string_view name, std::string_view label, std::string_view help,
                               std::int16_t rank = 100) {
  return describe(kOrigin, {.name = name,
                            .label = label,
                            .unit = unit,
                            .kind = kind,
                            .source = source,
                            .alias = source.substr(source.rfind(' ') + 1),
                            .help = help,
                            .rank = rank});
}

constexpr auto kCounter = Kind::kCounter;
constexpr auto kEvent = Kind::kEvent;

constexpr MetricDescriptor kMetrics[] = {
    row("/proc/net/snmp6 Ip6InReceives", kCounter, "packets", "network_ip6_received_packets_total",
        "IPv6 packets received", "Packets received, faulty ones among them.", 60),
    row("/proc/net/snmp6 Ip6InOctets", kCounter, "bytes", "network_ip6_received_bytes_total",
        "IPv6 bytes received", "Bytes of IPv6 packets received.", 60),
    row("/proc/net/snmp6 Ip6OutOctets", kCounter, "bytes", "network_ip6_sent_bytes_total",
        "IPv6 bytes sent", "Bytes of IPv6 packets sent.", 60),
    row("/proc/net/snmp6 Ip6InHdrErrors", kEvent, "packets", "network_ip6_header_errors_total",
        "IPv6 header errors", "Packets dropped for a faulty header."),
    row("/proc/net/snmp6 Ip6InTooBigErrors", kEvent, "packets", "network_ip6_too_big_errors_total",
        "IPv6 packets too big to be forwarded",
        "Packets dropped because they were larger than the next link takes."),
    row("/proc/net/snmp6 Ip6InNoRoutes", kEvent, "packets", "network_ip6_receive_no_routes_total",
        "Received IPv6 packets without a route",
        "Packets received and dropped because no route was found."),
    row("/proc/net/snmp6 Ip6InAddrErrors", kEvent, "packets", "network_ip6_address_errors_total",
        "IPv6 packets for a wrong address", "Packets received for an address that is not here."),
    row("/proc/net/snmp6 Ip6InTruncatedPkts", kEvent, "packets",
        "network_ip6_truncated_packets_total", "Truncated IPv6 packets",
        "Packets received shorter than their header says."),
    row("/proc/net/snmp6 Ip6InDiscards", kEvent, "packets", "network_ip6_receive_discards_total",
        "Received IPv6 packets discarded",
        "Sound packets dropped on receipt: for want of memory, or all of them if IPv6 is off "
        "(disable_ipv6)."),
    row("/proc/net/snmp6 Ip6OutDiscards", kEvent, "packets", "network_ip6_send_discards_total",
        "IPv6 packets to send discarded",
        "Sound packets dropped before sending: for want of memory, or all of them if IPv6 is off "
        "(disable_ipv6)."),
    row("/proc/net/snmp6 Ip6OutNoRoutes", kEvent, "packets", "network_ip6_no_routes_total",
        "IPv6 packets without a route", "Packets dropped because no route was found."),
    row("/proc/net/snmp6 Ip6ReasmTimeout", kEvent, "packets",
        "network_ip6_reassembly_timeouts_total", "IPv6 reassembly timeouts",
        "Fragmented packets given up because a fragment did not come."),
    row("/proc/net/snmp6 Ip6ReasmFails", kEvent, "packets", "network_ip6_reassembly_failures_total",
        "IPv6 reassembly failures", "Fragmented packets that could not be put together."),
    row("/proc/net/snmp6 Ip6FragFails", kEvent, "packets",
        "network_ip6_fragmentation_failures_total", "IPv6 fragmentation failures",
        "Packets dropped because they could not be fragmented."),
    row("/proc/net/snmp6 Ip6InCEPkts", kEvent, "packets", "network_ip6_congestion_marks_total",
        "IPv6 packets marked for congestion", "Packets received with the congestion mark.", 60),
    row("/proc/net/snmp6 Icmp6InErrors", kEvent, "packets", "network_icmp6_receive_errors_total",
        "Faulty ICMPv6 packets", "ICMPv6 packets received in error."),
    row("/proc/net/snmp6 Udp6InDatagrams", kCounter, "packets",
        "network_udp6_received_datagrams_total", "UDP datagrams received over IPv6",
        "Datagrams delivered to programs."),
    row("/proc/net/snmp6 Udp6OutDatagrams", kCounter, "packets",
        "network_udp6_sent_datagrams_total", "UDP datagrams sent over IPv6", "Datagrams sent."),
    row("/proc/net/snmp6 Udp6NoPorts", kEvent, "packets", "network_udp6_no_ports_total",
        "UDP datagrams over IPv6 without a receiver",
        "Datagrams received for a port that nobody listened on."),
    row("/proc/net/snmp6 Udp6InErrors", kEvent, "packets", "network_udp6_receive_errors_total",
        "UDP receive errors over IPv6", "Datagrams that could not be delivered for other reasons."),
    row("/proc/net/snmp6 Udp6RcvbufErrors", kEvent, "packets",
        "network_udp6_receive_buffer_errors_total", "UDP receive buffer overflows over IPv6",
        "Datagrams dropped because the receiving socket was full.", 60),
    row("/proc/net/snmp6 Udp6SndbufErrors", kEvent, "packets",
        "network_udp6_send_buffer_errors_total", "UDP send buffer overflows over IPv6",
        "Datagrams dropped because the sending socket was full.", 60),
    row("/proc/net/snmp6 Udp6InCsumErrors", kEvent, "packets", "network_udp6_checksum_errors_total",
        "UDP checksum errors over IPv6", "Datagrams received with a wrong checksum."),
    row("/proc/net/snmp6 Udp6MemErrors", kEvent, "packets", "network_udp6_memory_errors_total",
        "UDP memory limit drops over IPv6",
        "Datagrams dropped because UDP had reached its memory limit (Linux 5.11)."),
};

std::vector<MetricDescriptor> snmp6_metrics() {
  return {std::begin(kMetrics), std::end(kMetrics)};
}

std::unique_ptr<Collector> make_snmp6() {
  return std::make_unique<KeyedCollector<procfs::KeyedLayout, procfs::kOneRecord>>(
      "net/snmp6", snmp6_metrics(), "nothing to do, unless IPv6 should be on");
}

}  // namespace

extern const CollectorDescriptor kSnmp6Collector = {
    .name = "snmp6",
    .help = "IP and UDP counters over IPv6",
    .make = make_snmp6,
    .metrics = snmp6_metrics,
    .poll_class = PollClass::kMedium,
};

}  // namespace reveal::collect
