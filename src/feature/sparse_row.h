// A row of numbers of which most may be absent: of a control group that is gone, all are. It costs
// 8 bytes for each value, and 8 for each stretch of values. Immutable.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace reveal::feature {

class SparseRow {
 public:
  static constexpr double kAbsent = std::numeric_limits<double>::quiet_NaN();

  // Returns whether a value has the bits of kAbsent; other NaNs are values (model/absence.h).
  static bool is_absent(double value) {
    return std::bit_cast<std::uint64_t>(value) == std::bit_cast<std::uint64_t>(kAbsent);
  }

  explicit SparseRow(std::span<const double> values);

  // Returns kAbsent in a column that it does not have.
  double at(std::size_t column) const {
    double out = kAbsent;
    read(column, std::span(&out, 1));
    return out;
  }
  // Sets `out` to the values from column `first` on, kAbsent included.
  void read(std::size_t first, std::span<double> out) const;

  // Returns the row of those columns, in that order.
  SparseRow with_columns(std::span<const std::size_t> columns) const;

  // Returns for how many numbers of 8 bytes it holds memory.
  std::size_t value_count() const { return values_.capacity() + stretches_.capacity(); }

 private:
  // Columns that follow one another and have values.
  struct Stretch {
    std::uint32_t column = 0;  // the first
    std::uint32_t place = 0;   // its value's, in values_
  };

  std::size_t end_of(std::size_t stretch) const {
    return stretch + 1 < stretches_.size() ? stretches_[stretch + 1].place : values_.size();
  }

  std::vector<Stretch> stretches_;  // ascending
  std::vector<double> values_;
};

}  // namespace reveal::feature
