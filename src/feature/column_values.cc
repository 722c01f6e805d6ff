#include "feature/column_values.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "feature/sparse_row.h"
#include "model/absence.h"

namespace reveal::feature {
namespace {

constexpr float kAbsent = std::numeric_limits<float>::quiet_NaN();
// Another NaN: arithmetic keeps none apart, copies do.
constexpr std::uint32_t kUndefinedBits = 0x7FC0'0001;

bool is_absent(float value) {
  return std::bit_cast<std::uint32_t>(value) == std::bit_cast<std::uint32_t>(kAbsent);
}

// Growing by an eighth: of thousands of columns, doubling would leave a quarter of all unused.
template <typename T>
void make_room(std::vector<T>& values, std::size_t more) {
  const std::size_t size = values.size() + more;
  if (values.capacity() < size) values.reserve(size + size / 8);
}

template <typename T>
void drop(std::vector<T>& values, std::size_t count) {
  values.erase(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(count));
  if (values.capacity() > 2 * values.size()) values.shrink_to_fit();
}

}  // namespace

// NaNs of different meaning are different.
bool ColumnValues::is_one() const {
  const auto bits = [this](std::size_t i) { return std::bit_cast<std::uint64_t>((*this)[i]); };
  for (std::size_t i = 1; i < size(); ++i) {
    if (bits(i) != bits(0)) return false;
  }
  return true;
}

void ColumnValues::reserve(std::size_t count) {
  if (precision_ == Precision::kExact) exact_.reserve(count);
  if (precision_ == Precision::kRounded) rounded_.reserve(count);
}

void ColumnValues::add(std::size_t count, double value) {
  if (precision_ == Precision::kExact) {
    make_room(exact_, count);
    exact_.resize(exact_.size() + count, value);
    return;
  }
  make_room(rounded_, count);
  rounded_.resize(rounded_.size() + count, to_rounded(value));
}

void ColumnValues::add(std::span<const double> values) {
  if (precision_ == Precision::kExact) {
    make_room(exact_, values.size());
    exact_.insert(exact_.end(), values.begin(), values.end());
    return;
  }
  make_room(rounded_, values.size());
  for (const double value : values) rounded_.push_back(to_rounded(value));
}

void ColumnValues::drop_first(std::size_t count) {
  drop(exact_, std::min(count, exact_.size()));
  drop(rounded_, std::min(count, rounded_.size()));
  move_origin();
}

// An assignment of {} would keep its memory.
void ColumnValues::clear() {
  std::vector<double>().swap(exact_);
  std::vector<float>().swap(rounded_);
  has_origin_ = false;
}

double ColumnValues::from_rounded(float value) const {
  if (!std::isnan(value)) return origin_ + static_cast<double>(value);
  return is_absent(value) ? SparseRow::kAbsent : model::not_due();
}

// What is too far away for 4 bytes stays as far away as they can tell.
float ColumnValues::to_rounded(double value) {
  if (std::isnan(value)) {
    return SparseRow::is_absent(value) ? kAbsent : std::bit_cast<float>(kUndefinedBits);
  }
  if (!has_origin_ && std::isfinite(value)) {
    origin_ = value;
    has_origin_ = true;
  }
  if (std::isinf(value)) return static_cast<float>(value);
  constexpr double kFarthest = std::numeric_limits<float>::max();
  return static_cast<float>(std::clamp(value - origin_, -kFarthest, kFarthest));
}

// Of a value that grows for days, distances from the first there ever was would be ever more
// coarse.
void ColumnValues::move_origin() {
  const auto first =
      std::ranges::find_if(rounded_, [](float value) { return std::isfinite(value); });
  if (first == rounded_.end()) has_origin_ = false;
  if (first == rounded_.end() || *first == 0) return;
  const double before = origin_;
  origin_ = before + static_cast<double>(*first);
  for (float& value : rounded_) {
    if (!std::isfinite(value)) continue;
    value = to_rounded(before + static_cast<double>(value));
  }
}

}  // namespace reveal::feature
