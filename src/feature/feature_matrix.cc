#include "feature/feature_matrix.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

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
  values_.add(rows + skipped - first_ - values_.size(), same_);
  values_.add({first, last});
  if (std::ranges::all_of(values, SparseRow::is_absent)) let_go();
}

// A channel that was there in the first row and has gone would cost a value a row. Once it has been
// away for longer than it was there, its values are those that count, and the number is none.
void FeatureMatrix::Column::let_go() {
  std::size_t end = values_.size();
  while (end > 0 && SparseRow::is_absent(values_[end - 1])) --end;
  const std::size_t there = first_ + end;
  if (first_ + values_.size() < 2 * there) return;
  ColumnValues own(values_.precision());
  own.reserve(there);
  own.add(first_, same_);
  for (std::size_t i = 0; i < end; ++i) own.add(1, values_[i]);
  same_ = SparseRow::kAbsent;
  first_ = 0;
  values_ = std::move(own);
}

void FeatureMatrix::Column::drop_first(std::size_t rows, std::size_t left) {
  if (values_.empty()) return;
  const std::size_t gone = std::min(rows - std::min(rows, first_), values_.size());
  values_.drop_first(gone);
  first_ -= std::min(rows, first_);
  const bool is_one = values_.size() == left && values_.is_one();
  if (is_one && !values_.empty()) same_ = values_[0];
  if (is_one) values_.clear();
}

// Without the values that are all there is to a column, it is undefined.
std::size_t FeatureMatrix::Column::most_defined(std::size_t rows) const {
  return std::isfinite(same_) ? rows : values_.size();
}

std::vector<double>& FeatureMatrix::add_row(const window::WindowSpan& span) {
  if (has_last()) keep_last();
  windows_.push_back(span);
  last_.assign(columns_.size(), SparseRow::kAbsent);
  return last_;
}

void FeatureMatrix::keep_last() {
  newest_.emplace_back(std::span<const double>(last_));
  if (newest_.size() == kNewest) keep_newest();
}

void FeatureMatrix::drop_first(std::size_t rows) {
  const auto drop = [](auto& from, std::size_t count) {
    from.erase(from.begin(), from.begin() + static_cast<std::ptrdiff_t>(count));
  };
  const std::size_t of_columns = std::min(rows, kept_);
  const std::size_t of_newest = std::min(rows - of_columns, newest_.size());
  drop(windows_, rows);
  kept_ -= of_columns;
  for (auto& column : values_) column.drop_first(of_columns, kept_);
  drop(newest_, of_newest);
}

// A few columns at a time, so that each row is searched once for all of them.
void FeatureMatrix::keep_newest() {
  constexpr std::size_t kTile = 64;
  std::array<std::array<double, kTile>, kNewest> rows{};
  std::array<double, kNewest> values{};
  for (std::size_t column = 0; column < values_.size(); ++column) {
    const std::size_t place = column % kTile;
    for (std::size_t i = 0; i < kNewest; ++i) {
      if (place == 0) newest_[i].read(column, rows[i]);
      values[i] = rows[i][place];
    }
    values_[column].add(values, kept_);
  }
  kept_ += kNewest;
  newest_.clear();
}

FeatureMatrix FeatureMatrix::without_rare(std::size_t least) const {
  const std::size_t later = windows_.size() - kept_;
  std::vector<std::size_t> left;
  for (std::size_t column = 0; column < values_.size(); ++column) {
    if (values_[column].most_defined(kept_) + later >= least) left.push_back(column);
  }
  FeatureMatrix out(precision_);
  out.windows_ = windows_;
  out.kept_ = kept_;
  out.columns_.reserve(left.size());
  out.values_.reserve(left.size());
  for (const std::size_t column : left) {
    out.columns_.push_back(columns_[column]);
    out.values_.push_back(values_[column]);
  }
  for (const auto& row : newest_) out.newest_.push_back(row.with_columns(left));
  if (!has_last()) return out;
  for (const std::size_t column : left) out.last_.push_back(at(windows_.size() - 1, column));
  return out;
}

FeatureMatrix FeatureMatrix::without_rows(const std::vector<bool>& gone) const {
  FeatureMatrix out(precision_);
  for (const auto& key : columns_) out.add_column(key);
  for (std::size_t row = 0; row < windows_.size(); ++row) {
    if (gone[row]) continue;
    auto& values = out.add_row(windows_[row]);
    for (std::size_t column = 0; column < columns_.size(); ++column) {
      values[column] = at(row, column);
    }
  }
  return out;
}

std::size_t FeatureMatrix::value_count() const {
  std::size_t out = last_.capacity();
  for (const auto& column : values_) out += column.value_count();
  for (const auto& row : newest_) out += row.value_count();
  return out;
}

}  // namespace reveal::feature
