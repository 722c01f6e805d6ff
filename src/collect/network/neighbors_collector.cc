// The tables of neighbors: the link address of each IPv4 (arp_cache) and IPv6 (ndisc_cache) host
// that this one sends to. In a flat network of thousands of hosts or pods a table of the usual size
// fills up; then the kernel throws entries out and asks again, and what it cannot place is dropped.
//
// A table and its limit are of the whole host, whatever network namespaces it has.
#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

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

constexpr MetricOrigin kOrigin = {.subsystem = model::Subsystem::kNetwork,
                                  .scope = model::Scope::kDevice,
                                  .doc_url = "https://man7.org/linux/man-pages/man7/arp.7.html"};

constexpr std::size_t kLimit = 0;
constexpr std::size_t kUsed = 1;
constexpr std::size_t kFirstOfStat = 2;
constexpr std::size_t kEntries = 2;

constexpr MetricDescriptor kMetrics[] = {
    describe(kOrigin, {.name = "network_neighbor_limit_entries",
                       .label = "Limit of network neighbors",
                       .unit = "entries",
                       .kind = Kind::kStatic,
                       .source = "/proc/sys/net/ipv{4,6}/neigh/default/gc_thresh3",
                       .alias = "gc_thresh3",
                       .help = "The most neighbors that the table takes."}),
    describe(kOrigin, {.name = "network_neighbor_used_ratio",
                       .label = "Use of the table of network neighbors",
                       .unit = "ratio",
                       .repr = model::Repr::kF64,
                       .source = "/proc/net/stat/{arp,ndisc}_cache entries / gc_thresh3",
                       .alias = "entries / gc_thresh3",
                       .help = "Share of the table that is taken; at 1 new neighbors are refused.",
                       .rank = 50}),
    describe(kOrigin, {.name = "network_neighbor_entries",
                       .label = "Network neighbors",
                       .unit = "entries",
                       .source = "/proc/net/stat/{arp,ndisc}_cache entries",
                       .alias = "entries",
                       .help = "Neighbors in the table.",
                       .rank = 80}),
    describe(kOrigin, {.name = "network_neighbor_table_fulls_total",
                       .label = "Network neighbors refused by a full table",
                       .unit = "entries",
                       .kind = Kind::kEvent,
                       .source = "/proc/net/stat/{arp,ndisc}_cache table_fulls",
                       .alias = "table_fulls",
                       .help = "Neighbors that found no place, so that what was to be sent to them "
                               "was dropped (Linux 4.17).",
                       .rank = 20}),
    describe(kOrigin, {.name = "network_neighbor_forced_collections_total",
                       .label = "Collections forced by a full table of network neighbors",
                       .unit = "collections",
                       .kind = Kind::kEvent,
                       .source = "/proc/net/stat/{arp,ndisc}_cache forced_gc_runs",
                       .alias = "forced_gc_runs",
                       .help = "Times that a new neighbor made the kernel look for some to throw "
                               "out.",
                       .rank = 50}),
    describe(kOrigin, {.name = "network_neighbor_failures_total",
                       .label = "Network neighbors that did not answer",
                       .unit = "neighbors",
                       .kind = Kind::kEvent,
                       .source = "/proc/net/stat/{arp,ndisc}_cache res_failed",
                       .alias = "res_failed",
                       .help = "Neighbors whose link address nobody told, however often asked for.",
                       .rank = 60}),
    describe(kOrigin, {.name = "network_neighbor_discards_total",
                       .label = "Packets dropped while a network neighbor was asked for",
                       .unit = "packets",
                       .kind = Kind::kEvent,
                       .source = "/proc/net/stat/{arp,ndisc}_cache unresolved_discards",
                       .alias = "unresolved_discards",
                       .help = "Packets dropped because too many waited for one link address.",
                       .rank = 40}),
};
constexpr std::size_t kOfStat = std::size(kMetrics) - kFirstOfStat;

class NeighborsCollector final : public Collector {
 public:
  base::Result<void> open(const procfs::HostRoot& root, model::ChannelTable& channels) override {
    for (const auto& [name, family] : {std::pair("arp", "net/ipv4"), {"ndisc", "net/ipv6"}}) {
      Table table(root, name, family);
      // One that is not there, as IPv6's if the kernel has none, is not asked for again.
      if (table.stat.read()) tables_.push_back(std::move(table));
    }
    const std::size_t before = channels.channel_count();
    add_channels_of(*this, channels);
    if (channels.channel_count() > before) return {};
    return base::fail(
        base::ErrorKind::kAbsent, "no table of neighbors is shown", root.proc_path("net/stat"),
        "record on the host or in its network namespace: others do not see the table");
  }

  void collect(FrameWriter& writer) override {
    for (Table& table : tables_) read(writer, table);
  }

 private:
  struct Table {
    Table(const procfs::HostRoot& root, std::string_view name, std::string_view family)
        : stat(root.proc_path(fmt::format("net/stat/{}_cache", name))),
          limit(root.proc_path(fmt::format("sys/{}/neigh/default/gc_thresh3", family))),
          channels(kMetrics, fmt::format("table={}", name)) {}

    procfs::TextFile stat;
    std::string limit;
    InstanceChannels channels;
  };

  void read(FrameWriter& writer, Table& table) {
    const auto limit = procfs::read_number(table.limit);
    table.channels.set(writer, kLimit, limit);
    const auto text = table.stat.read();
    if (!text) return;
    layout_.read(*text, values_);
    for (std::size_t i = 0; i < kOfStat; ++i) {
      table.channels.set(writer, kFirstOfStat + i, values_[i]);
    }
    const auto entries = values_[kEntries - kFirstOfStat];
    if (!entries || !limit || *limit == 0) return;
    table.channels.set(writer, kUsed,
                       std::optional(static_cast<double>(*entries) / static_cast<double>(*limit)));
  }

  std::vector<Table> tables_;
  procfs::NetStatLayout layout_{keys_of(std::span(kMetrics).subspan(kFirstOfStat))};
  std::array<procfs::Value, kOfStat> values_{};
};

std::vector<MetricDescriptor> neighbors_metrics() {
  return {std::begin(kMetrics), std::end(kMetrics)};
}

std::unique_ptr<Collector> make_neighbors() {
  return std::make_unique<NeighborsCollector>();
}

}  // namespace

extern const CollectorDescriptor kNeighborsCollector = {
    .name = "neighbors",
    .help = "the tables of neighbors (ARP, NDISC), and what they refuse",
    .make = make_neighbors,
    .metrics = neighbors_metrics,
    .poll_class = PollClass::kMedium,
};

}  // namespace reveal::collect
