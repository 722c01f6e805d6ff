// The table of tracked connections (netfilter's conntrack), which every connection through a
// firewall, NAT or a container network has an entry in. When the table is full, packets of new
// connections are dropped without a word to the programs that wait for them.
//
// The counters of all cores are added up. They are of this network namespace.
#include <array>

#include "collect/collector.h"
#include "collect/parts/instance_channels.h"
#include "collect/parts/keyed_collector.h"
#include "collect/parts/metric_maker.h"
#include "procfs/net_stat.h"
#include "procfs/small_file.h"
#include "procfs/text_file.h"

namespace reveal::collect {
namespace {

using model::Kind;
using model::MetricDescriptor;

constexpr MetricOrigin kOrigin = {
    .subsystem = model::Subsystem::kNetwork,
    .doc_url = "https://docs.kernel.org/networking/nf_conntrack-sysctl.html"};

constexpr std::size_t kEntries = 0;
constexpr std::size_t kLimit = 1;
constexpr std::size_t kUsed = 2;
constexpr std::size_t kFirstCounter = 3;

constexpr MetricDescriptor kMetrics[] = {
    describe(kOrigin, {.name = "network_conntrack_entries",
                       .label = "Tracked connections",
                       .unit = "entries",
                       .source = "/proc/sys/net/netfilter/nf_conntrack_count",
                       .alias = "nf_conntrack_count",
                       .help = "Connections in the table of tracked ones.",
                       .rank = 40}),
    describe(kOrigin, {.name = "network_conntrack_limit_entries",
                       .label = "Limit of tracked connections",
                       .unit = "entries",
                       .kind = Kind::kStatic,
                       .source = "/proc/sys/net/netfilter/nf_conntrack_max",
                       .alias = "nf_conntrack_max",
                       .help = "The most connections that the table takes."}),
    describe(kOrigin,
             {.name = "network_conntrack_used_ratio",
              .label = "Use of the table of tracked connections",
              .unit = "ratio",
              .repr = model::Repr::kF64,
              .source = "/proc/sys/net/netfilter/nf_conntrack_{count,max}",
              .alias = "nf_conntrack_count / nf_conntrack_max",
              .help = "Share of the table that is taken; at 1 new connections are dropped.",
              .rank = 30}),
    describe(kOrigin, {.name = "network_conntrack_drops_total",
                       .label = "Packets dropped by connection tracking",
                       .unit = "packets",
                       .kind = Kind::kEvent,
                       .counter_bits = 32,
                       .source = "/proc/net/stat/nf_conntrack drop",
                       .alias = "drop",
                       .help = "Packets dropped because their connection found no place: the table "
                               "was full, memory was short, or another packet began the same "
                               "connection at once (which also counts as a failure to insert).",
                       .rank = 20}),
    describe(kOrigin,
             {.name = "network_conntrack_early_drops_total",
              .label = "Tracked connections given up early",
              .unit = "entries",
              .kind = Kind::kEvent,
              .counter_bits = 32,
              .source = "/proc/net/stat/nf_conntrack early_drop",
              .alias = "early_drop",
              .help = "Connections thrown out of the full table to make room for new ones.",
              .rank = 20}),
    describe(kOrigin, {.name = "network_conntrack_insert_failures_total",
                       .label = "Connections that could not be tracked",
                       .unit = "entries",
                       .kind = Kind::kEvent,
                       .counter_bits = 32,
                       .source = "/proc/net/stat/nf_conntrack insert_failed",
                       .alias = "insert_failed",
                       .help = "Packets dropped because an equal connection was entered meanwhile, "
                               "as by two DNS requests at once.",
                       .rank = 40}),
    describe(kOrigin, {.name = "network_conntrack_invalid_total",
                       .label = "Packets that connection tracking cannot place",
                       .unit = "packets",
                       .kind = Kind::kEvent,
                       .counter_bits = 32,
                       .source = "/proc/net/stat/nf_conntrack invalid",
                       .alias = "invalid",
                       .help = "Packets that belong to no connection and begin none.",
                       .rank = 60}),
    describe(kOrigin, {.name = "network_conntrack_restarts_total",
                       .label = "Restarted searches for a tracked connection",
                       .unit = "searches",
                       .kind = Kind::kCounter,
                       .counter_bits = 32,
                       .source = "/proc/net/stat/nf_conntrack search_restart",
                       .alias = "search_restart",
                       .help = "Searches begun again because the table changed under them."}),
    describe(kOrigin, {.name = "network_conntrack_clashes_total",
                       .label = "Clashes of tracked connections that were settled",
                       .unit = "entries",
                       .kind = Kind::kCounter,
                       .counter_bits = 32,
                       .source = "/proc/net/stat/nf_conntrack clashres",
                       .alias = "clashres",
                       .help = "Equal connections entered at once that were joined (Linux 5.10)."}),
    describe(kOrigin, {.name = "network_conntrack_icmp_errors_total",
                       .label = "ICMP errors of no tracked connection",
                       .unit = "packets",
                       .kind = Kind::kEvent,
                       .counter_bits = 32,
                       .source = "/proc/net/stat/nf_conntrack icmp_error",
                       .alias = "icmp_error",
                       .help = "Packets that could not be tracked because of an ICMP error."}),
};
constexpr std::size_t kCounters = std::size(kMetrics) - kFirstCounter;

class ConntrackCollector final : public Collector {
 public:
  base::Result<void> open(const procfs::HostRoot& root, model::ChannelTable& channels) override {
    count_ = root.proc_path("sys/net/netfilter/nf_conntrack_count");
    limit_ = root.proc_path("sys/net/netfilter/nf_conntrack_max");
    stat_ = procfs::TextFile(root.proc_path("net/stat/nf_conntrack"));
    const std::size_t before = channels.channel_count();
    add_channels_of(*this, channels);
    if (channels.channel_count() > before) return {};
    return base::fail(base::ErrorKind::kAbsent, "no connection is tracked", count_,
                      "nothing to do: no firewall or NAT has loaded the module nf_conntrack");
  }

