// /proc/buddyinfo: how broken up the free memory of each NUMA node is. Memory can be free and yet
// have no block that is large enough for a huge page or a device's buffer.
//
// Blocks of all zones of a node are added up. "Large" is an order of 9 and more: 2 MiB with pages
// of 4 KiB, a transparent huge page.
#include <algorithm>

#include <fmt/format.h>

#include "collect/collector.h"
#include "collect/memory/node_files.h"
#include "collect/parts/instance_channels.h"
#include "collect/parts/metric_rows.h"
#include "collect/parts/page_size.h"
#include "procfs/buddyinfo.h"
#include "procfs/text_file.h"

namespace reveal::collect {
namespace {

std::vector<model::MetricDescriptor> buddyinfo_metrics();

using model::MetricDescriptor;

constexpr std::size_t kLargeOrder = 9;

struct FreeBlocks {
  std::uint64_t large_blocks = 0;
  std::uint64_t large_pages = 0;
  std::uint64_t pages = 0;
  bool seen = false;
};

constexpr MetricRow<std::uint64_t FreeBlocks::*> row(std::uint64_t FreeBlocks::*member,
                                                     std::string_view source,
                                                     std::string_view alias, std::string_view unit,
                                                     std::string_view name, std::string_view label,
                                                     std::string_view help, std::int16_t rank) {
  MetricDescriptor out;
  out.name = name;
  out.label = label;
  out.unit = unit;
  out.subsystem = model::Subsystem::kMemory;
  out.scope = model::Scope::kNode;
  out.source = source;
  out.alias = alias;
  out.doc_url = "https://docs.kernel.org/filesystems/proc.html#kernel-data";
  out.help = help;
  out.rank = rank;
  return {member, out};
}

constexpr MetricRow<std::uint64_t FreeBlocks::*> kRows[] = {
    row(&FreeBlocks::large_blocks, "/proc/buddyinfo blocks of order 9 and more", "free_order_ge9",
        "blocks", "memory_free_large_blocks", "Large free blocks",
        "Free blocks of at least 512 pages, from which a huge page can be made.", 60),
    row(&FreeBlocks::large_pages, "/proc/buddyinfo memory in blocks of order 9 and more",
        "free_order_ge9 pages", "bytes", "memory_free_large_block_bytes",
        "Memory in large free blocks", "Free memory that lies in blocks of at least 512 pages.",
        100),
    row(&FreeBlocks::pages, "/proc/buddyinfo memory in blocks of every order", "free pages",
        "bytes", "memory_free_block_bytes", "Memory in free blocks",
        "Free memory of the node's zones, without what cores keep for themselves.", 150),
};

void add(FreeBlocks& node, const procfs::ZoneBlocks& zone) {
  node.seen = true;
  for (std::size_t order = 0; order < zone.orders; ++order) {
    const std::uint64_t blocks = zone.blocks[order];
    node.pages += blocks << order;
    if (order < kLargeOrder) continue;
    node.large_blocks += blocks;
    node.large_pages += blocks << order;
  }
}

class BuddyinfoCollector final : public Collector {
 public:
  base::Result<void> open(const procfs::HostRoot& root, model::ChannelTable& channels) override {
    file_ = procfs::TextFile(root.proc_path("buddyinfo"));
    if (auto text = file_.read(); !text) return base::pass(text);
    add_channels_of(*this, channels);
    return {};
  }

  void collect(FrameWriter& writer) override {
    const auto text = file_.read();
    if (!text) return;
    if (!procfs::parse_buddyinfo(*text, zones_)) return;
    std::fill(nodes_.begin(), nodes_.end(), FreeBlocks{});
    for (const auto& zone : zones_) {
      if (zone.node < kMaxNodes) add(node(zone.node), zone);
    }
    for (std::size_t i = 0; i < nodes_.size(); ++i) set(writer, i);
  }

 private:
  FreeBlocks& node(std::uint32_t number) {
    while (nodes_.size() <= number) {
      channels_.emplace_back(metrics_, fmt::format("node={}", nodes_.size()));
      nodes_.emplace_back();
    }
    return nodes_[number];
  }

  void set(FrameWriter& writer, std::size_t number) {
    const FreeBlocks& node = nodes_[number];
    if (!node.seen) return;
    for (std::size_t i = 0; i < metrics_.size(); ++i) {
      channels_[number].set(writer, i, procfs::Value(node.*kRows[i].key));
    }
  }

  std::vector<MetricDescriptor> metrics_ = buddyinfo_metrics();
  std::vector<InstanceChannels> channels_;  // by node
  std::vector<FreeBlocks> nodes_;           // by node
  std::vector<procfs::ZoneBlocks> zones_;
  procfs::TextFile file_;
};

std::vector<MetricDescriptor> buddyinfo_metrics() {
  auto out = metrics_of(kRows);
  for (auto& metric : out) {
    if (metric.unit == "bytes") metric.scale = page_bytes();
  }
  return out;
}

std::unique_ptr<Collector> make_buddyinfo() {
  return std::make_unique<BuddyinfoCollector>();
}

}  // namespace

extern const CollectorDescriptor kBuddyinfoCollector = {
    .name = "buddyinfo",
    .help = "how broken up free memory is",
    .make = make_buddyinfo,
    .metrics = buddyinfo_metrics,
    .poll_class = PollClass::kSlow,
};

}  // namespace reveal::collect
