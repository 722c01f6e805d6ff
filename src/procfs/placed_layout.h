// Reads files of which each line is a label and numbers that only their places tell apart:
//
//   io 4096 8192
//   th 8 0 0.000
//
// Which place has which name is a table of the file's own. Lines and places that it does not name
// are passed over; kernels append to both.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "procfs/text_cursor.h"

namespace reveal::procfs {

// The names of a line's numbers, in their order.
struct PlacedLine {
  std::string_view label;
  std::array<std::string_view, 6> names{};
};

class PlacedLayout {
 public:
  // `keys` are the wanted numbers as "label name". REQUIRES: the lines outlive the constructor, the
  // text of both outlives the layout.
  PlacedLayout(std::span<const PlacedLine> lines, const std::vector<std::string_view>& keys);

  std::size_t size() const { return places_.size(); }
  // Overwrites `values`, by key; of several lines of one label the first counts. REQUIRES:
  // values.size() == size().
  void read(std::string_view text, std::span<Value> values) const;

 private:
  static constexpr std::size_t kNowhere = static_cast<std::size_t>(-1);

  struct Place {
    std::string_view label{};
    std::size_t index = kNowhere;  // of the number behind the label
  };

  std::vector<Place> places_;  // by key
};

}  // namespace reveal::procfs
