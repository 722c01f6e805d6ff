// Which rows of a matrix differ from its first one, column by column, kept as bits.
//
// Most columns of a quiet host change in few windows, so most columns stand still among the rows of
// a tree's deeper nodes. A word of bits tells that for 64 rows, where looking at the values would
// read 64 places in memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <Eigen/Core>

#include "detect/design.h"

namespace reveal::detect {

// Rows of a matrix, one bit each.
class RowSet {
 public:
  explicit RowSet(std::size_t rows) : words_((rows + 63) / 64) {}

  void assign(std::span<const std::int32_t> rows);
  std::span<const std::uint64_t> words() const { return words_; }

 private:
  std::vector<std::uint64_t> words_;
};

// A column's bits are made when they are first asked for. REQUIRES: the matrix outlives this.
class ChangedRows {
 public:
  explicit ChangedRows(const Windows& x);

  // Remembers the column's bits.
  void learn(std::int32_t column);

  enum class Movement { kStill, kMoves, kUnknown };
  // Returns whether the column varies among `rows`: unknown if it was not learned, or if all of
  // them differ from the first row. REQUIRES: `rows` is a set of as many rows as the matrix has.
  Movement movement(std::int32_t column, const RowSet& rows) const;

 private:
  Windows x_;
  std::size_t words_;                // a column
  std::vector<std::int32_t> place_;  // by column: which of the learned ones it is, or -1
  std::vector<std::uint64_t> bits_;  // of the learned columns
};

}  // namespace reveal::detect
