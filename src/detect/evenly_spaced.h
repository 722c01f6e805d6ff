// Fewer rows, evenly spaced: what is learned from many windows is learned from some of them.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace reveal::detect {

// Returns at most `most` of those rows, the first always among them.
template <typename Row>
std::vector<Row> evenly_spaced(std::span<const Row> rows, std::size_t most) {
  if (rows.size() <= most) return {rows.begin(), rows.end()};
  std::vector<Row> out(most);
  for (std::size_t i = 0; i < most; ++i) out[i] = rows[i * rows.size() / most];
  return out;
}

}  // namespace reveal::detect
