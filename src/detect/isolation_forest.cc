#include "detect/isolation_forest.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "detect/isolation_tree_grower.h"

namespace reveal::detect {
namespace {

bool is_leaf(const IsolationTree& tree, std::size_t node) {
  return tree.left[node] < 0;
}

std::size_t child(const IsolationTree& tree, std::size_t node, double value) {
  const auto& side = value <= tree.threshold[node] ? tree.left : tree.right;
  return static_cast<std::size_t>(side[node]);
}

// Calls visit(node, next node) for each step of the row's way from the root.
template <typename Visit>
void descend(const IsolationTree& tree, const Windows& x, Eigen::Index row, Visit visit) {
  std::size_t node = 0;
  while (!is_leaf(tree, node)) {
    const std::size_t next = child(tree, node, x(row, tree.feature[node]));
    visit(node, next);
    node = next;
  }
}

// Children come after their parent, so every way down ends.
bool is_sound(const IsolationTree& tree, Eigen::Index columns) {
  const std::size_t nodes = tree.feature.size();
  if (nodes == 0 || tree.threshold.size() != nodes || tree.left.size() != nodes ||
      tree.right.size() != nodes || tree.node_samples.size() != nodes) {
    return false;
  }
  for (std::size_t node = 0; node < nodes; ++node) {
    if (is_leaf(tree, node)) continue;
    const auto comes_later = [&](std::int32_t child) {
      return child > static_cast<std::int32_t>(node) && static_cast<std::size_t>(child) < nodes;
    };
    if (!comes_later(tree.left[node]) || !comes_later(tree.right[node])) return false;
    if (tree.feature[node] < 0 || tree.feature[node] >= columns) return false;
  }
  return true;
}

// One stream a tree: a forest must not depend on the order in which its trees grow.
base::Rng tree_stream(std::uint64_t seed, int tree) {
  return base::Rng(base::Rng(seed).next() + static_cast<std::uint64_t>(tree));
}

// Returns 2^(-1 + shortened / c(psi)) - 1/2 over `shortened`, whose limit at 0 is ln 2 / (2
// c(psi)).
double score_per_step(double shortened, double whole) {
  const double exponent = shortened / whole * std::numbers::ln2;
  if (exponent == 0) return 0.5 * std::numbers::ln2 / whole;
  return 0.5 * std::expm1(exponent) / shortened;
}

}  // namespace

double average_path_length(std::int64_t samples) {
  if (samples <= 1) return 0;
  if (samples == 2) return 1;
  const auto n = static_cast<double>(samples);
  return 2 * (std::log(n - 1) + std::numbers::egamma) - 2 * (n - 1) / n;
}

base::Result<void> IsolationForest::fit(const Windows& x) {
  if (auto sound = check_windows(x); !sound) return sound;
  const Eigen::Index subsample = std::min(kMaxSubsample, x.rows());
  subsample_ = subsample;
  windows_ = static_cast<std::uint64_t>(x.rows());
  trees_.clear();
  IsolationTreeGrower grower(x, subsample);
  for (int tree = 0; tree < kTrees; ++tree) trees_.push_back(grower.grow(tree_stream(seed_, tree)));
  paths_ = IsolationPaths(trees_);
  return {};
}

Eigen::VectorXd IsolationForest::score(const Windows& x) const {
  const double whole = static_cast<double>(trees_.size()) * average_path_length(subsample_);
  return (-paths_.lengths(x) / whole).unaryExpr([](double power) { return std::exp2(power); });
}

// A step from a node of n samples to a child of m changes the expected path length by
// 1 + c(m) - c(n). What it shortens is due to the splitting column. All of that together makes
// 2^(-1 + sum / c(psi)) of the 1/2 that a path of the expected length scores, and each column is
// given of the difference in proportion.
Eigen::VectorXd IsolationForest::contributions(const Windows& x, Eigen::Index row) const {
  Eigen::VectorXd out = Eigen::VectorXd::Zero(x.cols());
  for (const auto& tree : trees_) {
    descend(tree, x, row, [&](std::size_t node, std::size_t next) {
      out(tree.feature[node]) += average_path_length(tree.node_samples[node]) -
                                 average_path_length(tree.node_samples[next]) - 1;
    });
  }
  out /= static_cast<double>(trees_.size());
  return out * score_per_step(out.sum(), average_path_length(subsample_));
}

void IsolationForest::save(StateWriter& out) const {
  out.count(seed_);
  out.count(windows_);
  out.count(static_cast<std::uint64_t>(subsample_));
  out.count(trees_.size());
  for (const auto& tree : trees_) {
    out.integers(tree.feature);
    out.numbers(tree.threshold);
    out.integers(tree.left);
    out.integers(tree.right);
    out.integers(tree.node_samples);
  }
}

void IsolationForest::load(StateReader& in, Eigen::Index columns) {
  seed_ = in.count();
  windows_ = in.count();
  subsample_ = static_cast<std::int64_t>(in.count());
  const std::uint64_t trees = in.count();
  trees_.clear();
  for (std::uint64_t i = 0; i < trees && in.ok(); ++i) {
    IsolationTree tree;
    tree.feature = in.integers();
    tree.threshold = in.numbers();
    tree.left = in.integers();
    tree.right = in.integers();
    tree.node_samples = in.integers();
    if (!is_sound(tree, columns)) in.fail();
    trees_.push_back(std::move(tree));
  }
  if (trees_.empty() || subsample_ < 2 || subsample_ > kMaxSubsample) in.fail();
  if (in.ok()) paths_ = IsolationPaths(trees_);
}

// Streams go on where the fit's ended, and are others for each number of windows known before.
bool IsolationForest::update(const Windows& more) {
  if (more.rows() < subsample_) return false;
  const auto added = static_cast<std::uint64_t>(more.rows());
  const std::size_t count = trees_.size() * added / (windows_ + added);
  trees_.erase(trees_.begin(), trees_.begin() + static_cast<std::ptrdiff_t>(count));
  IsolationTreeGrower grower(more, subsample_);
  for (std::size_t tree = 0; tree < count; ++tree) {
    trees_.push_back(grower.grow(tree_stream(seed_ + windows_, kTrees + static_cast<int>(tree))));
  }
  windows_ += added;
  paths_ = IsolationPaths(trees_);
  return true;
}

std::unique_ptr<Detector> make_isolation_forest(const DetectorOptions& options) {
  return std::make_unique<IsolationForest>(options);
}

}  // namespace reveal::detect
