// Most names are those of mlx5, whose list is the fullest; the others are ice's (".nic") and
// bnxt_en's.
#include "collect/network/ethtool_rows.h"

#include <optional>
#include <string>

#include <fmt/format.h>

#include "netlink/ethtool.h"

namespace reveal::collect {
namespace {

using model::Kind;
using Names = std::array<std::string_view, 3>;

constexpr DriverStatistic row(Names names, Kind kind, std::string_view source,
                              std::string_view unit, std::string_view name, std::string_view label,
                              std::string_view help, std::int16_t rank) {
  model::MetricDescriptor out;
  out.name = name;
  out.label = label;
  out.unit = unit;
  out.kind = kind;
  out.subsystem = model::Subsystem::kNetwork;
  out.scope = model::Scope::kNic;
  out.source = source;
  out.alias = names[0];
  out.doc_url =
      "https://docs.kernel.org/networking/device_drivers/ethernet/mellanox/mlx5/counters.html";
  out.help = help;
  out.rank = rank;
  return {names, out};
}

constexpr DriverStatistic scaled(double scale, DriverStatistic out) {
  out.metric.scale = scale;
  return out;
}

constexpr DriverStatistic kStatistics[] = {
    row({"rx_out_of_buffer"}, Kind::kEvent, "ethtool GSTATS rx_out_of_buffer", "packets",
        "network_out_of_buffer_total", "Packets without a receive buffer",
        "Packets that found no buffer in any receive queue.", 20),
    row({"rx_discards_phy", "rx_dropped.nic"}, Kind::kEvent, "ethtool GSTATS rx_discards_phy",
        "packets", "network_port_receive_discards_total", "Packets discarded on arrival",
        "Packets discarded because the adapter's own buffers were full.", 20),
    row({"tx_discards_phy"}, Kind::kEvent, "ethtool GSTATS tx_discards_phy", "packets",
        "network_port_send_discards_total", "Packets discarded before sending",
        "Packets that the port discarded instead of sending.", 40),
    row({"rx_crc_errors_phy", "rx_crc_errors.nic", "rx_fcs_err_frames"}, Kind::kEvent,
        "ethtool GSTATS rx_crc_errors_phy", "packets", "network_port_crc_errors_total",
        "Port checksum errors", "Packets that arrived at the port with a wrong checksum.", 30),
    row({"rx_symbol_err_phy"}, Kind::kEvent, "ethtool GSTATS rx_symbol_err_phy", "packets",
        "network_port_symbol_errors_total", "Port symbol errors",
        "Packets that arrived with a physical coding error.", 40),
    row({"rx_pcs_symbol_err_phy"}, Kind::kEvent, "ethtool GSTATS rx_pcs_symbol_err_phy", "symbols",
        "network_port_uncorrected_symbols_total", "Uncorrected link symbols",
        "Symbols that error correction could not correct; shows the quality of the link.", 30),
    row({"rx_corrected_bits_phy"}, Kind::kCounter, "ethtool GSTATS rx_corrected_bits_phy", "bits",
        "network_port_corrected_bits_total", "Corrected link bits",
        "Bits that error correction corrected; shows the quality of the link.", 40),
    row({"link_down_events_phy"}, Kind::kEvent, "ethtool GSTATS link_down_events_phy", "events",
        "network_port_link_downs_total", "Port link losses",
        "Times that the link went from up to down.", 20),
    row({"tx_pause_ctrl_phy", "tx_pause_frames"}, Kind::kCounter,
        "ethtool GSTATS tx_pause_ctrl_phy", "frames", "network_sent_pauses_total",
        "Pause frames sent", "Frames sent to make the peer pause.", 20),
    row({"rx_pause_ctrl_phy", "rx_pause_frames"}, Kind::kCounter,
        "ethtool GSTATS rx_pause_ctrl_phy", "frames", "network_received_pauses_total",
        "Pause frames received", "Frames received that made the port pause.", 20),
    row({"rx_prio#_pause"}, Kind::kCounter, "ethtool GSTATS rx_prio#_pause", "frames",
        "network_priority_received_pauses_total", "Priority pause frames received",
        "Pause frames received for one priority.", 30),
    row({"tx_prio#_pause"}, Kind::kCounter, "ethtool GSTATS tx_prio#_pause", "frames",
        "network_priority_sent_pauses_total", "Priority pause frames sent",
        "Pause frames sent for one priority.", 30),
    scaled(1e-6, row({"rx_prio#_pause_duration"}, Kind::kCounter,
                     "ethtool GSTATS rx_prio#_pause_duration", "seconds",
                     "network_priority_paused_seconds_total", "Priority paused time",
                     "Time that the peer made one priority pause.", 30)),
    row({"tx_pause_storm_warning_events"}, Kind::kEvent,
        "ethtool GSTATS tx_pause_storm_warning_events", "events",
        "network_pause_storm_warnings_total", "Pause storm warnings",
        "Times that the port made its peer pause for long.", 30),
    row({"tx_pause_storm_error_events"}, Kind::kEvent, "ethtool GSTATS tx_pause_storm_error_events",
        "events", "network_pause_storm_errors_total", "Pause storms cut off",
        "Times that pausing the peer went on for so long that it was switched off.", 20),
    row({"rx_ecn_mark"}, Kind::kCounter, "ethtool GSTATS rx_ecn_mark", "packets",
        "network_received_congestion_marks_total", "Packets received with congestion marks",
        "Packets received that a switch had marked for congestion.", 30),
    scaled(0.01,
           row({"outbound_pci_stalled_wr"}, Kind::kGauge, "ethtool GSTATS outbound_pci_stalled_wr",
               "ratio", "network_pcie_write_stalled_ratio", "PCIe write stall share",
               "Share of the last second in which the adapter could not write to the host.", 20)),
    scaled(0.01,
           row({"outbound_pci_stalled_rd"}, Kind::kGauge, "ethtool GSTATS outbound_pci_stalled_rd",
               "ratio", "network_pcie_read_stalled_ratio", "PCIe read stall share",
               "Share of the last second in which the adapter could not read from the host.", 20)),
    row({"rx_pci_signal_integrity"}, Kind::kEvent, "ethtool GSTATS rx_pci_signal_integrity",
        "events", "network_pcie_receive_errors_total", "PCIe receive errors of adapters",
        "Errors of the PCIe link that made it recover, seen on receiving.", 30),
    row({"tx_pci_signal_integrity"}, Kind::kEvent, "ethtool GSTATS tx_pci_signal_integrity",
        "events", "network_pcie_send_errors_total", "PCIe send errors of adapters",
        "Errors of the PCIe link that made it recover, started by the other side.", 30),
    row({"rx_vport_rdma_unicast_bytes"}, Kind::kCounter,
        "ethtool GSTATS rx_vport_rdma_unicast_bytes", "bytes",
        "network_rdma_received_unicast_bytes_total", "RDMA unicast bytes received",
        "RoCE unicast bytes received, which pass by the kernel and its own counters.", 10),
    row({"tx_vport_rdma_unicast_bytes"}, Kind::kCounter,
        "ethtool GSTATS tx_vport_rdma_unicast_bytes", "bytes",
        "network_rdma_sent_unicast_bytes_total", "RDMA unicast bytes sent",
        "RoCE unicast bytes sent, which pass by the kernel and its own counters.", 10),
    row({"rx_steer_missed_packets"}, Kind::kEvent, "ethtool GSTATS rx_steer_missed_packets",
        "packets", "network_unsteered_packets_total", "Packets matching no flow",
        "Packets dropped because they matched no flow of the adapter's table.", 50),
    row({"ch_events"}, Kind::kCounter, "ethtool GSTATS ch_events", "events",
        "network_channel_events_total", "Adapter completion events",
        "Completion events of all queues; each may be an interrupt.", 50),
};

// Returns the name with the priority in the place of "#".
std::string with_priority(std::string_view name, int priority) {
  const auto at = name.find('#');
  if (at == name.npos) return std::string(name);
  return fmt::format("{}{}{}", name.substr(0, at), priority, name.substr(at + 1));
}

// Returns the index of the first of the names that the driver has.
std::optional<std::size_t> find_any(std::span<const char> names, const DriverStatistic& statistic,
                                    int priority) {
  for (const std::string_view name : statistic.names) {
    if (name.empty()) break;
    if (const auto at = netlink::find_statistic(names, with_priority(name, priority))) return at;
  }
  return std::nullopt;
}

}  // namespace

std::span<const DriverStatistic> driver_statistics() {
  return kStatistics;
}

std::vector<StatisticPlace> find_statistics(std::span<const char> names) {
  std::vector<StatisticPlace> out;
  const auto table = driver_statistics();
  for (std::size_t row = 0; row < table.size(); ++row) {
    const bool each = table[row].per_priority();
    for (int priority = 0; priority < (each ? kPriorities : 1); ++priority) {
      const auto at = find_any(names, table[row], priority);
      const auto of = static_cast<std::size_t>(each ? priority : kPriorities);
      if (at) out.push_back({*at, row, of});
    }
  }
  return out;
}

}  // namespace reveal::collect
