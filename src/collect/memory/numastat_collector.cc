// /sys/devices/system/node/node*/numastat: where the pages of each NUMA node were allocated for.
//
// A node's misses are another's foreign allocations: a job whose memory is not where its cores are
// shows as misses on the node that had room and as foreign pages on the node that it wanted.
#include "collect/collector.h"
#include "collect/memory/node_keyed_collector.h"
#include "procfs/keyed_layout.h"

namespace reveal::collect {
namespace {

using model::Kind;
using model::MetricDescriptor;

constexpr MetricDescriptor row(std::string_view source, Kind kind, std::string_view name,
                               std::string_view label, std::string_view help, std::int16_t rank) {
  MetricDescriptor out;
  out.name = name;
  out.label = label;
  out.unit = "pages";
  out.kind = kind;
  out.subsystem = model::Subsystem::kMemory;
  out.scope = model::Scope::kNode;
  out.source = source;
  out.alias = key_of_source(source);
  out.doc_url = "https://docs.kernel.org/admin-guide/numastat.html";
  out.help = help;
  out.rank = rank;
  return out;
}

constexpr MetricDescriptor kMetrics[] = {
    row("/sys/devices/system/node/node*/numastat numa_hit", Kind::kCounter,
        "memory_node_hits_total", "Pages wanted and allocated on the node",
        "Pages allocated on this node that were wanted there.", 60),
    row("/sys/devices/system/node/node*/numastat numa_miss", Kind::kEvent,
        "memory_node_misses_total", "Pages allocated on the node for want of another",
        "Pages allocated on this node though another was wanted.", 40),
    row("/sys/devices/system/node/node*/numastat numa_foreign", Kind::kEvent,
        "memory_node_foreign_total", "Pages wanted on the node and allocated on another",
        "Pages wanted on this node that another had to give.", 40),
    row("/sys/devices/system/node/node*/numastat interleave_hit", Kind::kCounter,
        "memory_node_interleaved_total", "Pages interleaved to the node",
        "Pages allocated on this node by interleaving, as wanted.", 150),
    row("/sys/devices/system/node/node*/numastat local_node", Kind::kCounter,
        "memory_node_local_total", "Pages of the node for its own cores",
        "Pages allocated on this node by a task on one of its cores.", 100),
    row("/sys/devices/system/node/node*/numastat other_node", Kind::kEvent,
        "memory_node_remote_total", "Pages of the node for other nodes' cores",
        "Pages allocated on this node by a task on another node's core.", 30),
};

std::vector<MetricDescriptor> numastat_metrics() {
  return {std::begin(kMetrics), std::end(kMetrics)};
}

std::unique_ptr<Collector> make_numastat() {
  return std::make_unique<NodeKeyedCollector<procfs::KeyedLayout>>("numastat", numastat_metrics());
}

}  // namespace

extern const CollectorDescriptor kNumastatCollector = {
    .name = "numastat",
    .help = "where pages of each NUMA node were allocated for",
    .make = make_numastat,
    .metrics = numastat_metrics,
    .poll_class = PollClass::kMedium,
};

}  // namespace reveal::collect
