#include "stats/krylov_eigen.h"

#include <algorithm>

#include "base/rng.h"
#include "stats/leading_eigen.h"
#include "stats/orthonormalize.h"

namespace reveal::stats {
namespace {

Eigen::MatrixXd random_block(Eigen::Index rows, Eigen::Index columns) {
  base::Rng rng(1);
  Eigen::MatrixXd out(rows, columns);
  for (Eigen::Index i = 0; i < out.size(); ++i) out(i) = rng.uniform() - 0.5;
  return out;
}

class Basis {
 public:
  Basis(const Eigen::MatrixXd& symmetric, const KrylovOptions& options)
      : symmetric_(symmetric),
        options_(options),
        block_(std::min(options.block, symmetric.rows())),
        most_(symmetric.rows() * 3 / 5 / block_ * block_),
        vectors_(symmetric.rows(), most_),
        seen_(Eigen::MatrixXd::Zero(most_, most_)),
        next_(random_block(symmetric.rows(), block_)) {}

  Eigen::Index size() const { return size_; }
  Eigen::Index most() const { return most_; }
  // The matrix in terms of the basis.
  Eigen::MatrixXd seen() const { return seen_.topLeftCorner(size_, size_); }

  // Adds a block. Fails if the basis is as large as it may be, or holds all that the matrix is.
  bool grow() {
    if (size_ + block_ > most_ || !orthonormalize(next_)) return false;
    vectors_.middleCols(size_, block_) = next_;
    size_ += block_;
    Eigen::MatrixXd image = product({symmetric_}, {next_}, options_.precision);
    // What the first time leaves of the basis by rounding, the second removes.
    Eigen::MatrixXd parts = remove_basis(image, options_.precision);
    parts += remove_basis(image, Precision::kDouble);
    seen_.block(0, size_ - block_, size_, block_) = parts;
    seen_.block(size_ - block_, 0, block_, size_) = parts.transpose();
    next_ = std::move(image);
    return true;
  }

  // How far A u is from value * u, for vectors given in terms of the basis.
  Eigen::VectorXd residuals(const Eigen::MatrixXd& vectors) const {
    return product({next_}, {vectors.bottomRows(block_)}).colwise().norm();
  }

  Eigen::MatrixXd in_full(const Eigen::MatrixXd& vectors) const {
    return product({vectors_.leftCols(size_)}, {vectors});
  }

 private:
  Eigen::MatrixXd remove_basis(Eigen::MatrixXd& image, Precision precision) const {
    const auto basis = vectors_.leftCols(size_);
    const Eigen::MatrixXd parts = product({basis, true}, {image}, precision);
    add_product({basis}, {Eigen::MatrixXd(-parts)}, image, precision);
    return parts;
  }

  const Eigen::MatrixXd& symmetric_;
  KrylovOptions options_;
  Eigen::Index block_;
  Eigen::Index most_;
  Eigen::Index size_ = 0;
  Eigen::MatrixXd vectors_;
  Eigen::MatrixXd seen_;
  Eigen::MatrixXd next_;  // orthogonal to the basis, what it lacks to hold the images of its last
};

// Whether no pair that is missing could make do with fewer, and each is as near as asked for.
bool is_enough(const Eigen::VectorXd& values, const Eigen::VectorXd& residuals, double goal,
               double tolerance) {
  const Eigen::Index count = values.size();
  const double last = values(count - 1);
  if (residuals.maxCoeff() > tolerance * last) return false;
  const double missing = residuals.squaredNorm() / last;
  return values.head(count - 1).sum() + missing <= goal || missing <= 1e-9 * goal;
}

}  // namespace

std::optional<SymmetricEigen> leading_eigen_by_krylov(const Eigen::MatrixXd& symmetric,
                                                      double share, const KrylovOptions& options) {
  const double goal = share * symmetric.trace();
  Basis basis(symmetric, options);
  Eigen::Index next_look = 0;
  while (basis.grow()) {
    const Eigen::MatrixXd seen = basis.seen();
    if (seen.trace() <= goal) continue;
    // The basis at which the sum suffices is somewhat larger than the number looked for, and about
    // half as large as the one in which the last of them have converged.
    if (next_look == 0) next_look = basis.size() + basis.size() / 4;
    if (next_look > basis.most()) return std::nullopt;
    if (basis.size() < next_look) continue;
    next_look = basis.size() + basis.size() / 8;
    const SymmetricEigen pairs = leading_eigen(seen, goal / seen.trace());
    const Eigen::VectorXd residuals = basis.residuals(pairs.vectors);
    if (!is_enough(pairs.values, residuals, goal, options.residual)) continue;
    SymmetricEigen out{pairs.values, basis.in_full(pairs.vectors)};
    orient(out.vectors);
    return out;
  }
  return std::nullopt;
}

}  // namespace reveal::stats
