// The collector of a file of every NUMA node whose values are found by a key; as KeyedCollector.
#pragma once

#include <string_view>
#include <utility>
#include <vector>

#include "collect/memory/node_files.h"
#include "collect/parts/keyed_collector.h"

namespace reveal::collect {

template <typename Layout>
class NodeKeyedCollector final : public Collector {
 public:
  // `file` is its name in the folder of a node.
  NodeKeyedCollector(std::string_view file, std::vector<model::MetricDescriptor> metrics)
      : metrics_(std::move(metrics)),
        nodes_(file, metrics_),
        layout_(keys_of(metrics_)),
        values_(metrics_.size()) {}

  base::Result<void> open(const procfs::HostRoot& root, model::ChannelTable& channels) override {
    if (auto opened = nodes_.open(root); !opened) return opened;
    add_channels_of(*this, channels);
    return {};
  }

  void collect(FrameWriter& writer) override {
    nodes_.for_each([&](NodeFile& node) {
      const auto text = node.file.read();
      if (!text) return;
      layout_.read(*text, values_);
      for (std::size_t row = 0; row < values_.size(); ++row) {
        node.channels.set(writer, row, values_[row]);
      }
    });
  }

 private:
  std::vector<model::MetricDescriptor> metrics_;
  NodeFiles nodes_;
  Layout layout_;
  std::vector<procfs::Value> values_;
};

}  // namespace reveal::collect
