// One file of every NUMA node, such as /sys/devices/system/node/node1/numastat, and the channels of
// each node.
//
// Which nodes there are is what node/online says at each reading, so that a node that comes is seen
// and one that goes is no longer asked. A node keeps its channels for ever.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "collect/parts/instance_channels.h"
#include "model/metric.h"
#include "procfs/host_root.h"
#include "procfs/text_file.h"

namespace reveal::collect {

// The largest node number that is believed: CONFIG_NODES_SHIFT is at most 10.
inline constexpr std::uint32_t kMaxNodes = 1024;

struct NodeFile {
  std::uint32_t node;
  procfs::TextFile file;
  InstanceChannels channels;
};

class NodeFiles {
 public:
  // `file` is its name in the folder of a node. REQUIRES: `metrics` outlive this.
  NodeFiles(std::string_view file, std::span<const model::MetricDescriptor> metrics)
      : name_(file), metrics_(metrics) {}

  // Fails if the kernel shows no nodes.
  base::Result<void> open(const procfs::HostRoot& root);

  // Looks which nodes are online, and calls see(NodeFile&) for each in the order of their numbers.
  template <typename See>
  void for_each(See see) {
    refresh();
    for (const std::size_t place : online_) see(nodes_[place]);
  }

  // Returns the numbers of the nodes that were online at the latest look.
  const std::vector<std::uint32_t>& numbers() const { return numbers_; }

 private:
  void refresh();
  std::size_t place_of(std::uint32_t node);

  std::string name_;
  std::span<const model::MetricDescriptor> metrics_;
  std::string folder_;
  procfs::TextFile online_file_;
  std::string online_text_;
  std::vector<NodeFile> nodes_;  // all that were ever online
  std::vector<std::uint32_t> numbers_;
  std::vector<std::size_t> online_;  // places in nodes_
};

}  // namespace reveal::collect
