// The feature values of a run: rows are windows, columns are features of channels. NaN is
// "undefined", never zero.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "model/metric.h"
#include "window/window_view.h"

namespace reveal::feature {

using FeatureId = base::StrongId<struct FeatureTag>;  // index into the feature registry

struct FeatureKey {
  model::ChannelId channel;
  FeatureId feature;
  friend bool operator==(const FeatureKey&, const FeatureKey&) = default;
};

class FeatureMatrix {
 public:
  // Returns the new column's index. Rows that exist already are NaN in it.
  std::size_t add_column(FeatureKey key) {
    columns_.push_back(key);
    return columns_.size() - 1;
  }
  // Returns the new row, all NaN, one value a column.
  std::vector<double>& add_row(const window::WindowSpan& span) {
    windows_.push_back(span);
    return rows_.emplace_back(columns_.size(), std::numeric_limits<double>::quiet_NaN());
  }

  // Forgets the first rows; those that are left are numbered from 0 again. REQUIRES: that many.
  void drop_first(std::size_t rows) {
    windows_.erase(windows_.begin(), windows_.begin() + static_cast<std::ptrdiff_t>(rows));
    rows_.erase(rows_.begin(), rows_.begin() + static_cast<std::ptrdiff_t>(rows));
  }

  // Returns the row's values; columns that came after it are not there.
  std::span<const double> row(std::size_t row) const { return rows_[row]; }

  std::size_t row_count() const { return rows_.size(); }
  std::size_t column_count() const { return columns_.size(); }
  const FeatureKey& column(std::size_t column) const { return columns_[column]; }
  const window::WindowSpan& window(std::size_t row) const { return windows_[row]; }
  double at(std::size_t row, std::size_t column) const {
    const auto& values = rows_[row];
    return column < values.size() ? values[column] : std::numeric_limits<double>::quiet_NaN();
  }

 private:
  std::vector<FeatureKey> columns_;
  std::vector<window::WindowSpan> windows_;
  std::vector<std::vector<double>> rows_;  // a row is as long as there were columns when it came
};

}  // namespace reveal::feature
