// The lengths of windows' paths through isolation trees: all trees in one array of nodes, made for
// speed of what IsolationTree holds for reading.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <Eigen/Core>

#include "detect/design.h"

namespace reveal::detect {

struct IsolationTree;

class IsolationPaths {
 public:
  IsolationPaths() = default;
  explicit IsolationPaths(std::span<const IsolationTree> trees);

  // Returns for each row of `x` the sum over trees of its leaf's depth and c(the leaf's samples),
  // to the last bit what adding them up tree by tree gives.
  Eigen::VectorXd lengths(const Windows& x) const;

 private:
  // A node's left child comes right after it. A leaf has no feature (-1) and its length for a
  // threshold.
  struct Node {
    double threshold;
    std::int32_t feature;
    std::int32_t right;
  };

  void add(const IsolationTree& tree, std::size_t node, int depth);
  double length(const double* row, Eigen::Index stride, std::size_t root) const;
  void add_lengths(const Windows& x, std::size_t node, std::span<std::int32_t> rows,
                   std::int32_t* spare, Eigen::VectorXd& out) const;

  std::vector<Node> nodes_;
  std::vector<std::size_t> roots_;
};

}  // namespace reveal::detect
