#include "collect/memory/node_files.h"

#include <algorithm>

#include <fmt/format.h>

#include "procfs/cpu_list.h"

namespace reveal::collect {

base::Result<void> NodeFiles::open(const procfs::HostRoot& root) {
  folder_ = root.sys_path("devices/system/node");
  online_file_ = procfs::TextFile(folder_ + "/online");
  if (auto text = online_file_.read(); !text) {
    auto error = std::move(text.error());
    if (error.kind == base::ErrorKind::kAbsent) error.remedy = "boot a kernel with CONFIG_NUMA=y";
    return base::Unexpected(std::move(error));
  }
  return {};
}

void NodeFiles::refresh() {
  const auto text = online_file_.read();
  if (text && *text == online_text_) return;
  online_text_ = text.value_or("");
  // The kernel writes sets of nodes as it writes sets of cores.
  numbers_ = procfs::parse_cpu_list(online_text_);
  std::erase_if(numbers_, [](std::uint32_t node) { return node >= kMaxNodes; });
  online_.clear();
  for (const auto node : numbers_) online_.push_back(place_of(node));
}

std::size_t NodeFiles::place_of(std::uint32_t node) {
  const auto it = std::find_if(nodes_.begin(), nodes_.end(),
                               [&](const NodeFile& file) { return file.node == node; });
  if (it != nodes_.end()) return static_cast<std::size_t>(it - nodes_.begin());
  nodes_.push_back({node, procfs::TextFile(fmt::format("{}/node{}/{}", folder_, node, name_)),
                    InstanceChannels(metrics_, fmt::format("node={}", node))});
  return nodes_.size() - 1;
}

}  // namespace reveal::collect
