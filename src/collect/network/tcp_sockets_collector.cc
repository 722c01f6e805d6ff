// TCP connections of this network namespace, asked of the kernel by sock_diag: how many there are,
// and how their transfers go. Text files (/proc/net/tcp) take seconds for what this does in
// milliseconds, and know none of the transfer.
//
// A walk over the kernel's table costs most of it, so tcp_reading_plan.h says when one is made; in
// between the sockets that it found are asked for one by one. Connections that a peer has only
// begun to open are told by walks alone, as nothing cheap says that one came.
//
// The work is bounded: at most kMaxSockets of IPv4 and IPv6 together are read. Of more, those
// stand for all: the kernel lists sockets by a hash with a random seed, so they are a fair sample,
// but counts and sums over them are not those of the host, so the counts are missing then.
#include <algorithm>
#include <array>
#include <ctime>
#include <functional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/sock_diag.h>

#include "collect/collector.h"
#include "collect/network/tcp_reading_plan.h"
#include "collect/parts/fact_text.h"
#include "collect/parts/instance_channels.h"
#include "collect/parts/metric_rows.h"
#include "collect/tick_clock.h"
#include "netlink/asker.h"
#include "netlink/dump.h"
#include "netlink/tcp_socket.h"
#include "netlink/tcp_summary.h"
#include "procfs/labeled_layout.h"
#include "procfs/text_file.h"

