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
  const auto is_other = [this](double value) { return !is_same(value, same_); };
  const auto first = std::ranges::find_if(values, is_other);
  if (first == values.end()) return;
  const auto last = std::find_if(values.rbegin(), values.rend(), is_other).base();
  const auto skipped = static_cast<std::size_t>(first - values.begin());
  if (values_.empty()) first_ = rows + skipped;
  // Growing by an eighth: of thousands of columns, doubling would leave a quarter of all unused.
  const std::size_t before = rows + skipped - first_;
  const std::size_t size = before + static_cast<std::size_t>(last - first);
  if (values_.capacity() < size) values_.reserve(size + size / 8);
  values_.resize(before, same_);
  values_.insert(values_.end(), first, last);
}

void FeatureMatrix::Column::drop_first(std::size_t rows, std::size_t left) {
  if (values_.empty()) return;
  const std::size_t gone = std::min(rows - std::min(rows, first_), values_.size());
  values_.erase(values_.begin(), values_.begin() + static_cast<std::ptrdiff_t>(gone));
  first_ -= std::min(rows, first_);
  const auto is_first = [this](double value) { return is_same(value, values_.front()); };
  const bool is_one = values_.size() == left && std::ranges::all_of(values_, is_first);
  if (is_one && !values_.empty()) same_ = values_.front();
  if (is_one || values_.empty()) {
    std::vector<double>().swap(values_);  // an assignment of {} would keep its memory
    return;
  }
  // What a channel had while it was there shall not keep the room of what is forgotten.
  if (values_.capacity() > 2 * values_.size()) values_.shrink_to_fit();
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
  kept_ -= of_columns;
  for (auto& column : values_) column.drop_first(of_columns, kept_);
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

std::size_t FeatureMatrix::value_count() const {
  std::size_t out = 0;
  for (const auto& column : values_) out += column.value_count();
  for (const auto& row : newest_) out += row.capacity();
  return out;
}

}  // namespace reveal::feature
