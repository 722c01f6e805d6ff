// The counters that the InfiniBand standard asks of every port: traffic, and what went wrong with
// it.
//
// Counters of few bits stop at their largest value until somebody resets them; they do not wrap.
#include "collect/infiniband/infiniband_metrics.h"

namespace reveal::collect {
namespace {

using model::Kind;
using model::MetricDescriptor;

constexpr AttributeRow row(Kind kind, std::string_view source, std::string_view alias,
                           std::string_view unit, std::string_view name, std::string_view label,
                           std::string_view help, std::int16_t rank = 100) {
  MetricDescriptor out;
  out.name = name;
  out.label = label;
  out.unit = unit;
  out.kind = kind;
  out.subsystem = model::Subsystem::kNetwork;
  out.scope = model::Scope::kNic;
  out.source = source;
  out.alias = alias;
  out.doc_url = "https://www.kernel.org/doc/Documentation/ABI/stable/sysfs-class-infiniband";
  out.help = help;
  out.rank = rank;
  return {decimal_attribute, out};
}

// The data counters are in words of four bytes, one per lane.
constexpr AttributeRow words(AttributeRow out) {
  out.metric.scale = 4.0;
  return out;
}

constexpr AttributeRow kTraffic[] = {
    words(row(
        Kind::kCounter, "/sys/class/infiniband/*/ports/*/counters/port_rcv_data", "port_rcv_data",
        "bytes", "network_infiniband_received_bytes_total", "InfiniBand bytes received",
        "Bytes received on all lanes; such traffic passes by the kernel and its own counters.",
        10)),
    words(row(
        Kind::kCounter, "/sys/class/infiniband/*/ports/*/counters/port_xmit_data", "port_xmit_data",
        "bytes", "network_infiniband_sent_bytes_total", "InfiniBand bytes sent",
        "Bytes sent on all lanes; such traffic passes by the kernel and its own counters.", 10)),
};

constexpr AttributeRow kCounters[] = {
    row(Kind::kCounter, "/sys/class/infiniband/*/ports/*/counters/port_rcv_packets",
        "port_rcv_packets", "packets", "network_infiniband_received_packets_total",
        "InfiniBand packets received", "Packets received on all lanes, those with errors included.",
        40),
    row(Kind::kCounter, "/sys/class/infiniband/*/ports/*/counters/port_xmit_packets",
        "port_xmit_packets", "packets", "network_infiniband_sent_packets_total",
        "InfiniBand packets sent", "Packets sent on all lanes.", 40),
    row(Kind::kCounter, "/sys/class/infiniband/*/ports/*/counters/unicast_rcv_packets",
        "unicast_rcv_packets", "packets", "network_infiniband_received_unicast_packets_total",
        "InfiniBand unicasts received", "Unicast packets received."),
    row(Kind::kCounter, "/sys/class/infiniband/*/ports/*/counters/unicast_xmit_packets",
        "unicast_xmit_packets", "packets", "network_infiniband_sent_unicast_packets_total",
        "InfiniBand unicasts sent", "Unicast packets sent."),
    row(Kind::kCounter, "/sys/class/infiniband/*/ports/*/counters/multicast_rcv_packets",
        "multicast_rcv_packets", "packets", "network_infiniband_received_multicast_packets_total",
        "InfiniBand multicasts received", "Multicast packets received."),
    row(Kind::kCounter, "/sys/class/infiniband/*/ports/*/counters/multicast_xmit_packets",
        "multicast_xmit_packets", "packets", "network_infiniband_sent_multicast_packets_total",
        "InfiniBand multicasts sent", "Multicast packets sent."),
    row(Kind::kCounter, "/sys/class/infiniband/*/ports/*/counters/port_xmit_wait", "port_xmit_wait",
        "ticks", "network_infiniband_transmit_wait_ticks_total", "InfiniBand waits for credits",
        "Ticks of the adapter in which it had data to send and could not, for want of credits or "
        "arbitration.",
        20),
    row(Kind::kEvent, "/sys/class/infiniband/*/ports/*/counters/symbol_error", "symbol_error",
        "errors", "network_infiniband_symbol_errors_total", "InfiniBand symbol errors",
        "Minor link errors on one or more lanes.", 30),
    row(Kind::kEvent, "/sys/class/infiniband/*/ports/*/counters/port_rcv_errors", "port_rcv_errors",
        "packets", "network_infiniband_receive_errors_total", "InfiniBand receive errors",
        "Packets received that contained an error.", 30),
    row(Kind::kEvent, "/sys/class/infiniband/*/ports/*/counters/port_rcv_remote_physical_errors",
        "port_rcv_remote_physical_errors", "packets",
        "network_infiniband_receive_remote_physical_errors_total",
        "InfiniBand remote physical errors",
        "Packets received that were already marked bad by a device on their way.", 50),
    row(Kind::kEvent, "/sys/class/infiniband/*/ports/*/counters/port_rcv_switch_relay_errors",
        "port_rcv_switch_relay_errors", "packets",
        "network_infiniband_receive_switch_relay_errors_total", "InfiniBand switch relay errors",
        "Packets discarded because a switch could not forward them.", 50),
    row(Kind::kEvent, "/sys/class/infiniband/*/ports/*/counters/link_error_recovery",
        "link_error_recovery", "recoveries", "network_infiniband_link_recoveries_total",
        "InfiniBand link recoveries",
        "Times that the link recovered from an error by training anew.", 30),
    row(Kind::kEvent, "/sys/class/infiniband/*/ports/*/counters/link_downed", "link_downed",
        "failures", "network_infiniband_link_failures_total", "InfiniBand link failures",
        "Times that the link failed to recover from an error and went down.", 20),
    row(Kind::kEvent, "/sys/class/infiniband/*/ports/*/counters/port_xmit_constraint_errors",
        "port_xmit_constraint_errors", "packets", "network_infiniband_send_constraint_errors_total",
        "InfiniBand send constraint errors",
        "Packets not sent because a rule of the subnet forbade it.", 50),
    row(Kind::kEvent, "/sys/class/infiniband/*/ports/*/counters/port_rcv_constraint_errors",
        "port_rcv_constraint_errors", "packets",
        "network_infiniband_receive_constraint_errors_total",
        "InfiniBand receive constraint errors",
        "Packets received and discarded because a rule of the subnet forbade them.", 50),
    row(Kind::kEvent, "/sys/class/infiniband/*/ports/*/counters/local_link_integrity_errors",
        "local_link_integrity_errors", "errors", "network_infiniband_link_integrity_errors_total",
        "InfiniBand link integrity errors",
        "Times that local physical errors exceeded the threshold of the link.", 30),
    row(Kind::kEvent, "/sys/class/infiniband/*/ports/*/counters/excessive_buffer_overrun_errors",
        "excessive_buffer_overrun_errors", "errors", "network_infiniband_buffer_overruns_total",
        "InfiniBand buffer overruns",
        "Times that overruns of the receive buffer exceeded the threshold of the link.", 40),
    row(Kind::kEvent, "/sys/class/infiniband/*/ports/*/counters/port_xmit_discards",
        "port_xmit_discards", "packets", "network_infiniband_send_discards_total",
        "InfiniBand send discards",
        "Packets to send that were discarded because the port was down or congested.", 30),
    row(Kind::kEvent, "/sys/class/infiniband/*/ports/*/counters/VL15_dropped", "VL15_dropped",
        "packets", "network_infiniband_management_packets_dropped_total",
        "InfiniBand management packets dropped",
        "Packets of subnet management that were dropped for want of buffers."),
};

}  // namespace

std::span<const AttributeRow> infiniband_traffic_rows() {
  return kTraffic;
}

std::span<const AttributeRow> infiniband_counter_rows() {
  return kCounters;
}

}  // namespace reveal::collect
