#include "feature/feature_matrix.h"

#include <algorithm>
#include <bit>

namespace reveal::feature {
namespace {

// NaNs of different meaning are different (model/absence.h).
bool is_same(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

}  // namespace

void FeatureMatrix::Column::add(double value, std::size_t rows) {
  if (rows == 0) same_ = value;
  if (values_.empty() && is_same(same_, value)) return;
  // Growing by an eighth: of thousands of columns, doubling would leave a quarter of all unused.
  if (values_.capacity() <= rows) values_.reserve(rows + rows / 8 + 16);
  if (values_.empty()) values_.assign(rows, same_);
  values_.push_back(value);
}

void FeatureMatrix::Column::drop_first(std::size_t rows) {
  if (values_.empty()) return;
  values_.erase(values_.begin(), values_.begin() + static_cast<std::ptrdiff_t>(rows));
  const auto is_first = [this](double value) { return is_same(value, values_.front()); };
  if (!std::ranges::all_of(values_, is_first)) return;
  if (!values_.empty()) same_ = values_.front();
  values_ = {};
}

std::vector<double>& FeatureMatrix::add_row(const window::WindowSpan& span) {
  keep_newest();
  windows_.push_back(span);
  newest_.assign(columns_.size(), std::numeric_limits<double>::quiet_NaN());
  return newest_;
}

void FeatureMatrix::drop_first(std::size_t rows) {
  windows_.erase(windows_.begin(), windows_.begin() + static_cast<std::ptrdiff_t>(rows));
  for (auto& column : values_) column.drop_first(std::min(rows, kept_));
  kept_ -= std::min(rows, kept_);
  if (windows_.empty()) newest_.clear();
}

void FeatureMatrix::keep_newest() {
  if (windows_.empty()) return;
  newest_.resize(columns_.size(), std::numeric_limits<double>::quiet_NaN());
  for (std::size_t i = 0; i < values_.size(); ++i) values_[i].add(newest_[i], kept_);
  ++kept_;
}

}  // namespace reveal::feature
