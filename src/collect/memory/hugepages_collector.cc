// /sys/kernel/mm/hugepages and its likeness in the folder of each NUMA node: the pools of huge
// pages of every size. /proc/meminfo counts pages of the default size only, so that a reserve of 1
// GiB pages that nothing uses would show nowhere.
#include <array>
#include <limits>
#include <string>

#include <fmt/format.h>

#include "collect/collector.h"
#include "collect/memory/node_files.h"
#include "collect/parts/instance_channels.h"
#include "procfs/folder.h"
#include "procfs/small_file.h"
#include "procfs/text_cursor.h"

namespace reveal::collect {
namespace {

using model::MetricDescriptor;
using procfs::Value;

constexpr std::size_t kMaxSizes = 16;  // no architecture has half as many
constexpr std::string_view kPrefix = "hugepages-";
constexpr std::string_view kSuffix = "kB";

constexpr MetricDescriptor row(std::string_view source, std::string_view alias,
                               std::string_view name, std::string_view label, std::string_view help,
                               std::int16_t rank = 100) {
  MetricDescriptor out;
  out.name = name;
  out.label = label;
  out.unit = "pages";
  out.subsystem = model::Subsystem::kMemory;
  out.scope = model::Scope::kDevice;
  out.source = source;
  out.alias = alias;
  out.doc_url = "https://docs.kernel.org/admin-guide/mm/hugetlbpage.html";
  out.help = help;
  out.rank = rank;
  return out;
}

// By the files of a pool, in kFiles' order.
constexpr MetricDescriptor kHostMetrics[] = {
    row("/sys/kernel/mm/hugepages/hugepages-*kB/nr_hugepages", "nr_hugepages",
        "memory_hugepages_pool_pages", "Huge page pool by size",
        "Huge pages of this size in the pool.", 60),
    row("/sys/kernel/mm/hugepages/hugepages-*kB/free_hugepages", "free_hugepages",
        "memory_hugepages_free_pages", "Free huge pages by size",
        "Huge pages of this size that are not allocated.", 60),
    row("/sys/kernel/mm/hugepages/hugepages-*kB/surplus_hugepages", "surplus_hugepages",
        "memory_hugepages_surplus_pages", "Surplus huge pages by size",
        "Huge pages of this size above the configured pool."),
    row("/sys/kernel/mm/hugepages/hugepages-*kB/resv_hugepages", "resv_hugepages",
        "memory_hugepages_reserved_pages", "Reserved huge pages by size",
        "Huge pages of this size that are promised but not yet allocated."),
};

constexpr MetricDescriptor kNodeMetrics[] = {
    row("/sys/devices/system/node/node*/hugepages/hugepages-*kB/nr_hugepages", "nr_hugepages",
        "memory_node_hugepages_pool_pages", "Huge page pool of the NUMA node by size",
        "Huge pages of this size in the node's pool.", 150),
    row("/sys/devices/system/node/node*/hugepages/hugepages-*kB/free_hugepages", "free_hugepages",
        "memory_node_hugepages_free_pages", "Free huge pages of the NUMA node by size",
        "Huge pages of this size on the node that are not allocated.", 60),
    row("/sys/devices/system/node/node*/hugepages/hugepages-*kB/surplus_hugepages",
        "surplus_hugepages", "memory_node_hugepages_surplus_pages",
        "Surplus huge pages of the NUMA node by size",
        "Huge pages of this size on the node above the configured pool.", 150),
};

constexpr MetricDescriptor unused() {
  MetricDescriptor out =
      row("/sys/kernel/mm/hugepages/hugepages-*kB/{free,resv}_hugepages", "free - resv",
          "memory_hugepages_unused_bytes", "Memory in unused huge pages",
          "Memory of huge pages of all sizes that are neither allocated nor "
          "promised.",
          30);
  out.unit = "bytes";
  out.scope = model::Scope::kHost;
  return out;
}
constexpr MetricDescriptor kUnused = unused();

constexpr std::array<std::string_view, 4> kFiles = {"nr_hugepages", "free_hugepages",
                                                    "surplus_hugepages", "resv_hugepages"};
static_assert(std::size(kHostMetrics) == kFiles.size());
static_assert(std::size(kNodeMetrics) == kFiles.size() - 1);  // nodes have no reservations
constexpr std::size_t kFree = 1;
constexpr std::size_t kReserved = 3;

// Returns the size in KiB that a pool's folder is named after: "hugepages-2048kB".
Value size_of(std::string_view folder) {
  if (!folder.starts_with(kPrefix) || !folder.ends_with(kSuffix)) return std::nullopt;
  folder.remove_prefix(kPrefix.size());
  return procfs::parse_u64(folder.substr(0, folder.size() - kSuffix.size()));
}

// The pool of one size, of the host or of a node.
class Pool {
 public:
  Pool(const std::string& folder, std::uint64_t size_kib, std::string_view owner,
       std::span<const MetricDescriptor> metrics)
      : size_kib_(size_kib),
        channels_(metrics, fmt::format("{}size={}kB", owner, size_kib)),
        values_(metrics.size()) {
    for (std::size_t i = 0; i < metrics.size(); ++i) {
      files_.emplace_back(
          fmt::format("{}/{}{}{}/{}", folder, kPrefix, size_kib, kSuffix, kFiles[i]));
    }
  }

