// The counters that an adapter keeps beyond the standard: retransmissions, timeouts, congestion.
// Most are those of mlx5; another driver has its own set, of which those with the same name are
// read. The driver asks the adapter anew when its copy is older than hw_counters/lifespan, 10 ms by
// default.
#include "collect/infiniband/infiniband_metrics.h"

namespace reveal::collect {
namespace {

using model::Kind;
using model::MetricDescriptor;

constexpr std::string_view kDoc =
    "https://enterprise-support.nvidia.com/s/article/"
    "understanding-mlx5-linux-counters-and-status-parameters";

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
  out.doc_url = kDoc;
  out.help = help;
  out.rank = rank;
  return {decimal_attribute, out};
}

constexpr AttributeRow kHwCounters[] = {
    row(Kind::kEvent, "/sys/class/infiniband/*/ports/*/hw_counters/out_of_buffer", "out_of_buffer",
        "packets", "network_rdma_out_of_buffer_total", "RDMA packets without a buffer",
        "Packets dropped because no receive buffer was posted for them.", 30),
    row(Kind::kEvent, "/sys/class/infiniband/*/ports/*/hw_counters/out_of_sequence",
        "out_of_sequence", "packets", "network_rdma_out_of_sequence_total",
        "RDMA packets out of sequence", "Packets received out of sequence.", 20),
    row(Kind::kEvent, "/sys/class/infiniband/*/ports/*/hw_counters/duplicate_request",
        "duplicate_request", "packets", "network_rdma_duplicate_requests_total",
        "RDMA duplicate requests", "Requests received again that had been received before.", 40),
    row(Kind::kEvent, "/sys/class/infiniband/*/ports/*/hw_counters/rnr_nak_retry_err",
        "rnr_nak_retry_err", "packets", "network_rdma_receiver_not_ready_total",
        "RDMA receiver not ready",
        "Negative acknowledgements received because the receiver was not ready.", 30),
    row(Kind::kEvent, "/sys/class/infiniband/*/ports/*/hw_counters/packet_seq_err",
        "packet_seq_err", "packets", "network_rdma_sequence_errors_total", "RDMA sequence errors",
        "Negative acknowledgements received because of a packet out of sequence.", 20),
    row(Kind::kEvent, "/sys/class/infiniband/*/ports/*/hw_counters/implied_nak_seq_err",
        "implied_nak_seq_err", "packets", "network_rdma_implied_sequence_errors_total",
        "RDMA implied sequence errors",
        "Times that an acknowledgement for a later packet showed that one was lost.", 40),
    row(Kind::kEvent, "/sys/class/infiniband/*/ports/*/hw_counters/local_ack_timeout_err",
        "local_ack_timeout_err", "timeouts", "network_rdma_acknowledgement_timeouts_total",
        "RDMA acknowledgement timeouts",
        "Times that the timer of a queue pair ran out before an acknowledgement came.", 20),
    row(Kind::kEvent, "/sys/class/infiniband/*/ports/*/hw_counters/resp_local_length_error",
        "resp_local_length_error", "errors", "network_rdma_responder_length_errors_total",
        "RDMA responder length errors", "Requests whose length was wrong for the responder."),
    row(Kind::kEvent, "/sys/class/infiniband/*/ports/*/hw_counters/resp_cqe_error",
        "resp_cqe_error", "errors", "network_rdma_responder_completion_errors_total",
        "RDMA responder completion errors", "Completions with an error at the responder.", 50),
    row(Kind::kEvent, "/sys/class/infiniband/*/ports/*/hw_counters/req_cqe_error", "req_cqe_error",
        "errors", "network_rdma_requester_completion_errors_total",
        "RDMA requester completion errors", "Completions with an error at the requester.", 50),
    row(Kind::kEvent, "/sys/class/infiniband/*/ports/*/hw_counters/req_remote_invalid_request",
        "req_remote_invalid_request", "errors", "network_rdma_remote_invalid_requests_total",
        "RDMA remote invalid requests", "Times that the remote side called a request invalid."),
    row(Kind::kEvent, "/sys/class/infiniband/*/ports/*/hw_counters/req_remote_access_errors",
        "req_remote_access_errors", "errors", "network_rdma_requester_access_errors_total",
        "RDMA requester access errors", "Times that the remote side refused access."),
    row(Kind::kEvent, "/sys/class/infiniband/*/ports/*/hw_counters/resp_remote_access_errors",
        "resp_remote_access_errors", "errors", "network_rdma_responder_access_errors_total",
        "RDMA responder access errors", "Times that access was refused to the remote side."),
    row(Kind::kEvent, "/sys/class/infiniband/*/ports/*/hw_counters/resp_cqe_flush_error",
        "resp_cqe_flush_error", "errors", "network_rdma_responder_flush_errors_total",
        "RDMA responder flushes",
        "Completions flushed at the responder, as when a queue pair is closed.", 150),
    row(Kind::kEvent, "/sys/class/infiniband/*/ports/*/hw_counters/req_cqe_flush_error",
        "req_cqe_flush_error", "errors", "network_rdma_requester_flush_errors_total",
        "RDMA requester flushes",
        "Completions flushed at the requester, as when a queue pair is closed.", 150),
    row(Kind::kEvent, "/sys/class/infiniband/*/ports/*/hw_counters/rp_cnp_ignored",
        "rp_cnp_ignored", "packets", "network_rdma_congestion_notices_ignored_total",
        "RDMA congestion notices ignored",
        "Congestion notifications received and ignored; should stay at 0 where congestion control "
        "is on.",
        40),
    row(Kind::kCounter, "/sys/class/infiniband/*/ports/*/hw_counters/rp_cnp_handled",
        "rp_cnp_handled", "packets", "network_rdma_congestion_notices_handled_total",
        "RDMA congestion notices handled",
        "Congestion notifications received that slowed the sender down.", 20),
    row(Kind::kCounter, "/sys/class/infiniband/*/ports/*/hw_counters/np_cnp_sent", "np_cnp_sent",
        "packets", "network_rdma_congestion_notices_sent_total", "RDMA congestion notices sent",
        "Congestion notifications sent because marked packets had come.", 20),
    row(Kind::kCounter, "/sys/class/infiniband/*/ports/*/hw_counters/np_ecn_marked_roce_packets",
        "np_ecn_marked_roce_packets", "packets", "network_rdma_congestion_marked_packets_total",
        "RDMA packets marked for congestion",
        "RoCE packets received that a switch had marked for congestion.", 20),
    row(Kind::kEvent, "/sys/class/infiniband/*/ports/*/hw_counters/rx_icrc_encapsulated",
        "rx_icrc_encapsulated", "packets", "network_rdma_icrc_errors_total", "RDMA checksum errors",
        "RoCE packets received with a wrong checksum.", 40),
    row(Kind::kEvent, "/sys/class/infiniband/*/ports/*/hw_counters/roce_adp_retrans",
        "roce_adp_retrans", "retransmissions", "network_rdma_adaptive_retransmissions_total",
        "RDMA adaptive retransmissions", "Adaptive retransmissions of RoCE traffic (Linux 5.6).",
        30),
    row(Kind::kEvent, "/sys/class/infiniband/*/ports/*/hw_counters/roce_adp_retrans_to",
        "roce_adp_retrans_to", "timeouts", "network_rdma_adaptive_retransmission_timeouts_total",
        "RDMA adaptive retransmission timeouts",
        "Times that RoCE traffic timed out under adaptive retransmission (Linux 5.6).", 40),
    row(Kind::kEvent, "/sys/class/infiniband/*/ports/*/hw_counters/roce_slow_restart",
        "roce_slow_restart", "restarts", "network_rdma_slow_restarts_total", "RDMA slow restarts",
        "Times that a RoCE slow restart was used (Linux 5.6).", 50),
    row(Kind::kEvent, "/sys/class/infiniband/*/ports/*/hw_counters/roce_slow_restart_cnps",
        "roce_slow_restart_cnps", "packets", "network_rdma_slow_restart_notices_total",
        "RDMA slow restart notices",
        "Congestion notifications that slow restarts made (Linux 5.6)."),
    row(Kind::kEvent, "/sys/class/infiniband/*/ports/*/hw_counters/roce_slow_restart_trans",
        "roce_slow_restart_trans", "transitions", "network_rdma_slow_restart_transitions_total",
        "RDMA slow restart transitions",
        "Times that a RoCE flow changed to slow restart (Linux 5.6)."),
    row(Kind::kCounter, "/sys/class/infiniband/*/ports/*/hw_counters/rx_write_requests",
        "rx_write_requests", "requests", "network_rdma_write_requests_total", "RDMA write requests",
        "Write requests received for the queue pairs of this port.", 40),
    row(Kind::kCounter, "/sys/class/infiniband/*/ports/*/hw_counters/rx_read_requests",
        "rx_read_requests", "requests", "network_rdma_read_requests_total", "RDMA read requests",
        "Read requests received for the queue pairs of this port.", 40),
    row(Kind::kCounter, "/sys/class/infiniband/*/ports/*/hw_counters/rx_atomic_requests",
        "rx_atomic_requests", "requests", "network_rdma_atomic_requests_total",
        "RDMA atomic requests", "Atomic requests received for the queue pairs of this port."),
    row(Kind::kCounter, "/sys/class/infiniband/*/ports/*/hw_counters/rx_dct_connect",
        "rx_dct_connect", "requests", "network_rdma_connect_requests_total",
        "RDMA connect requests",
        "Connection requests received for dynamically connected transport.", 150),
};

}  // namespace

std::span<const AttributeRow> infiniband_hw_counter_rows() {
  return kHwCounters;
}

}  // namespace reveal::collect
