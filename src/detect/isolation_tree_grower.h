// Grows isolation trees on random subsamples of the windows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <Eigen/Core>

#include "base/rng.h"
#include "detect/changed_rows.h"
#include "detect/isolation_forest.h"

namespace reveal::detect {

// Grows trees on the same windows, one after the other; the next does not depend on those before.
class IsolationTreeGrower {
 public:
  // REQUIRES: 2 <= subsample <= x.rows(); at least one column; finite values; x outlives this.
  IsolationTreeGrower(const Windows& x, Eigen::Index subsample);

  // Returns a tree grown on a subsample of the rows drawn without replacement. At each node the
  // column is drawn uniformly among those that still vary there, the threshold uniformly between
  // the column's extremes there.
  IsolationTree grow(base::Rng rng);

 private:
  struct Split {
    const double* column;
    double threshold;
    Eigen::Index index;  // of the column
  };

  void draw_rows();
  // The first `still` of columns_ do not vary among the rows.
  std::int32_t grow_node(std::span<std::int32_t> rows, int depth, std::size_t still);
  std::int32_t add_leaf(std::size_t samples);
  std::optional<Split> draw_split(std::span<const std::int32_t> rows, std::size_t& still);
  std::optional<Split> split_on(std::int32_t column, std::span<const std::int32_t> rows);
  double draw_threshold(double low, double high);
  void restore_columns();

  Windows x_;
  std::size_t subsample_;
  int depth_limit_;
  base::Rng rng_{0};
  std::vector<std::int32_t> columns_;      // that vary at all, in the order of the tree's draws
  std::vector<std::int32_t> own_columns_;  // and before any
  std::vector<std::size_t> moved_;         // places where both may differ
  std::vector<std::int32_t> rows_;
  std::vector<std::int32_t> spare_;
  ChangedRows changed_;
  RowSet node_;  // the rows of the node that draws
  IsolationTree tree_;
};

// Returns one tree.
IsolationTree grow_isolation_tree(const Windows& x, Eigen::Index subsample, base::Rng rng);

}  // namespace reveal::detect
