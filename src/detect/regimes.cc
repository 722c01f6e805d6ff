#include "detect/regimes.h"

#include <algorithm>
#include <cmath>

#include "detect/footprint.h"
#include "feature/level.h"
#include "stats/quantile.h"

namespace reveal::detect {
namespace {

constexpr std::size_t kNeeded = 2;
// What a regime began with is the median over so many windows, after as many in which it came to
// be.
constexpr std::size_t kComing = 5;
constexpr std::size_t kFirst = 10;

using Columns = std::vector<std::size_t>;
using Levels = std::vector<double>;

Columns footprint_columns(const feature::FeatureMatrix& matrix,
                          const model::ChannelTable& channels) {
  Columns out;
  for (std::size_t column = 0; column < matrix.column_count(); ++column) {
    const auto key = matrix.column(column);
    const auto& metric = channels.metric(key.channel);
    const bool named = footprint_place(metric.name).has_value();
    if (named && feature::is_level(metric, key.feature)) out.push_back(column);
  }
  return out;
}

// Medians over rows [first, first + kFirst); NaN if nothing is known.
Levels levels_from(const feature::FeatureMatrix& matrix, const Columns& columns,
                   std::size_t first) {
  Levels out;
  for (const auto column : columns) {
    std::vector<double> values;
    for (std::size_t row = first; row < std::min(first + kFirst, matrix.row_count()); ++row) {
      const double value = matrix.at(row, column);
      if (std::isfinite(value)) values.push_back(value);
    }
    out.push_back(values.empty() ? std::nan("") : stats::median(values));
  }
  return out;
}

class Search {
 public:
  Search(const feature::FeatureMatrix& matrix, Columns columns)
      : matrix_(matrix), columns_(std::move(columns)) {}

  std::vector<std::size_t> run() {
    std::vector<std::size_t> out{0};
    Levels usual = levels_from(matrix_, columns_, 0);
    for (std::size_t row = 1; row + kShortestRegime <= matrix_.row_count(); ++row) {
      if (!leaves(usual, row)) continue;
      out.push_back(row);
      usual = levels_from(matrix_, columns_, row + kComing);
      row += kShortestRegime - 1;
    }
    return out;
  }

 private:
  // Returns whether enough quantities differ from the usual in all rows of a shortest regime.
  bool leaves(const Levels& usual, std::size_t first) const {
    std::size_t count = 0;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      bool differs = std::isfinite(usual[i]);
      for (std::size_t row = first; differs && row < first + kShortestRegime; ++row) {
        const double value = matrix_.at(row, columns_[i]);
        differs = std::isfinite(value) && is_a_quarter_apart(value, usual[i]);
      }
      count += differs ? 1 : 0;
    }
    return count >= kNeeded;
  }

  const feature::FeatureMatrix& matrix_;
  Columns columns_;
};

}  // namespace

std::vector<std::size_t> regimes(const feature::FeatureMatrix& matrix,
                                 const model::ChannelTable& channels) {
  if (matrix.row_count() == 0) return {};
  return Search(matrix, footprint_columns(matrix, channels)).run();
}

}  // namespace reveal::detect
