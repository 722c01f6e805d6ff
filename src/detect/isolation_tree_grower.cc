#include "detect/isolation_tree_grower.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <optional>
#include <span>
#include <utility>

namespace reveal::detect {
namespace {

struct Split {
  Eigen::Index column;
  double threshold;
};

class Grower {
 public:
  Grower(const Eigen::MatrixXd& x, Eigen::Index subsample, base::Rng rng)
      : x_(x),
        rng_(rng),
        columns_(static_cast<std::size_t>(x.cols())),
        // ceil(log2(subsample)): the average depth of a balanced tree.
        depth_limit_(static_cast<int>(std::bit_width(static_cast<std::uint64_t>(subsample - 1)))) {
    std::iota(columns_.begin(), columns_.end(), Eigen::Index{0});
    draw_rows(static_cast<std::size_t>(subsample));
  }

  IsolationTree grow() && {
    grow_node(rows_, 0);
    return std::move(tree_);
  }

 private:
  // The first `count` steps of a Fisher-Yates shuffle: every subset is equally likely.
  void draw_rows(std::size_t count) {
    rows_.resize(static_cast<std::size_t>(x_.rows()));
    std::iota(rows_.begin(), rows_.end(), Eigen::Index{0});
    for (std::size_t i = 0; i < count; ++i) {
      std::swap(rows_[i], rows_[i + rng_.below(rows_.size() - i)]);
    }
    rows_.resize(count);
  }

  std::int32_t grow_node(std::span<Eigen::Index> rows, int depth) {
    const std::int32_t node = add_leaf(rows.size());
    if (rows.size() < 2 || depth >= depth_limit_) return node;
    const auto split = draw_split(rows);
    if (!split) return node;
    const auto goes_left = [&](Eigen::Index row) {
      return x_(row, split->column) <= split->threshold;
    };
    const auto middle = std::partition(rows.begin(), rows.end(), goes_left);
    const auto left_count = static_cast<std::size_t>(middle - rows.begin());
    const auto index = static_cast<std::size_t>(node);
    tree_.feature[index] = static_cast<std::int32_t>(split->column);
    tree_.threshold[index] = split->threshold;
    const std::int32_t left = grow_node(rows.first(left_count), depth + 1);
    const std::int32_t right = grow_node(rows.subspan(left_count), depth + 1);
    tree_.left[index] = left;
    tree_.right[index] = right;
    return node;
  }

  std::int32_t add_leaf(std::size_t samples) {
    tree_.feature.push_back(-1);
    tree_.threshold.push_back(0);
    tree_.left.push_back(-1);
    tree_.right.push_back(-1);
    tree_.node_samples.push_back(static_cast<std::int32_t>(samples));
    return static_cast<std::int32_t>(tree_.feature.size() - 1);
  }

  // Draws columns without replacement until one varies among `rows`; none does where all the rows
  // are alike.
  std::optional<Split> draw_split(std::span<const Eigen::Index> rows) {
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      std::swap(columns_[i], columns_[i + rng_.below(columns_.size() - i)]);
      const Eigen::Index column = columns_[i];
      const auto [low, high] = extremes(rows, column);
      if (low < high) return Split{column, draw_threshold(low, high)};
    }
    return std::nullopt;
  }

  std::pair<double, double> extremes(std::span<const Eigen::Index> rows,
                                     Eigen::Index column) const {
    double low = x_(rows[0], column);
    double high = low;
    for (const Eigen::Index row : rows) {
      low = std::min(low, x_(row, column));
      high = std::max(high, x_(row, column));
    }
    return {low, high};
  }

  // Rounding may reach `high`, which would leave the right side empty.
  double draw_threshold(double low, double high) {
    const double threshold = low + rng_.uniform() * (high - low);
    return threshold < high ? threshold : low;
  }

  const Eigen::MatrixXd& x_;
  base::Rng rng_;
  std::vector<Eigen::Index> columns_;  // in the order of the last draws
  std::vector<Eigen::Index> rows_;
  int depth_limit_ = 0;
  IsolationTree tree_;
};

}  // namespace

IsolationTree grow_isolation_tree(const Eigen::MatrixXd& x, Eigen::Index subsample, base::Rng rng) {
  return Grower(x, subsample, rng).grow();
}

}  // namespace reveal::detect
