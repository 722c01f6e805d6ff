// /proc/net/stat/nf_conntrack: what the table of tracked connections had to do, a header of names
// and a line of hexadecimal numbers for each core.
//
//   entries  clashres found new invalid ignore delete chainlength insert insert_failed drop ...
//   0000012c  00000000 00000000 00000000 0000002a 00000000 00000000 00000003 00000000 ...
//
// `entries` is the same on every line; all others are of the core. Linux 4.18 has `searched` and
// `delete_list` where 5.10 has `clashres` and 5.15 `chainlength`, so columns are found by name.
// The kernel counts in 32 bits on each core, and a sum modulo 2^32 of such counters is one itself.
// https://docs.kernel.org/networking/nf_conntrack-sysctl.html
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "procfs/text_cursor.h"

namespace reveal::procfs {

class ConntrackStatLayout {
 public:
  // `keys` are the wanted columns. REQUIRES: their text outlives the layout.
  explicit ConntrackStatLayout(std::vector<std::string_view> keys) : keys_(std::move(keys)) {}
  std::size_t size() const { return keys_.size(); }

  // Overwrites `values`, by key, with the sums over all cores modulo 2^32. A line that is cut or
  // has another shape leaves all of them missing. REQUIRES: values.size() == size().
  void read(std::string_view text, std::span<Value> values) const;

 private:
  std::vector<std::string_view> keys_;
};

}  // namespace reveal::procfs
