// /proc/net/snmp: the standard counters of IP, TCP and UDP of this network namespace.
//
// The kernel keeps them as unsigned long, on IP in 64 bits. TCP's names follow RFC 4022, UDP's RFC
// 4113, IP's RFC 4293.
#include "collect/collector.h"
#include "collect/parts/keyed_collector.h"
#include "procfs/paired_layout.h"

namespace reveal::collect {
namespace {

using model::Kind;
using model::MetricDescriptor;

constexpr MetricDescriptor row(std::string_view source, std::string_view alias, Kind kind,
                               std::string_view unit, std::string_view name, std::string_view label,
                               std::string_view help, std::int16_t rank = 100) {
  MetricDescriptor out;
  out.name = name;
  out.label = label;
  out.unit = unit;
  out.kind = kind;
  out.subsystem = model::Subsystem::kNetwork;
  out.source = source;
  out.alias = alias;
  out.doc_url = "https://docs.kernel.org/networking/snmp_counter.html";
  out.help = help;
  out.rank = rank;
  return out;
}

constexpr auto kCounter = Kind::kCounter;
constexpr auto kEvent = Kind::kEvent;
constexpr auto kGauge = Kind::kGauge;

constexpr MetricDescriptor kMetrics[] = {
    row("/proc/net/snmp Tcp ActiveOpens", "TcpActiveOpens", kCounter, "connections",
        "network_tcp_active_opens_total", "TCP connections opened", "Connections begun here."),
    row("/proc/net/snmp Tcp PassiveOpens", "TcpPassiveOpens", kCounter, "connections",
        "network_tcp_passive_opens_total", "TCP connections accepted",
        "Connections begun by peers."),
    row("/proc/net/snmp Tcp AttemptFails", "TcpAttemptFails", kEvent, "connections",
        "network_tcp_attempt_failures_total", "Failed TCP connection attempts",
        "Connections that were never established."),
    row("/proc/net/snmp Tcp EstabResets", "TcpEstabResets", kEvent, "connections",
        "network_tcp_established_resets_total", "TCP connections reset",
        "Established connections that ended with a reset."),
    row("/proc/net/snmp Tcp CurrEstab", "TcpCurrEstab", kGauge, "connections",
        "network_tcp_established_connections", "Established TCP connections",
        "Connections that are established now."),
    row("/proc/net/snmp Tcp InSegs", "TcpInSegs", kCounter, "segments",
        "network_tcp_received_segments_total", "TCP segments received",
        "Segments received, faulty ones among them."),
    row("/proc/net/snmp Tcp OutSegs", "TcpOutSegs", kCounter, "segments",
        "network_tcp_sent_segments_total", "TCP segments sent",
        "Segments sent, without those that were only retransmitted."),
    row("/proc/net/snmp Tcp RetransSegs", "TcpRetransSegs", kEvent, "segments",
        "network_tcp_retransmits_total", "TCP retransmitted segments",
        "Segments sent again because no acknowledgement came.", 10),
    row("/proc/net/snmp Tcp InErrs", "TcpInErrs", kEvent, "segments",
        "network_tcp_receive_errors_total", "Faulty TCP segments", "Segments received in error."),
    row("/proc/net/snmp Tcp OutRsts", "TcpOutRsts", kEvent, "segments",
        "network_tcp_sent_resets_total", "TCP resets sent", "Segments sent with the reset flag."),
    row("/proc/net/snmp Tcp InCsumErrors", "TcpInCsumErrors", kEvent, "segments",
        "network_tcp_checksum_errors_total", "TCP checksum errors",
        "Segments received with a wrong checksum (Linux 3.10)."),
    row("/proc/net/snmp Ip InReceives", "IpInReceives", kCounter, "packets",
        "network_ip_received_packets_total", "IP packets received",
        "Packets received, faulty ones among them."),
    row("/proc/net/snmp Ip InDelivers", "IpInDelivers", kCounter, "packets",
        "network_ip_delivered_packets_total", "IP packets delivered",
        "Packets handed to TCP, UDP and others.", 150),
    row("/proc/net/snmp Ip InHdrErrors", "IpInHdrErrors", kEvent, "packets",
        "network_ip_header_errors_total", "IP header errors",
        "Packets dropped for a faulty header."),
    row("/proc/net/snmp Ip InDiscards", "IpInDiscards", kEvent, "packets",
        "network_ip_receive_discards_total", "Received IP packets discarded",
        "Sound packets dropped on receipt, for example for want of memory."),
    row("/proc/net/snmp Ip OutDiscards", "IpOutDiscards", kEvent, "packets",
        "network_ip_send_discards_total", "IP packets to send discarded",
        "Sound packets dropped before sending, for example for want of memory."),
    row("/proc/net/snmp Ip OutNoRoutes", "IpOutNoRoutes", kEvent, "packets",
        "network_ip_no_routes_total", "IP packets without a route",
        "Packets dropped because no route was found."),
    row("/proc/net/snmp Ip ReasmTimeout", "IpReasmTimeout", kEvent, "packets",
        "network_ip_reassembly_timeouts_total", "IP reassembly timeouts",
        "Fragmented packets given up because a fragment did not come."),
    row("/proc/net/snmp Ip ReasmFails", "IpReasmFails", kEvent, "packets",
        "network_ip_reassembly_failures_total", "IP reassembly failures",
        "Fragmented packets that could not be put together."),
    row("/proc/net/snmp Ip FragFails", "IpFragFails", kEvent, "packets",
        "network_ip_fragmentation_failures_total", "IP fragmentation failures",
        "Packets dropped because they could not be fragmented."),
    row("/proc/net/snmp Udp InDatagrams", "UdpInDatagrams", kCounter, "packets",
        "network_udp_received_datagrams_total", "UDP datagrams received",
        "Datagrams delivered to programs."),
    row("/proc/net/snmp Udp OutDatagrams", "UdpOutDatagrams", kCounter, "packets",
        "network_udp_sent_datagrams_total", "UDP datagrams sent", "Datagrams sent."),
    row("/proc/net/snmp Udp NoPorts", "UdpNoPorts", kEvent, "packets", "network_udp_no_ports_total",
        "UDP datagrams without a receiver",
        "Datagrams received for a port that nobody listened on."),
    row("/proc/net/snmp Udp InErrors", "UdpInErrors", kEvent, "packets",
        "network_udp_receive_errors_total", "UDP receive errors",
        "Datagrams that could not be delivered for other reasons."),
    row("/proc/net/snmp Udp RcvbufErrors", "UdpRcvbufErrors", kEvent, "packets",
        "network_udp_receive_buffer_errors_total", "UDP receive buffer overflows",
        "Datagrams dropped because the receiving socket was full."),
    row("/proc/net/snmp Udp SndbufErrors", "UdpSndbufErrors", kEvent, "packets",
        "network_udp_send_buffer_errors_total", "UDP send buffer overflows",
        "Datagrams dropped because the sending socket was full."),
    row("/proc/net/snmp Udp InCsumErrors", "UdpInCsumErrors", kEvent, "packets",
        "network_udp_checksum_errors_total", "UDP checksum errors",
        "Datagrams received with a wrong checksum (Linux 3.10)."),
    row("/proc/net/snmp Udp MemErrors", "UdpMemErrors", kEvent, "packets",
        "network_udp_memory_errors_total", "UDP memory limit drops",
        "Datagrams dropped because UDP had reached its memory limit (Linux 5.11)."),
};

std::vector<MetricDescriptor> snmp_metrics() {
  return {std::begin(kMetrics), std::end(kMetrics)};
}

std::unique_ptr<Collector> make_snmp() {
  return std::make_unique<KeyedCollector<procfs::PairedLayout, procfs::kOneRecord>>("net/snmp",
                                                                                    snmp_metrics());
}

}  // namespace

extern const CollectorDescriptor kSnmpCollector = {
    .name = "snmp",
    .help = "IP, TCP and UDP counters",
    .make = make_snmp,
    .metrics = snmp_metrics,
};

}  // namespace reveal::collect
