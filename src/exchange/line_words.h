// Lines of tables that are set with spaces, as programs print them for a terminal.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "exchange/csv.h"

namespace reveal::exchange {

using Words = std::vector<std::string_view>;

inline Words words_of(std::string_view line) {
  Words out;
  while (true) {
    const auto begin = line.find_first_not_of(" \t\r");
    if (begin == std::string_view::npos) return out;
    line.remove_prefix(begin);
    const auto end = std::min(line.find_first_of(" \t\r"), line.size());
    out.push_back(line.substr(0, end));
    line.remove_prefix(end);
  }
}

// Returns a record as the line that it was, whatever was taken for the separator in it.
template <typename Cells>
std::string line_of(const Cells& cells) {
  std::string out;
  for (std::size_t i = 0; i < cells.size(); ++i) out.append(i == 0 ? "" : "\t").append(cells[i]);
  return out;
}

// Splits a line at its tabs; cells may be empty.
inline Words tab_cells(std::string_view line) {
  Words out;
  for (;;) {
    const auto end = line.find('\t');
    out.push_back(line.substr(0, end));
    if (end == std::string_view::npos) return out;
    line.remove_prefix(end + 1);
  }
}

}  // namespace reveal::exchange
