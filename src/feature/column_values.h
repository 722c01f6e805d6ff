// Values of a column of the feature matrix, one after the other: exact in 8 bytes each, or rounded
// in 4, as distances from the first in 24 bits. Rounded ones are off by at most a 30-millionth of
// how far they lie from one another, so what is told of them by how far they move is the same; that
// halves the memory of a judge. A NaN that is not the one of SparseRow::kAbsent comes back as
// model::not_due().
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace reveal::feature {

enum class Precision : std::uint8_t { kExact, kRounded };

class ColumnValues {
 public:
  explicit ColumnValues(Precision precision) : precision_(precision) {}

  std::size_t size() const {
    return precision_ == Precision::kExact ? exact_.size() : rounded_.size();
  }
  bool empty() const { return size() == 0; }
  double operator[](std::size_t i) const {
    return precision_ == Precision::kExact ? exact_[i] : from_rounded(rounded_[i]);
  }

  // Returns whether all are the same; also if there is none.
  bool is_one() const;

  // Makes room for so many, and for no more.
  void reserve(std::size_t count);
  // Adds so many times the same value, or values. Grows by an eighth.
  void add(std::size_t count, double value);
  void add(std::span<const double> values);
  // Forgets the first ones: what a channel had while it was there shall not keep the room of what
  // is forgotten. REQUIRES: that many.
  void drop_first(std::size_t count);
  void clear();

  Precision precision() const { return precision_; }
  // Returns for how many numbers of 8 bytes it holds memory, rounded up.
  std::size_t value_count() const { return exact_.capacity() + (rounded_.capacity() + 1) / 2; }

 private:
  double from_rounded(float value) const;
  float to_rounded(double value);
  void move_origin();

  Precision precision_;
  bool has_origin_ = false;
  double origin_ = 0;           // what rounded values are distances from
  std::vector<double> exact_;   // empty if they are rounded,
  std::vector<float> rounded_;  // and the other way round
};

}  // namespace reveal::feature
