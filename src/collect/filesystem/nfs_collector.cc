// /proc/net/rpc/nfs: calls of the NFS client, and those that it had to send again. A storage server
// or a network that loses calls shows here before it shows anywhere else on the client.
#include "collect/collector.h"
#include "collect/parts/keyed_collector.h"
#include "procfs/rpc_layout.h"

namespace reveal::collect {
namespace {

using model::Kind;
using model::MetricDescriptor;

constexpr MetricDescriptor row(std::string_view source, Kind kind, std::string_view alias,
                               std::string_view name, std::string_view label, std::string_view help,
                               std::int16_t rank) {
  MetricDescriptor out;
  out.name = name;
  out.label = label;
  out.unit = "calls";
  out.kind = kind;
  out.subsystem = model::Subsystem::kStorage;
  out.counter_bits = 32;
  out.source = source;
  out.alias = alias;
  out.doc_url = "https://man7.org/linux/man-pages/man8/nfsstat.8.html";
  out.help = help;
  out.rank = rank;
  return out;
}

constexpr MetricDescriptor kMetrics[] = {
    row("/proc/net/rpc/nfs rpc calls", Kind::kCounter, "calls", "storage_nfs_calls_total",
        "NFS calls", "Calls of this host to its NFS servers.", 60),
    row("/proc/net/rpc/nfs rpc retrans", Kind::kEvent, "retrans", "storage_nfs_retransmits_total",
        "NFS calls sent again", "Calls that were sent again because no answer came.", 20),
};

std::vector<MetricDescriptor> nfs_metrics() {
  return {std::begin(kMetrics), std::end(kMetrics)};
}

std::unique_ptr<Collector> make_nfs() {
  return std::make_unique<KeyedCollector<procfs::RpcLayout>>(
      "net/rpc/nfs", nfs_metrics(), "mount an NFS file system, or load the module nfs",
      Restart::kTogether);
}

}  // namespace

extern const CollectorDescriptor kNfsCollector = {
    .name = "nfs",
    .help = "calls of the NFS client",
    .make = make_nfs,
    .metrics = nfs_metrics,
    .poll_class = PollClass::kSlow,
};

}  // namespace reveal::collect