  void collect(FrameWriter& writer) override {
    const auto entries = procfs::read_number(count_);
    const auto limit = procfs::read_number(limit_);
    channels_.set(writer, kEntries, entries);
    channels_.set(writer, kLimit, limit);
    if (entries && limit && *limit > 0) {
      channels_.set(writer, kUsed,
                    std::optional(static_cast<double>(*entries) / static_cast<double>(*limit)));
    }
    const auto text = stat_.read();
    if (!text) return;
    layout_.read(*text, counters_);
    for (std::size_t i = 0; i < kCounters; ++i) {
      // A sum modulo 2^32 of counters of 32 bits is one itself, which wraps as they do.
      if (counters_[i]) *counters_[i] &= 0xffffffff;
      channels_.set(writer, kFirstCounter + i, counters_[i]);
    }
  }

 private:
  std::string count_;
  std::string limit_;
  procfs::TextFile stat_;
  procfs::NetStatLayout layout_{keys_of(std::span(kMetrics).subspan(kFirstCounter))};
  std::array<procfs::Value, kCounters> counters_{};
  InstanceChannels channels_{kMetrics, ""};
};

std::vector<MetricDescriptor> conntrack_metrics() {
  return {std::begin(kMetrics), std::end(kMetrics)};
}

std::unique_ptr<Collector> make_conntrack() {
  return std::make_unique<ConntrackCollector>();
}

}  // namespace

extern const CollectorDescriptor kConntrackCollector = {
    .name = "conntrack",
    .help = "the table of tracked connections, and what it drops",
    .make = make_conntrack,
    .metrics = conntrack_metrics,
    .poll_class = PollClass::kMedium,
};

}  // namespace reveal::collect
