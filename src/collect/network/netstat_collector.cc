// /proc/net/netstat: Linux's own TCP and IP counters of this network namespace, beyond the standard
// ones of /proc/net/snmp. Every kernel version inserts some, so columns are found by name only.
#include "collect/collector.h"
#include "collect/parts/keyed_collector.h"
#include "procfs/paired_layout.h"

namespace reveal::collect {
namespace {

using model::Kind;
using model::MetricDescriptor;

constexpr MetricDescriptor row(std::string_view source, Kind kind, std::string_view unit,
                               std::string_view name, std::string_view label, std::string_view help,
                               std::int16_t rank = 100) {
  MetricDescriptor out;
  out.name = name;
  out.label = label;
  out.unit = unit;
  out.kind = kind;
  out.subsystem = model::Subsystem::kNetwork;
  out.source = source;
  out.alias = source.substr(source.rfind(' ') + 1);
  out.doc_url = "https://docs.kernel.org/networking/snmp_counter.html";
  out.help = help;
  out.rank = rank;
  return out;
}

constexpr auto kCounter = Kind::kCounter;
constexpr auto kEvent = Kind::kEvent;

constexpr MetricDescriptor kMetrics[] = {
    row("/proc/net/netstat TcpExt ListenOverflows", kEvent, "connections",
        "network_tcp_listen_overflows_total", "TCP accept queue overflows",
        "Connections refused because the accept queue was full."),
    row("/proc/net/netstat TcpExt ListenDrops", kEvent, "connections",
        "network_tcp_listen_drops_total", "TCP connection requests dropped",
        "Connection requests dropped for any reason, full queues among them."),
    row("/proc/net/netstat TcpExt SyncookiesSent", kEvent, "segments",
        "network_tcp_syn_cookies_sent_total", "SYN cookies sent",
        "Connection requests answered without a place in the queue, because it was full.", 60),
    row("/proc/net/netstat TcpExt SyncookiesRecv", kEvent, "segments",
        "network_tcp_syn_cookies_received_total", "SYN cookies received",
        "Connections completed that had no place in the queue."),
    row("/proc/net/netstat TcpExt SyncookiesFailed", kEvent, "segments",
        "network_tcp_syn_cookie_failures_total", "Invalid SYN cookies",
        "Segments that should complete a connection and are too late or of no request."),
    row("/proc/net/netstat TcpExt TCPReqQFullDoCookies", kEvent, "connections",
        "network_tcp_request_queue_cookies_total", "TCP request queue overflows with cookies",
        "Connection requests that found the queue full and were answered with a cookie."),
    row("/proc/net/netstat TcpExt TCPReqQFullDrop", kEvent, "connections",
        "network_tcp_request_queue_drops_total", "TCP request queue overflows",
        "Connection requests dropped because the queue was full and cookies are off."),
    row("/proc/net/netstat TcpExt TCPLostRetransmit", kEvent, "segments",
        "network_tcp_lost_retransmits_total", "TCP retransmits lost",
        "Retransmitted segments that were lost again.", 60),
    row("/proc/net/netstat TcpExt TCPFastRetrans", kEvent, "segments",
        "network_tcp_fast_retransmits_total", "TCP fast retransmits",
        "Segments retransmitted on duplicate acknowledgements."),
    row("/proc/net/netstat TcpExt TCPSlowStartRetrans", kEvent, "segments",
        "network_tcp_slow_start_retransmits_total", "TCP slow-start retransmits",
        "Segments retransmitted after a timeout, in slow start."),
    row("/proc/net/netstat TcpExt TCPTimeouts", kEvent, "timeouts", "network_tcp_timeouts_total",
        "TCP timeouts",
        "Retransmission timers that ran out; each stalls its connection for 200 ms or more.", 60),
    row("/proc/net/netstat TcpExt TCPLossProbes", kCounter, "segments",
        "network_tcp_loss_probes_total", "TCP tail loss probes",
        "Probes sent because the last segments were not acknowledged (Linux 3.10)."),
    row("/proc/net/netstat TcpExt TCPLossProbeRecovery", kEvent, "segments",
        "network_tcp_loss_probe_recoveries_total", "TCP tail losses recovered",
        "Losses that a tail loss probe repaired (Linux 3.10)."),
    row("/proc/net/netstat TcpExt TCPSpuriousRTOs", kEvent, "timeouts",
        "network_tcp_spurious_timeouts_total", "Spurious TCP timeouts",
        "Timeouts after which the acknowledgement came all the same."),
    row("/proc/net/netstat TcpExt TCPSynRetrans", kEvent, "segments",
        "network_tcp_syn_retransmits_total", "TCP connection requests sent again",
        "SYN segments retransmitted (Linux 3.15)."),
    row("/proc/net/netstat TcpExt TCPRetransFail", kEvent, "segments",
        "network_tcp_retransmit_failures_total", "TCP retransmits that failed",
        "Retransmits that the lower layers refused (Linux 3.12)."),
    row("/proc/net/netstat TcpExt TCPBacklogDrop", kEvent, "segments",
        "network_tcp_backlog_drops_total", "TCP backlog drops",
        "Segments dropped because a socket's backlog was full."),
    row("/proc/net/netstat TcpExt TCPRcvQDrop", kEvent, "segments",
        "network_tcp_receive_queue_drops_total", "TCP receive queue drops",
        "Segments dropped because a socket's receive queue was full (Linux 4.20)."),
    row("/proc/net/netstat TcpExt TCPZeroWindowDrop", kEvent, "segments",
        "network_tcp_zero_window_drops_total", "TCP zero window drops",
        "Segments dropped because the receiver's window was closed (Linux 4.18)."),
    row("/proc/net/netstat TcpExt TCPAbortOnMemory", kEvent, "connections",
        "network_tcp_memory_aborts_total", "TCP connections aborted for want of memory",
        "Connections ended because TCP's memory was exhausted."),
    row("/proc/net/netstat TcpExt TCPAbortOnTimeout", kEvent, "connections",
        "network_tcp_timeout_aborts_total", "TCP connections aborted by timeout",
        "Connections ended because a timer ran out too often."),
    row("/proc/net/netstat TcpExt TCPMemoryPressures", kEvent, "events",
        "network_tcp_memory_pressures_total", "TCP memory pressure entries",
        "Times that TCP's memory went above its pressure limit."),
    row("/proc/net/netstat TcpExt PruneCalled", kEvent, "events", "network_tcp_prunes_total",
        "TCP receive buffer prunes", "Times that a full receive buffer had to be squeezed."),
    row("/proc/net/netstat TcpExt RcvPruned", kEvent, "segments",
        "network_tcp_pruned_segments_total", "TCP segments pruned",
        "Segments dropped because squeezing the receive buffer did not help."),
    row("/proc/net/netstat TcpExt OfoPruned", kEvent, "segments",
        "network_tcp_pruned_out_of_order_total", "Out-of-order TCP segments pruned",
        "Segments dropped from out-of-order queues for want of buffer."),
    row("/proc/net/netstat TcpExt TCPOFOQueue", kEvent, "segments",
        "network_tcp_out_of_order_total", "TCP segments out of order",
        "Segments that came before an earlier one.", 60),
    row("/proc/net/netstat TcpExt TCPOFODrop", kEvent, "segments",
        "network_tcp_out_of_order_drops_total", "Out-of-order TCP segments dropped",
        "Segments that came out of order and found no buffer."),
    row("/proc/net/netstat TcpExt TCPSACKReneging", kEvent, "events",
        "network_tcp_sack_reneges_total", "TCP receivers that took back acknowledgements",
        "Times that a peer dropped segments that it had acknowledged selectively."),
    row("/proc/net/netstat TcpExt TCPSackRecovery", kCounter, "events",
        "network_tcp_sack_recoveries_total", "TCP loss recoveries",
        "Recoveries from loss that began with selective acknowledgements."),
    row("/proc/net/netstat TcpExt TCPDSACKRecv", kEvent, "segments",
        "network_tcp_duplicate_acknowledgements_total", "Duplicate TCP segments reported by peers",
        "Reports of peers that a segment had come twice."),
    row("/proc/net/netstat TcpExt TCPToZeroWindowAdv", kEvent, "events",
        "network_tcp_window_closings_total", "TCP receive windows closed",
        "Times that a receive window went to zero: the program reads too slowly (Linux 3.15)."),
    row("/proc/net/netstat TcpExt TCPWantZeroWindowAdv", kEvent, "events",
        "network_tcp_wanted_window_closings_total", "TCP receive windows about to close",
        "Times that a window should have gone to zero and could not (Linux 3.15)."),
    row("/proc/net/netstat TcpExt TCPDelivered", kCounter, "segments",
        "network_tcp_delivered_segments_total", "TCP segments delivered",
        "Sent segments that peers acknowledged (Linux 4.18)."),
    row("/proc/net/netstat TcpExt TCPDeliveredCE", kEvent, "segments",
        "network_tcp_delivered_congestion_total", "TCP segments delivered through congestion",
        "Sent segments acknowledged with a congestion mark (Linux 4.18)."),
    row("/proc/net/netstat TcpExt DelayedACKs", kCounter, "segments",
        "network_tcp_delayed_acknowledgements_total", "Delayed TCP acknowledgements",
        "Acknowledgements sent late, by timer."),
    row("/proc/net/netstat TcpExt TCPAutoCorking", kCounter, "events",
        "network_tcp_autocorks_total", "TCP sends held back to coalesce",
        "Times that a small send waited for more to send with it (Linux 3.14)."),
    row("/proc/net/netstat TcpExt TCPOrigDataSent", kCounter, "segments",
        "network_tcp_original_segments_total", "TCP data segments sent",
        "Segments with new data sent (Linux 3.10).", 150),
    row("/proc/net/netstat TcpExt TCPWqueueTooBig", kEvent, "events",
        "network_tcp_write_queue_overflows_total", "TCP write queues too large",
        "Times that a write queue was too large to be split (Linux 4.20)."),
    row("/proc/net/netstat TcpExt TcpTimeoutRehash", kEvent, "events",
        "network_tcp_timeout_rehashes_total", "TCP path changes after timeouts",
        "Times that a connection tried another path after a timeout (Linux 5.5)."),
    row("/proc/net/netstat IpExt InOctets", kCounter, "bytes", "network_ip_received_bytes_total",
        "IP bytes received", "Bytes of IP packets received."),
    row("/proc/net/netstat IpExt OutOctets", kCounter, "bytes", "network_ip_sent_bytes_total",
        "IP bytes sent", "Bytes of IP packets sent."),
    row("/proc/net/netstat IpExt InCEPkts", kEvent, "packets", "network_ip_congestion_marks_total",
        "IP packets marked for congestion",
        "Packets received with the congestion mark (Linux 3.10).", 60),
    row("/proc/net/netstat IpExt InECT0Pkts", kCounter, "packets", "network_ip_ect0_packets_total",
        "IP packets able to carry congestion marks",
        "Packets received that routers may mark (Linux 3.10)."),
    row("/proc/net/netstat IpExt InNoECTPkts", kCounter, "packets",
        "network_ip_no_ect_packets_total", "IP packets unable to carry congestion marks",
        "Packets received that routers may not mark (Linux 3.10).", 150),
    row("/proc/net/netstat IpExt InTruncatedPkts", kEvent, "packets",
        "network_ip_truncated_packets_total", "Truncated IP packets",
        "Packets received shorter than their header says."),
};

std::vector<MetricDescriptor> netstat_metrics() {
  return {std::begin(kMetrics), std::end(kMetrics)};
}

std::unique_ptr<Collector> make_netstat() {
  return std::make_unique<KeyedCollector<procfs::PairedLayout, procfs::kOneRecord>>(
      "net/netstat", netstat_metrics());
}

}  // namespace

extern const CollectorDescriptor kNetstatCollector = {
    .name = "netstat",
    .help = "TCP loss, queue and memory counters",
    .make = make_netstat,
    .metrics = netstat_metrics,
    .poll_class = PollClass::kQuick,
};

}  // namespace reveal::collect
