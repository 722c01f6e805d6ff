// /proc/net/rpc/nfs: what the NFS client has asked of its servers, all mounts together.
//
//   net 0 0 0 0
//   rpc 5000000 123 5000100
//   proc3 22 0 800000 ...
//
// The line "rpc" has calls, retransmissions and refreshed credentials, each 32 bits wide.
// https://docs.kernel.org/filesystems/nfs/index.html
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "procfs/text_cursor.h"

namespace reveal::procfs {

// Reads the values of the keys "rpc calls" and "rpc retrans".
class RpcLayout {
 public:
  explicit RpcLayout(std::vector<std::string_view> keys) : keys_(std::move(keys)) {}
  std::size_t size() const { return keys_.size(); }
  // Overwrites `values`, by key. REQUIRES: values.size() == size().
  void read(std::string_view text, std::span<Value> values) const;

 private:
  std::vector<std::string_view> keys_;
};

}  // namespace reveal::procfs
