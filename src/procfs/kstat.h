// Kernel statistics of ZFS, /proc/spl/kstat/zfs/arcstats: a line of the table itself, a header, and
// a line of name, type and number for each value.
//
//   13 1 0x01 12 3264 5000000000 90000000000000
//   name                            type data
//   hits                            4    8000000
//   c_max                           4    128000000000
//
// Types 1 to 6 are whole numbers; all values here are of type 4, 64 bits without a sign.
// https://openzfs.github.io/openzfs-docs/Performance%20and%20Tuning/Module%20Parameters.html
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "procfs/text_cursor.h"

namespace reveal::procfs {

class KstatLayout {
 public:
  // `keys` are the wanted names. REQUIRES: their text outlives the layout.
  explicit KstatLayout(std::vector<std::string_view> keys) : keys_(std::move(keys)) {}
  std::size_t size() const { return keys_.size(); }
  // Overwrites `values`, by key. REQUIRES: values.size() == size().
  void read(std::string_view text, std::span<Value> values) const;

 private:
  std::vector<std::string_view> keys_;
};

}  // namespace reveal::procfs
