// /sys/devices/system/node/node*/meminfo: what the memory of each NUMA node is used for. A host can
// have plenty of free memory and a node none.
#include "collect/collector.h"
#include "collect/memory/node_keyed_collector.h"
#include "procfs/node_layout.h"

namespace reveal::collect {
namespace {

using model::MetricDescriptor;

constexpr MetricDescriptor row(std::string_view source, std::string_view name,
                               std::string_view label, std::string_view help,
                               std::int16_t rank = 100) {
  MetricDescriptor out;
  out.name = name;
  out.label = label;
  out.unit = "bytes";
  out.subsystem = model::Subsystem::kMemory;
  out.scope = model::Scope::kNode;
  out.scale = 1024.0;  // the file's "kB" are KiB
  out.source = source;
  out.alias = key_of_source(source);
  out.doc_url = "https://docs.kernel.org/admin-guide/abi-stable.html";
  out.help = help;
  out.rank = rank;
  return out;
}

constexpr MetricDescriptor fact(MetricDescriptor out) {
  out.kind = model::Kind::kStatic;
  return out;
}

constexpr MetricDescriptor pages(MetricDescriptor out) {
  out.unit = "pages";
  out.scale = 1.0;
  return out;
}

constexpr MetricDescriptor kMetrics[] = {
    fact(row("/sys/devices/system/node/node*/meminfo MemTotal", "memory_node_installed_bytes",
             "Memory of the NUMA node", "Memory of the node that the kernel can hand out.", 50)),
    row("/sys/devices/system/node/node*/meminfo MemFree", "memory_node_free_bytes",
        "Free memory of the NUMA node", "Memory of the node that holds nothing.", 30),
    row("/sys/devices/system/node/node*/meminfo MemUsed", "memory_node_used_bytes",
        "Used memory of the NUMA node", "Memory of the node that is not free, its cache included.",
        150),
    row("/sys/devices/system/node/node*/meminfo FilePages", "memory_node_file_bytes",
        "Page cache of the NUMA node", "Page cache on the node, with shared memory."),
    row("/sys/devices/system/node/node*/meminfo AnonPages", "memory_node_anonymous_bytes",
        "Anonymous memory of the NUMA node", "Memory of programs on the node."),
    row("/sys/devices/system/node/node*/meminfo Dirty", "memory_node_dirty_bytes",
        "Dirty page cache of the NUMA node", "Page cache on the node that waits to be written."),
    row("/sys/devices/system/node/node*/meminfo Writeback", "memory_node_writeback_bytes",
        "Page cache under writeback of the NUMA node",
        "Page cache on the node that is being written."),
    row("/sys/devices/system/node/node*/meminfo Unevictable", "memory_node_unevictable_bytes",
        "Unevictable memory of the NUMA node",
        "Memory on the node that cannot be reclaimed, such as locked and pinned pages."),
    pages(row("/sys/devices/system/node/node*/meminfo HugePages_Total",
              "memory_node_huge_pool_pages", "Huge page pool of the NUMA node",
              "Huge pages of the default size in the node's pool.")),
    pages(row("/sys/devices/system/node/node*/meminfo HugePages_Free",
              "memory_node_huge_free_pages", "Free huge pages of the NUMA node",
              "Huge pages of the node's pool that are not allocated.", 60)),
};

std::vector<MetricDescriptor> node_meminfo_metrics() {
  return {std::begin(kMetrics), std::end(kMetrics)};
}

std::unique_ptr<Collector> make_node_meminfo() {
  return std::make_unique<NodeKeyedCollector<procfs::NodeLayout>>("meminfo",
                                                                  node_meminfo_metrics());
}

}  // namespace

extern const CollectorDescriptor kNodeMeminfoCollector = {
    .name = "node_meminfo",
    .help = "what the memory of each NUMA node is used for",
    .make = make_node_meminfo,
    .metrics = node_meminfo_metrics,
    .poll_class = PollClass::kMedium,
};

}  // namespace reveal::collect