namespace reveal::collect {
namespace {

using model::Kind;
using model::MetricDescriptor;
using netlink::TcpSummary;
using procfs::Value;

constexpr std::size_t kMaxSockets = 2048;

using Read = Value (*)(TcpSummary& summary);

constexpr MetricRow<Read> row(Read read, Kind kind, std::string_view source, std::string_view alias,
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
  out.doc_url = "https://man7.org/linux/man-pages/man7/sock_diag.7.html";
  out.help = help;
  out.rank = rank;
  return {read, out};
}

constexpr MetricRow<Read> us(MetricRow<Read> out) {
  out.metric.scale = 1e-6;
  return out;
}

template <std::uint8_t kState>
Value count(TcpSummary& summary) {
  return summary.complete() ? Value(summary.count(kState)) : std::nullopt;
}

template <netlink::Ranked TcpSummary::*kMember, int kPercent>
Value quantile(TcpSummary& summary) {
  return (summary.*kMember).quantile(kPercent / 100.0);
}

template <netlink::Ranked TcpSummary::*kMember>
Value sum(TcpSummary& summary) {
  return (summary.*kMember).sum();
}

template <Value TcpSummary::*kMember>
Value total(TcpSummary& summary) {
  return summary.*kMember;
}

template <std::uint64_t TcpSummary::*kMember>
Value longest(TcpSummary& summary) {
  return summary.sockets() > 0 ? Value(summary.*kMember) : std::nullopt;
}

Value sockets(TcpSummary& summary) {
  return summary.sockets();
}

constexpr MetricRow<Read> kRows[] = {
    row(count<netlink::kTcpEstablished>, Kind::kGauge, "sock_diag state ESTABLISHED", "ESTAB",
        "sockets", "network_tcp_established_sockets", "TCP connections in use",
        "TCP connections that can carry data both ways.", 30),
    row(count<netlink::kTcpCloseWait>, Kind::kGauge, "sock_diag state CLOSE_WAIT", "CLOSE-WAIT",
        "sockets", "network_tcp_close_wait_sockets", "TCP connections left half closed",
        "TCP connections whose peer has closed and whose program here has not.", 50),
    row(count<netlink::kTcpSynReceived>, Kind::kGauge, "sock_diag state SYN_RECV", "SYN-RECV",
        "sockets", "network_tcp_syn_received_sockets", "TCP connections being opened",
        "TCP connections that a peer asked for and has not completed.", 50),
    us(row(quantile<&TcpSummary::rtt_us, 50>, Kind::kGauge, "sock_diag tcpi_rtt p50", "rtt p50",
           "seconds", "network_tcp_round_trip_median_seconds", "Median TCP round trip time",
           "Smoothed round trip time that half of the connections do not exceed.", 20)),
    us(row(quantile<&TcpSummary::rtt_us, 99>, Kind::kGauge, "sock_diag tcpi_rtt p99", "rtt p99",
           "seconds", "network_tcp_round_trip_p99_seconds", "Longest TCP round trip times",
           "Smoothed round trip time that 99 of 100 connections do not exceed.", 20)),
    us(row(quantile<&TcpSummary::rtt_deviation_us, 50>, Kind::kGauge, "sock_diag tcpi_rttvar p50",
           "rttvar p50", "seconds", "network_tcp_round_trip_deviation_median_seconds",
           "Median TCP round trip deviation",
           "Mean deviation of the round trip time, the median of all connections.", 50)),
    us(row(quantile<&TcpSummary::min_rtt_us, 50>, Kind::kGauge, "sock_diag tcpi_min_rtt p50",
           "minrtt p50", "seconds", "network_tcp_round_trip_least_median_seconds",
           "Median of least TCP round trip times",
           "Least round trip time seen lately, the median of all connections (Linux 4.6).", 50)),
    row(quantile<&TcpSummary::window, 50>, Kind::kGauge, "sock_diag tcpi_snd_cwnd p50", "cwnd p50",
        "segments", "network_tcp_window_median_segments", "Median TCP congestion window",
        "Segments that a connection may have on their way, the median of all connections.", 30),
    row(sum<&TcpSummary::retransmitting>, Kind::kGauge, "sock_diag tcpi_retrans sum", "retrans",
        "segments", "network_tcp_retransmitting_segments", "TCP segments being sent again",
        "Segments sent again and not yet acknowledged, over all connections.", 20),
    row(sum<&TcpSummary::lost>, Kind::kGauge, "sock_diag tcpi_lost sum", "lost", "segments",
        "network_tcp_lost_segments", "TCP segments taken for lost",
        "Segments that are taken for lost, over all connections.", 20),
    row(sum<&TcpSummary::unacknowledged>, Kind::kGauge, "sock_diag tcpi_unacked sum", "unacked",
        "segments", "network_tcp_unacknowledged_segments", "TCP segments on their way",
        "Segments sent and not yet acknowledged, over all connections.", 40),
    row(total<&TcpSummary::retransmitted_bytes>, Kind::kCounter,
        "sock_diag tcpi_bytes_retrans growth", "bytes_retrans", "bytes",
        "network_tcp_retransmitted_bytes_total", "TCP bytes sent again",
        "Bytes sent again by connections while they were followed (Linux 4.19).", 20),
    row(sum<&TcpSummary::delivery_rate>, Kind::kGauge, "sock_diag tcpi_delivery_rate sum",
        "delivery_rate", "bytes/s", "network_tcp_delivery_bytes_per_second", "TCP delivery rate",
        "Rate at which peers acknowledged data lately, over all connections (Linux 4.9).", 40),
    row(quantile<&TcpSummary::delivery_rate, 50>, Kind::kGauge, "sock_diag tcpi_delivery_rate p50",
        "delivery_rate p50", "bytes/s", "network_tcp_delivery_median_bytes_per_second",
        "Median TCP delivery rate",
        "Rate at which peers acknowledged data lately, the median of all connections "
        "(Linux 4.9).",
        50),
    row(sum<&TcpSummary::not_sent>, Kind::kGauge, "sock_diag tcpi_notsent_bytes sum", "notsent",
        "bytes", "network_tcp_not_sent_bytes", "TCP bytes waiting to be sent",
        "Bytes that programs wrote and that were not sent yet, over all connections "
        "(Linux 4.6).",
        40),
    us(row(total<&TcpSummary::receive_window_limited_us>, Kind::kCounter,
           "sock_diag tcpi_rwnd_limited growth", "rwnd_limited", "seconds",
           "network_tcp_receiver_limited_seconds_total", "TCP time limited by receivers",
           "Time in which a peer's receive window held data back, over the connections followed "
           "(Linux 4.10).",
           30)),
    us(row(total<&TcpSummary::send_buffer_limited_us>, Kind::kCounter,
           "sock_diag tcpi_sndbuf_limited growth", "sndbuf_limited", "seconds",
           "network_tcp_buffer_limited_seconds_total", "TCP time limited by send buffers",
           "Time in which a send buffer that was too small held data back, over the connections "
           "followed (Linux 4.10).",
           30)),
    row(quantile<&TcpSummary::reordering, 99>, Kind::kGauge, "sock_diag tcpi_reordering p99",
        "reordering p99", "segments", "network_tcp_reordering_p99_segments",
        "Largest TCP reordering", "Segments out of order that 99 of 100 connections do not exceed.",
        50),
    row(longest<&TcpSummary::longest_receive_queue>, Kind::kGauge, "sock_diag idiag_rqueue max",
        "Recv-Q max", "bytes", "network_tcp_receive_queue_longest_bytes",
        "Longest TCP receive queue",
        "The most bytes that a connection has waiting for its program.", 40),
    row(longest<&TcpSummary::longest_send_queue>, Kind::kGauge, "sock_diag idiag_wqueue max",
        "Send-Q max", "bytes", "network_tcp_send_queue_longest_bytes", "Longest TCP send queue",
        "The most bytes that a connection has not had acknowledged.", 40),
    row(sockets, Kind::kGauge, "sock_diag answers", "sockets read", "sockets",
        "network_tcp_read_sockets", "TCP connections asked about",
        "TCP connections that all the other numbers of this source are about.", 150),
};

// Returns whether asking for known sockets tells this value, too.
bool is_told_by_asking(const MetricRow<Read>& row) {
  return row.key != &count<netlink::kTcpSynReceived>;
}

// Returns whether sockets in that state are what the metrics are about. Those that this host opens
// or closes are followed besides, as they are among those in use: so none takes the place of
// another unseen.
bool is_counted(std::uint8_t state) {
  return state == netlink::kTcpEstablished || state == netlink::kTcpCloseWait ||
         state == netlink::kTcpSynReceived;
}

// How many TCP sockets the network namespace of this thread has in use.
class TcpInUse {
 public:
  void open(const procfs::HostRoot& root) {
    v4_ = procfs::TextFile(root.proc_path("thread-self/net/sockstat"), procfs::kOneRecord);
    v6_ = procfs::TextFile(root.proc_path("thread-self/net/sockstat6"), procfs::kOneRecord);
  }
  Value read() {
    const Value v4 = read(v4_, v4_layout_);
    if (!v4) return std::nullopt;
    return *v4 + read(v6_, v6_layout_).value_or(0);  // no file: a kernel without IPv6
  }

