#include "feature/ridge_lines.h"

#include <algorithm>
#include <cmath>

#include "stats/quantile.h"

namespace reveal::feature {
namespace {

constexpr std::size_t kMostMissing = 1;  // rows
constexpr double kNoiseQuantile = 0.1;
constexpr double kReach = 0.25;            // of the width
constexpr std::size_t kSurroundings = 20;  // parts of the samples

struct Ridge {
  std::size_t row = 0;     // the narrowest so far
  std::size_t column = 0;  // there; of two, the first
  std::size_t latest = 0;  // the last column, from which it goes on
  std::size_t length = 1;
  std::size_t missing = 0;  // rows since
};

std::vector<std::size_t> local_maxima(std::span<const double> row) {
  std::vector<std::size_t> out;
  for (std::size_t t = 1; t + 1 < row.size(); ++t) {
    if (row[t] > row[t - 1] && row[t] > row[t + 1]) out.push_back(t);
  }
  return out;
}

std::size_t distance(std::size_t a, std::size_t b) {
  return a > b ? a - b : b - a;
}

// Continues those of the `before` ridges that have a maximum of the row near enough, the nearest
// one, and begins new ones at the other maxima.
void continue_ridges(std::vector<Ridge>& ridges, std::size_t row, std::span<const double> values) {
  for (Ridge& ridge : ridges) ++ridge.missing;
  // A ridge that two maxima continue is still looked for where the row above left it.
  std::vector<std::size_t> columns;
  columns.reserve(ridges.size());
  for (const Ridge& ridge : ridges) columns.push_back(ridge.latest);
  const double reach = kReach * static_cast<double>(row + 1);
  for (const std::size_t column : local_maxima(values)) {
    std::size_t nearest = columns.size();
    for (std::size_t i = 0; i < columns.size(); ++i) {
      if (nearest == columns.size() ||
          distance(columns[i], column) < distance(columns[nearest], column)) {
        nearest = i;
      }
    }
    const bool near = nearest < columns.size() &&
                      static_cast<double>(distance(columns[nearest], column)) <= reach;
    if (near) {
      Ridge& ridge = ridges[nearest];
      if (ridge.row != row) ridge.column = column;
      ridge = {row, ridge.column, column, ridge.length + 1, 0};
    } else {
      ridges.push_back({row, column, column});
    }
  }
}

std::vector<Ridge> find_ridges(std::span<const std::vector<double>> rows) {
  std::vector<Ridge> done;
  std::vector<Ridge> open;
  for (std::size_t row = rows.size(); row-- > 0;) {
    continue_ridges(open, row, rows[row]);
    const auto ended = std::stable_partition(
        open.begin(), open.end(), [](const Ridge& ridge) { return ridge.missing <= kMostMissing; });
    done.insert(done.end(), ended, open.end());
    open.erase(ended, open.end());
  }
  done.insert(done.end(), open.begin(), open.end());
  return done;
}

double noise_at(std::span<const double> row, std::size_t column) {
  const std::size_t wide = (row.size() + kSurroundings - 1) / kSurroundings;
  const std::size_t half = wide / 2;
  const std::size_t begin = column > half ? column - half : 0;
  const std::size_t end = std::min(column + half + wide % 2, row.size());
  std::vector<double> near(row.begin() + static_cast<std::ptrdiff_t>(begin),
                           row.begin() + static_cast<std::ptrdiff_t>(end));
  std::sort(near.begin(), near.end());
  return stats::quantile(near, kNoiseQuantile);
}

}  // namespace

std::size_t count_ridge_lines(std::span<const std::vector<double>> rows) {
  const auto shortest = static_cast<std::size_t>(std::ceil(static_cast<double>(rows.size()) / 4.0));
  std::size_t count = 0;
  for (const Ridge& ridge : find_ridges(rows)) {
    if (ridge.length < shortest) continue;
    const double ratio =
        std::abs(rows[ridge.row][ridge.column] / noise_at(rows.front(), ridge.column));
    if (!(ratio < 1.0)) ++count;
  }
  return count;
}

}  // namespace reveal::feature
