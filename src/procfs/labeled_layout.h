// Reads /proc/net/sockstat and sockstat6: lines of a label and pairs of a name and a number:
//
//   TCP: inuse 27 orphan 0 tw 4 alloc 30 mem 3
//
// Pairs are found by their names; kernels append to the lines.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "procfs/text_cursor.h"

namespace reveal::procfs {

class LabeledLayout {
 public:
  // `keys` are the wanted ones as "Label name". REQUIRES: their text outlives the layout.
  explicit LabeledLayout(std::vector<std::string_view> keys) : keys_(std::move(keys)) {}
  std::size_t size() const { return keys_.size(); }
  // Overwrites `values`, by key. REQUIRES: values.size() == size().
  void read(std::string_view text, std::span<Value> values) const;

 private:
  void read_line(std::string_view line, std::span<Value> values) const;

  std::vector<std::string_view> keys_;
};

}  // namespace reveal::procfs