 private:
  static Value read(procfs::TextFile& file, const procfs::LabeledLayout& layout) {
    const auto text = file.read();
    if (!text) return std::nullopt;
    std::array<Value, 1> out{};
    layout.read(*text, out);
    return out[0];
  }

  procfs::TextFile v4_;
  procfs::TextFile v6_;
  procfs::LabeledLayout v4_layout_{{"TCP inuse"}};
  procfs::LabeledLayout v6_layout_{{"TCP6 inuse"}};
};

class TcpSocketsCollector final : public Collector {
 public:
  TcpSocketsCollector() { known_.reserve(netlink::Asker::kMost); }

  base::Result<void> open(const procfs::HostRoot& root, model::ChannelTable& channels) override {
    if (!root.is_live()) {
      return base::fail(base::ErrorKind::kAbsent, "sockets belong to the running kernel only",
                        root.proc, "leave --proc-root at /proc");
    }
    in_use_.open(root);
    if (auto walked = walk(); !walked) {
      auto error = std::move(walked.error());
      error.kind = base::ErrorKind::kAbsent;
      error.remedy = "load the kernel's module tcp_diag";
      return base::Unexpected(std::move(error));
    }
    add_channels_of(*this, channels);
    plan_ = {};  // what opening took is not counted
    sampled_.forget();
    return {};
  }

  void collect(FrameWriter& writer) override {
    const std::int64_t begin = clock_ns(CLOCK_THREAD_CPUTIME_ID);
    read(writer);
    plan_.charge(std::chrono::nanoseconds(clock_ns(CLOCK_THREAD_CPUTIME_ID) - begin));
  }

  base::Error why_absent(const MetricDescriptor& metric) const override {
    (void)metric;
    return {base::ErrorKind::kAbsent, "no TCP connection has said it yet", "", ""};
  }

