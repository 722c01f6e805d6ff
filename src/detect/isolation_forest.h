// Isolation Forest (Liu, Ting, Zhou: Isolation Forest, ICDM 2008; numbers as scikit-learn's).
//
// A tree splits a random subsample at random thresholds until every window stands alone or the
// depth limit is reached; windows that stand alone early are unlike the others.
//
//   score = 2^(-E[h] / c(psi)),  psi = subsample size,  h = depth of the leaf + c(its samples),
//   c(n) = expected depth among n samples that nothing sets apart
//
// Tree t draws from its own random stream, made of the seed and t, so a forest does not depend on
// the order in which its trees grow. Trees are open data: a forest can be made of trees grown
// elsewhere, which is how the formula is tested against another implementation's own trees.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "detect/detector.h"
#include "detect/isolation_paths.h"

namespace reveal::detect {

// Nodes in arrays; node 0 is the root. A node is a leaf if left is -1.
struct IsolationTree {
  std::vector<std::int32_t> feature;       // live column that the node splits on
  std::vector<double> threshold;           // a value <= threshold goes left
  std::vector<std::int32_t> left;          // child node, or -1
  std::vector<std::int32_t> right;         // child node, or -1
  std::vector<std::int32_t> node_samples;  // samples of the subsample that reached the node
};

// Returns c(n): 0 for n <= 1, 1 for 2, else 2 H(n - 1) - 2 (n - 1) / n with H(i) = ln i + gamma.
double average_path_length(std::int64_t samples);

class IsolationForest final : public Detector {
 public:
  static constexpr int kTrees = 100;
  static constexpr Eigen::Index kMaxSubsample = 256;

  explicit IsolationForest(const DetectorOptions& options) : seed_(options.seed) {}
  // REQUIRES: at least one tree; every tree was grown from `subsample` > 1 samples.
  IsolationForest(std::vector<IsolationTree> trees, std::int64_t subsample)
      : trees_(std::move(trees)), paths_(trees_), subsample_(subsample) {}

  std::string_view name() const override { return "isolation_forest"; }
  base::Result<void> fit(const Windows& x) override;
  Eigen::VectorXd score(const Windows& x) const override;
  Eigen::VectorXd contributions(const Windows& x, Eigen::Index row) const override;
  void save(StateWriter& out) const override;
  void load(StateReader& in, Eigen::Index columns) override;
  // Replaces a share of the trees, those grown first, by ones grown on the new windows: as many as
  // these are of all windows. Returns false on fewer windows than a tree is grown on.
  bool update(const Windows& more) override;

  const std::vector<IsolationTree>& trees() const { return trees_; }

 private:
  std::uint64_t seed_ = 0;
  std::vector<IsolationTree> trees_;
  IsolationPaths paths_;  // through these trees
  std::int64_t subsample_ = 0;
  std::uint64_t windows_ = 0;  // that the trees were grown on
};

}  // namespace reveal::detect
