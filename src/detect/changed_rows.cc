#include "detect/changed_rows.h"

#include <algorithm>

namespace reveal::detect {

void RowSet::assign(std::span<const std::int32_t> rows) {
  std::fill(words_.begin(), words_.end(), 0);
  for (const std::int32_t row : rows) {
    const auto bit = static_cast<std::size_t>(row);
    words_[bit / 64] |= std::uint64_t{1} << (bit % 64);
  }
}

ChangedRows::ChangedRows(const Windows& x)
    : x_(x),
      words_((static_cast<std::size_t>(x.rows()) + 63) / 64),
      place_(static_cast<std::size_t>(x.cols()), -1) {}

void ChangedRows::learn(std::int32_t column) {
  auto& place = place_[static_cast<std::size_t>(column)];
  if (place >= 0) return;
  place = static_cast<std::int32_t>(bits_.size() / words_);
  bits_.resize(bits_.size() + words_);
  std::uint64_t* word = bits_.data() + bits_.size() - words_;
  const double* values = x_.col(column).data();
  const auto rows = static_cast<std::size_t>(x_.rows());
  for (std::size_t first = 0; first < rows; first += 64) {
    std::uint64_t bits = 0;
    for (std::size_t row = first; row < std::min(first + 64, rows); ++row) {
      bits |= std::uint64_t{values[row] != values[0]} << (row - first);
    }
    *word++ = bits;
  }
}

ChangedRows::Movement ChangedRows::movement(std::int32_t column, const RowSet& rows) const {
  const std::int32_t place = place_[static_cast<std::size_t>(column)];
  if (place < 0) return Movement::kUnknown;
  const std::uint64_t* bits = bits_.data() + static_cast<std::size_t>(place) * words_;
  const auto set = rows.words();
  std::uint64_t changed = 0;
  std::uint64_t unchanged = 0;
  for (std::size_t i = 0; i < words_; ++i) {
    changed |= set[i] & bits[i];
    unchanged |= set[i] & ~bits[i];
  }
  if (changed == 0) return Movement::kStill;
  return unchanged == 0 ? Movement::kUnknown : Movement::kMoves;
}

}  // namespace reveal::detect