 private:
  void read(FrameWriter& writer) {
    const std::int64_t now = clock_ns(CLOCK_MONOTONIC);
    const Value in_use = in_use_.read();
    const TcpReading how = plan_.next(now, in_use, can_ask_);
    if (how == TcpReading::kNone) return channels_.repeat(writer, model::Validity::kStale);
    if (how == TcpReading::kKnown && ask_known()) return say(writer, how);
    if (!walk()) return;
    plan_.note_walk(now, in_use);
    say(writer, TcpReading::kAll);
  }

  void say(FrameWriter& writer, TcpReading how) {
    for (std::size_t row = 0; row < std::size(kRows); ++row) {
      if (how == TcpReading::kKnown && !is_told_by_asking(kRows[row])) {
        channels_.repeat(writer, row, model::Validity::kStale);
        continue;
      }
      channels_.forget(row);
      channels_.set(writer, row, kRows[row].key(summary_));
    }
    sampled_.say(writer, summary_.complete() ? "" : "a sample: the host has more than are read");
  }

  // Reads all sockets into the summary.
  base::Result<void> walk() {
    const auto request = netlink::tcp_sockets_request();
    summary_.begin();
    known_.clear();
    can_ask_ = true;
    room_ = kMaxSockets;
    const auto outcome = dumper_.run(TCPDIAG_GETSOCK, request, visit_);
    can_ask_ = can_ask_ && outcome && outcome->complete;
    if (!outcome) return base::pass(outcome);
    summary_.end(outcome->complete);
    return {};
  }

  netlink::Next take(const netlink::Message& message) {
    if (message.type != TCPDIAG_GETSOCK) return netlink::Next::kMore;
    if (room_ == 0) return netlink::Next::kEnough;
    --room_;
    const auto socket = netlink::parse_tcp_socket(message.payload);
    if (!socket) return netlink::Next::kMore;
    if (is_counted(socket->state)) summary_.add(*socket);
    can_ask_ = can_ask_ && known_.size() < netlink::Asker::kMost;
    if (can_ask_) known_.push_back(socket->key);
    return netlink::Next::kMore;
  }

  // Reads the sockets that the last walk found into the summary. Returns false if one of them is
  // gone: another may have come in its place, and only a walk tells.
  bool ask_known() {
    summary_.begin();
    asker_.begin();
    still_there_ = 0;
    for (const auto& key : known_) {
      asker_.add(SOCK_DIAG_BY_FAMILY, netlink::tcp_socket_request(key));
    }
    if (!asker_.run(visit_known_) || still_there_ != known_.size()) return false;
    summary_.end(true);
    return true;
  }

  void take_known(const netlink::Message& message) {
    const auto socket = netlink::parse_tcp_socket(message.payload);
    if (!socket) return;
    ++still_there_;
    if (is_counted(socket->state)) summary_.add(*socket);
  }

  std::vector<MetricDescriptor> metrics_ = metrics_of(kRows);
  InstanceChannels channels_{metrics_, ""};
  FactText sampled_{"TCP connections read"};
  TcpInUse in_use_;
  TcpReadingPlan plan_;
  netlink::Dumper dumper_{NETLINK_SOCK_DIAG, "sock_diag"};
  netlink::Asker asker_{NETLINK_SOCK_DIAG, "sock_diag"};
  TcpSummary summary_{kMaxSockets};
  std::size_t room_ = 0;
  std::vector<netlink::TcpKey> known_;  // by the last walk
  bool can_ask_ = false;                // those are all
  std::size_t still_there_ = 0;         // of them
  std::function<netlink::Next(const netlink::Message&)> visit_ =
      [this](const netlink::Message& message) { return take(message); };
  std::function<void(const netlink::Message&)> visit_known_ =
      [this](const netlink::Message& message) { take_known(message); };
};

std::vector<MetricDescriptor> tcp_sockets_metrics() {
  return metrics_of(kRows);
}

std::unique_ptr<Collector> make_tcp_sockets() {
  return std::make_unique<TcpSocketsCollector>();
}

}  // namespace

extern const CollectorDescriptor kTcpSocketsCollector = {
    .name = "tcp_sockets",
    .help = "TCP connections: round trips, windows, losses",
    .make = make_tcp_sockets,
    .metrics = tcp_sockets_metrics,
    .poll_class = PollClass::kMedium,
    .may_block = true,
};

}  // namespace reveal::collect