  void read(FrameWriter& writer) {
    for (std::size_t i = 0; i < files_.size(); ++i) {
      values_[i] = procfs::read_number(files_[i]);
      channels_.set(writer, i, values_[i]);
    }
  }

  std::uint64_t size_kib() const { return size_kib_; }

  // Of the latest reading. REQUIRES: a pool of the host.
  Value unused_bytes() const {
    const Value free = values_[kFree];
    const Value reserved = values_[kReserved];
    constexpr std::uint64_t kKib = 1024;
    if (!free || !reserved || *reserved > *free) return std::nullopt;
    const std::uint64_t pages = *free - *reserved;
    if (pages > std::numeric_limits<std::uint64_t>::max() / kKib / size_kib_) return std::nullopt;
    return pages * size_kib_ * kKib;
  }

 private:
  std::uint64_t size_kib_;
  std::vector<std::string> files_;
  InstanceChannels channels_;
  std::vector<Value> values_;
};

// The pools of all sizes in one folder.
class Pools {
 public:
  Pools(std::string folder, std::string owner, std::span<const MetricDescriptor> metrics)
      : folder_(std::move(folder)), owner_(std::move(owner)), metrics_(metrics) {}

  // Returns false if there is no such folder.
  bool read(FrameWriter& writer) {
    const bool there = procfs::for_each_name(
        folder_, kMaxSizes, [&](std::string_view name) { add_if_new(size_of(name)); });
    if (!there) return false;
    for (Pool& pool : pools_) pool.read(writer);
    return true;
  }

  std::span<const Pool> pools() const { return pools_; }

 private:
  void add_if_new(Value size_kib) {
    if (!size_kib || *size_kib == 0 || pools_.size() >= kMaxSizes) return;
    for (const Pool& pool : pools_) {
      if (pool.size_kib() == *size_kib) return;
    }
    pools_.emplace_back(folder_, *size_kib, owner_, metrics_);
  }

  std::string folder_;
  std::string owner_;
  std::span<const MetricDescriptor> metrics_;
  std::vector<Pool> pools_;
};

class HugepagesCollector final : public Collector {
 public:
  base::Result<void> open(const procfs::HostRoot& root, model::ChannelTable& channels) override {
    const std::string folder = root.sys_path("kernel/mm/hugepages");
    if (!procfs::for_each_name(folder, kMaxSizes, [](std::string_view) {})) {
      return base::fail(base::ErrorKind::kAbsent, "no such folder", folder,
                        "boot a kernel with CONFIG_HUGETLBFS=y");
    }
    host_.emplace(folder, "", kHostMetrics);
    node_folder_ = root.sys_path("devices/system/node");
    // A host without NUMA has pools all the same.
    has_nodes_ = nodes_.open(root).has_value();
    add_channels_of(*this, channels);
    return {};
  }

  void collect(FrameWriter& writer) override {
    if (host_->read(writer)) set_unused(writer);
    if (!has_nodes_) return;
    nodes_.for_each([&](NodeFile& node) { node_pools(node.node).read(writer); });
  }

 private:
  void set_unused(FrameWriter& writer) {
    std::uint64_t sum = 0;
    for (const Pool& pool : host_->pools()) {
      const Value bytes = pool.unused_bytes();
      if (!bytes) return;  // a sum without one of its parts would be another quantity
      sum += *bytes;
    }
    if (!host_->pools().empty()) unused_.set(writer, 0, Value(sum));
  }

  Pools& node_pools(std::uint32_t node) {
    for (auto& [number, pools] : node_pools_) {
      if (number == node) return pools;
    }
    node_pools_.emplace_back(node, Pools(fmt::format("{}/node{}/hugepages", node_folder_, node),
                                         fmt::format("node={},", node), kNodeMetrics));
    return node_pools_.back().second;
  }

  std::optional<Pools> host_;
  InstanceChannels unused_{std::span(&kUnused, 1), ""};
  std::string node_folder_;
  bool has_nodes_ = false;
  NodeFiles nodes_{"hugepages", {}};  // for its look at which nodes are online
  std::vector<std::pair<std::uint32_t, Pools>> node_pools_;
};

std::vector<MetricDescriptor> hugepages_metrics() {
  std::vector<MetricDescriptor> out{std::begin(kHostMetrics), std::end(kHostMetrics)};
  out.insert(out.end(), std::begin(kNodeMetrics), std::end(kNodeMetrics));
  out.push_back(kUnused);
  return out;
}

std::unique_ptr<Collector> make_hugepages() {
  return std::make_unique<HugepagesCollector>();
}

}  // namespace

extern const CollectorDescriptor kHugepagesCollector = {
    .name = "hugepages",
    .help = "pools of huge pages of every size",
    .make = make_hugepages,
    .metrics = hugepages_metrics,
    .poll_class = PollClass::kSlow,
};

}  // namespace reveal::collect
