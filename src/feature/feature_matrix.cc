#include "feature/feature_matrix.h"

#include <algorithm>
#include <array>
#include <bit>

namespace reveal::feature {
namespace {

// NaNs of different meaning are different (model/absence.h).
bool is_same(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

}  // namespace

void FeatureMatrix::Column::add(std::span<const double> values, std::size_t rows) {
  if (rows == 0) same_ = values.front();
  const auto is_as_before = [this](double value) { return is_same(value, same_); };
  if (values_.empty() && std::ranges::all_of(values, is_as_before)) return;
  // Growing by an eighth: of thousands of columns, doubling would leave a quarter of all unused.
  const std::size_t size = rows + values.size();
  if (values_.capacity() < size) values_.reserve(size + size / 8);
  if (values_.empty()) values_.assign(rows, same_);
  values_.insert(values_.end(), values.begin(), values.end());
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
  if (newest_.size() == kNewest) keep_newest();
  windows_.push_back(span);
  return newest_.emplace_back(columns_.size(), std::numeric_limits<double>::quiet_NaN());
}

void FeatureMatrix::drop_first(std::size_t rows) {
  const auto drop = [](auto& from, std::size_t count) {
    from.erase(from.begin(), from.begin() + static_cast<std::ptrdiff_t>(count));
  };
  const std::size_t of_columns = std::min(rows, kept_);
  drop(windows_, rows);
  for (auto& column : values_) column.drop_first(of_columns);
  kept_ -= of_columns;
  drop(newest_, rows - of_columns);
}

void FeatureMatrix::keep_newest() {
  std::array<double, kNewest> values{};
  for (std::size_t column = 0; column < values_.size(); ++column) {
    for (std::size_t i = 0; i < newest_.size(); ++i) values[i] = at(kept_ + i, column);
    values_[column].add({values.data(), newest_.size()}, kept_);
  }
  kept_ += newest_.size();
  newest_.clear();
}

}  // namespace reveal::feature
