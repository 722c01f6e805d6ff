#include "detect/isolation_paths.h"

#include <numeric>

#include "detect/isolation_forest.h"
#include "detect/split_rows.h"

namespace reveal::detect {
namespace {

// From this many windows on they go through a tree together, column by column.
constexpr Eigen::Index kTogether = 32;

}  // namespace

IsolationPaths::IsolationPaths(std::span<const IsolationTree> trees) {
  for (const auto& tree : trees) {
    roots_.push_back(nodes_.size());
    add(tree, 0, 0);
  }
}

void IsolationPaths::add(const IsolationTree& tree, std::size_t node, int depth) {
  const std::size_t place = nodes_.size();
  if (tree.left[node] < 0) {
    nodes_.push_back({depth + average_path_length(tree.node_samples[node]), -1, -1});
    return;
  }
  nodes_.push_back({tree.threshold[node], tree.feature[node], -1});
  add(tree, static_cast<std::size_t>(tree.left[node]), depth + 1);
  nodes_[place].right = static_cast<std::int32_t>(nodes_.size());
  add(tree, static_cast<std::size_t>(tree.right[node]), depth + 1);
}

Eigen::VectorXd IsolationPaths::lengths(const Windows& x) const {
  Eigen::VectorXd out = Eigen::VectorXd::Zero(x.rows());
  if (x.rows() < kTogether) {
    for (Eigen::Index row = 0; row < x.rows(); ++row) {
      for (const std::size_t root : roots_)
        out(row) += length(x.data() + row, x.outerStride(), root);
    }
    return out;
  }
  std::vector<std::int32_t> rows(static_cast<std::size_t>(x.rows()));
  std::vector<std::int32_t> spare(rows.size());
  for (const std::size_t root : roots_) {
    std::iota(rows.begin(), rows.end(), 0);
    add_lengths(x, root, rows, spare.data(), out);
  }
  return out;
}

double IsolationPaths::length(const double* row, Eigen::Index stride, std::size_t root) const {
  const Node* node = &nodes_[root];
  while (node->feature >= 0) {
    const bool left = row[node->feature * stride] <= node->threshold;
    node = left ? node + 1 : &nodes_[static_cast<std::size_t>(node->right)];
  }
  return node->threshold;
}

void IsolationPaths::add_lengths(const Windows& x, std::size_t node, std::span<std::int32_t> rows,
                                 std::int32_t* spare, Eigen::VectorXd& out) const {
  if (rows.empty()) return;
  const Node& here = nodes_[node];
  if (here.feature < 0) {
    for (const std::int32_t row : rows) out(row) += here.threshold;
    return;
  }
  const std::size_t left = split_rows(rows, x.col(here.feature).data(), here.threshold, spare);
  add_lengths(x, node + 1, rows.first(left), spare, out);
  add_lengths(x, static_cast<std::size_t>(here.right), rows.subspan(left), spare, out);
}

}  // namespace reveal::detect
