// /sys/devices/system/node/node*/distance: how far the nodes are from one another by the firmware's
// table, 10 standing for a node's own memory. Two hosts of one kind that differ here are set up
// differently (sub-NUMA clustering, nodes per socket).
#include <fmt/format.h>

#include "collect/collector.h"
#include "collect/memory/node_files.h"
#include "procfs/text_cursor.h"

namespace reveal::collect {
namespace {

using model::MetricDescriptor;

// Pairs beyond these nodes say nothing that these do not.
constexpr std::uint32_t kNodesWithPairs = 32;

constexpr MetricDescriptor distance() {
  MetricDescriptor out;
  out.name = "memory_node_distance";
  out.label = "Distance between NUMA nodes";
  out.unit = "distance";
  out.kind = model::Kind::kStatic;
  out.subsystem = model::Subsystem::kMemory;
  out.scope = model::Scope::kDevice;
  out.source = "/sys/devices/system/node/node*/distance";
  out.alias = "distance";
  out.doc_url = "https://docs.kernel.org/admin-guide/abi-stable.html";
  out.help = "Cost of reaching another node's memory by the firmware's table; 10 for its own.";
  return out;
}

constexpr MetricDescriptor kMetric = distance();

class NodeDistanceCollector final : public Collector {
 public:
  base::Result<void> open(const procfs::HostRoot& root, model::ChannelTable& channels) override {
    if (auto opened = nodes_.open(root); !opened) return opened;
    add_channels_of(*this, channels);
    return {};
  }

  void collect(FrameWriter& writer) override {
    nodes_.for_each([&](NodeFile& from) {
      const auto text = from.file.read();
      std::string_view line;
      if (!text || !procfs::LineCursor(*text).next(line)) return;
      if (count_words(line) == nodes_.numbers().size()) set_pairs(writer, from.node, line);
    });
  }

 private:
  struct Pair {
    std::uint32_t from;
    std::uint32_t to;
    InstanceChannels channel;
  };

  static std::size_t count_words(std::string_view line) {
    procfs::WordCursor words(line);
    std::size_t count = 0;
    for (std::string_view word; words.next(word);) ++count;
    return count;
  }

  // The line has the online nodes in the order of their numbers.
  void set_pairs(FrameWriter& writer, std::uint32_t from, std::string_view line) {
    procfs::WordCursor words(line);
    procfs::Value value;
    for (const auto to : nodes_.numbers()) {
      if (!words.next(value)) return;
      if (from < kNodesWithPairs && to < kNodesWithPairs) pair(from, to).set(writer, 0, value);
    }
  }

  InstanceChannels& pair(std::uint32_t from, std::uint32_t to) {
    for (Pair& known : pairs_) {
      if (known.from == from && known.to == to) return known.channel;
    }
    const std::span<const MetricDescriptor> metrics(&kMetric, 1);
    pairs_.push_back({from, to, InstanceChannels(metrics, fmt::format("node={},to={}", from, to))});
    return pairs_.back().channel;
  }

  NodeFiles nodes_{"distance", {}};
  std::vector<Pair> pairs_;
};

std::vector<MetricDescriptor> node_distance_metrics() {
  return {kMetric};
}

std::unique_ptr<Collector> make_node_distance() {
  return std::make_unique<NodeDistanceCollector>();
}

}  // namespace

extern const CollectorDescriptor kNodeDistanceCollector = {
    .name = "node_distance",
    .help = "distances between NUMA nodes",
    .make = make_node_distance,
    .metrics = node_distance_metrics,
    .poll_class = PollClass::kSlow,
};

}  // namespace reveal::collect
