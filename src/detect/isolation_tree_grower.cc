#include "detect/isolation_tree_grower.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <utility>

#include "detect/split_rows.h"

namespace reveal::detect {
namespace {

std::vector<std::int32_t> moving_columns(const Windows& x) {
  std::vector<std::int32_t> out;
  for (Eigen::Index j = 0; j < x.cols(); ++j) {
    if ((x.col(j).array() != x(0, j)).any()) out.push_back(static_cast<std::int32_t>(j));
  }
  return out;
}

}  // namespace

IsolationTreeGrower::IsolationTreeGrower(const Windows& x, Eigen::Index subsample)
    : x_(x),
      subsample_(static_cast<std::size_t>(subsample)),
      // ceil(log2(subsample)): the average depth of a balanced tree.
      depth_limit_(static_cast<int>(std::bit_width(static_cast<std::uint64_t>(subsample - 1)))),
      columns_(moving_columns(x)),
      own_columns_(columns_),
      spare_(subsample_),
      changed_(x),
      node_(static_cast<std::size_t>(x.rows())) {}

IsolationTree IsolationTreeGrower::grow(base::Rng rng) {
  rng_ = rng;
  draw_rows();
  grow_node(rows_, 0, 0);
  restore_columns();
  return std::exchange(tree_, {});
}

// The first steps of a Fisher-Yates shuffle: every subset is equally likely. Sorted, for rows that
// follow one another share cache lines.
void IsolationTreeGrower::draw_rows() {
  rows_.resize(static_cast<std::size_t>(x_.rows()));
  std::iota(rows_.begin(), rows_.end(), 0);
  for (std::size_t i = 0; i < subsample_; ++i) {
    std::swap(rows_[i], rows_[i + rng_.below(rows_.size() - i)]);
  }
  rows_.resize(subsample_);
  std::sort(rows_.begin(), rows_.end());
}

std::int32_t IsolationTreeGrower::grow_node(std::span<std::int32_t> rows, int depth,
                                            std::size_t still) {
  const std::int32_t node = add_leaf(rows.size());
  if (rows.size() < 2 || depth >= depth_limit_) return node;
  const auto split = draw_split(rows, still);
  if (!split) return node;
  const std::size_t left_count = split_rows(rows, split->column, split->threshold, spare_.data());
  const auto index = static_cast<std::size_t>(node);
  tree_.feature[index] = static_cast<std::int32_t>(split->index);
  tree_.threshold[index] = split->threshold;
  const std::int32_t left = grow_node(rows.first(left_count), depth + 1, still);
  const std::int32_t right = grow_node(rows.subspan(left_count), depth + 1, still);
  tree_.left[index] = left;
  tree_.right[index] = right;
  return node;
}

std::int32_t IsolationTreeGrower::add_leaf(std::size_t samples) {
  tree_.feature.push_back(-1);
  tree_.threshold.push_back(0);
  tree_.left.push_back(-1);
  tree_.right.push_back(-1);
  tree_.node_samples.push_back(static_cast<std::int32_t>(samples));
  return static_cast<std::int32_t>(tree_.feature.size() - 1);
}

// Draws columns without replacement until one varies among `rows`; none does if all the rows are
// alike. What stands still among them does so among fewer of them, too: on a quiet host that is
// most columns, and deeper nodes draw among the others alone.
std::optional<IsolationTreeGrower::Split> IsolationTreeGrower::draw_split(
    std::span<const std::int32_t> rows, std::size_t& still) {
  node_.assign(rows);
  while (still < columns_.size()) {
    const std::size_t drawn = still + rng_.below(columns_.size() - still);
    const std::int32_t column = columns_[drawn];
    if (changed_.movement(column, node_) != ChangedRows::Movement::kStill) {
      if (const auto split = split_on(column, rows)) return split;
      changed_.learn(column);
    }
    std::swap(columns_[still], columns_[drawn]);
    moved_.insert(moved_.end(), {still, drawn});
    ++still;
  }
  return std::nullopt;
}

// Returns nothing if the column stands still among `rows`.
std::optional<IsolationTreeGrower::Split> IsolationTreeGrower::split_on(
    std::int32_t column, std::span<const std::int32_t> rows) {
  const double* values = x_.col(column).data();
  double low = values[rows[0]];
  double high = low;
  for (const std::int32_t row : rows) {
    low = std::min(low, values[row]);
    high = std::max(high, values[row]);
  }
  if (!(low < high)) return std::nullopt;
  return Split{values, draw_threshold(low, high), column};
}

// Rounding may reach `high`, which would leave the right side empty.
double IsolationTreeGrower::draw_threshold(double low, double high) {
  const double threshold = low + rng_.uniform() * (high - low);
  return threshold < high ? threshold : low;
}

void IsolationTreeGrower::restore_columns() {
  for (const std::size_t place : moved_) columns_[place] = own_columns_[place];
  moved_.clear();
}

IsolationTree grow_isolation_tree(const Windows& x, Eigen::Index subsample, base::Rng rng) {
  return IsolationTreeGrower(x, subsample).grow(rng);
}

}  // namespace reveal::detect
