// Which windows go left at a split of an isolation tree.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

namespace reveal::detect {

// Moves the rows whose value in `column` is <= threshold before the others, each part in the order
// that it had, and returns how many they are. No branch depends on a value: half of them would be
// foreseen wrongly. REQUIRES: `spare` is as large as `rows`.
inline std::size_t split_rows(std::span<std::int32_t> rows, const double* column, double threshold,
                              std::int32_t* spare) {
  std::size_t left = 0;
  std::size_t right = 0;
  for (const std::int32_t row : rows) {
    const bool goes_left = column[row] <= threshold;
    rows[left] = row;
    spare[right] = row;
    left += goes_left ? 1 : 0;
    right += goes_left ? 0 : 1;
  }
  std::copy_n(spare, right, rows.data() + left);
  return left;
}

}  // namespace reveal::detect
