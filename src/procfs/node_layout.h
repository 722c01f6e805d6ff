// Reads /sys/devices/system/node/node*/meminfo, whose lines are those of /proc/meminfo behind the
// number of the node:
//
//   Node 0 MemFree:         6936720 kB
//
// https://docs.kernel.org/admin-guide/abi-stable.html#abi-sys-devices-system-node-nodex-meminfo
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "procfs/text_cursor.h"

namespace reveal::procfs {

class NodeLayout {
 public:
  // `keys` are the wanted ones. REQUIRES: their text outlives the layout.
  explicit NodeLayout(std::vector<std::string_view> keys) : keys_(std::move(keys)) {}
  std::size_t size() const { return keys_.size(); }
  // Overwrites `values`, by key. REQUIRES: values.size() == size().
  void read(std::string_view text, std::span<Value> values) const;

 private:
  std::vector<std::string_view> keys_;
};

}  // namespace reveal::procfs
