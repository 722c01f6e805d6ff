// /proc/net/stat/*: what a table of the network had to do, a header of names and a line of
// hexadecimal numbers for each core. nf_conntrack is the table of tracked connections, arp_cache
// and ndisc_cache are those of neighbors.
//
//   entries  clashres found new invalid ignore delete chainlength insert insert_failed drop ...
//   0000012c  00000000 00000000 00000000 0000002a 00000000 00000000 00000003 00000000 ...
//
// `entries` is of the whole table and the same on every line; all others are of the core. Linux
// 4.18's nf_conntrack has `searched` and `delete_list` where 5.10 has `clashres` and 5.15
// `chainlength`, so columns are found by name. nf_conntrack's numbers have 32 bits, those of
// neighbors have 64.
// https://docs.kernel.org/networking/nf_conntrack-sysctl.html
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "procfs/text_cursor.h"

namespace reveal::procfs {

class NetStatLayout {
 public:
  // `keys` are the wanted columns. REQUIRES: their text outlives the layout.
  explicit NetStatLayout(std::vector<std::string_view> keys) : keys_(std::move(keys)) {}
  std::size_t size() const { return keys_.size(); }

  // Overwrites `values`, by key: `entries` as it stands, of others the sums over all cores modulo
  // 2^64. A line that is cut or has another shape leaves all of them missing. REQUIRES:
  // values.size() == size().
  void read(std::string_view text, std::span<Value> values) const;

 private:
  std::vector<std::string_view> keys_;
};

}  // namespace reveal::procfs
