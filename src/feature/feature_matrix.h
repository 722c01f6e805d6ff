// The feature values of a run: rows are windows, columns are features of channels. NaN is
// "undefined", never zero. A column costs 8 bytes, or 4 of a matrix that rounds, for each row from
// the first to the last in which it is not what it is in the others: a column of a channel that was
// there for some windows costs these, and nothing in the windows after it went.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "feature/column_values.h"
#include "feature/sparse_row.h"
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
  // Rows but the newest are rounded if asked for (column_values.h).
  explicit FeatureMatrix(Precision precision = Precision::kExact) : precision_(precision) {}

  // Returns the new column's index. Rows that exist already are NaN in it.
  std::size_t add_column(FeatureKey key) {
    columns_.push_back(key);
    values_.emplace_back(precision_);
    return columns_.size() - 1;
  }
  // Returns the new row, all NaN, one value a column; it is to be filled before the next is added.
  std::vector<double>& add_row(const window::WindowSpan& span);

  // Returns the same rows without columns that are surely undefined in all but fewer than `least`
  // of them; the others stay in their order.
  FeatureMatrix without_rare(std::size_t least) const;

  // Returns the matrix without those rows, by row; the others are numbered anew. REQUIRES: one
  // entry a row.
  FeatureMatrix without_rows(const std::vector<bool>& gone) const;

  // Forgets the first rows; those that are left are numbered from 0 again. REQUIRES: that many.
  void drop_first(std::size_t rows);

  std::size_t row_count() const { return windows_.size(); }
  std::size_t column_count() const { return columns_.size(); }
  // Returns for how many values it holds memory, for tests of its bounds.
  std::size_t value_count() const;
  const FeatureKey& column(std::size_t column) const { return columns_[column]; }
  const window::WindowSpan& window(std::size_t row) const { return windows_[row]; }
  // NaN in a column that is not there.
  double at(std::size_t row, std::size_t column) const {
    constexpr double kAbsent = SparseRow::kAbsent;
    if (row < kept_) return column < values_.size() ? values_[column].at(row) : kAbsent;
    if (row - kept_ < newest_.size()) return newest_[row - kept_].at(column);
    return column < last_.size() ? last_[column] : kAbsent;
  }

 private:
  // Columns lie far from one another in memory, so they get several rows at a time.
  static constexpr std::size_t kNewest = 16;

  // The values of a column in all rows but the newest. Most columns never change, as those of a
  // channel that stands still: they are one number. Those of a channel that came and went are that
  // number before and after.
  class Column {
   public:
    explicit Column(Precision precision) : values_(precision) {}

    double at(std::size_t row) const {
      // A row before the first gives a number that is greater than any.
      return row - first_ < values_.size() ? values_[row - first_] : same_;
    }
    // REQUIRES: it holds `rows` values; there is one to add.
    void add(std::span<const double> values, std::size_t rows);
    // REQUIRES: it holds `rows` values and `left` more.
    void drop_first(std::size_t rows, std::size_t left);
    // Returns no less than how many of its `rows` values are defined.
    std::size_t most_defined(std::size_t rows) const;
    std::size_t value_count() const { return values_.value_count(); }

   private:
    void let_go();

    double same_ = std::numeric_limits<double>::quiet_NaN();
    std::size_t first_ = 0;  // row of the first of these
    ColumnValues values_;    // in rows after them, and before, it is the number
  };

  bool has_last() const { return windows_.size() > kept_ + newest_.size(); }
  void keep_last();
  void keep_newest();

  Precision precision_;
  std::vector<FeatureKey> columns_;
  std::vector<window::WindowSpan> windows_;
  std::vector<Column> values_;
  std::size_t kept_ = 0;           // rows that the columns hold
  std::vector<SparseRow> newest_;  // the rows after these, fewer than kNewest
  std::vector<double> last_;       // the last row, as long as there were columns when it came
};

}  // namespace reveal::feature
