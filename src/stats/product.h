// Products of large dense matrices, the heavy part of every detector that looks at how columns move
// together. Written for the processor's widest vectors, chosen when the program runs: the program
// itself is compiled for the oldest processors, and for those Eigen's products are.
//
// A product is the same to the last bit each time and whatever else runs. Between processors it
// differs in rounding, because some fuse a multiplication with an addition. An entry, the sum of
// `length` products p, is within length * 2^-52 * sum |p| of the exact one in double precision, and
// within 2^-14 * sum |p| in single (2^-22 or less is usual, for the roundings are as often up as
// down).
#pragma once

#include <Eigen/Core>

namespace reveal::stats {

enum class Precision {
  kDouble,
  // Entries are rounded to 24 bits and multiplied so, in stretches of 512 whose sums are added up
  // in double precision. Twice as fast.
  kSingle,
};

using MatrixView = Eigen::Ref<const Eigen::MatrixXd, 0, Eigen::OuterStride<>>;

using MatrixPart = Eigen::Ref<Eigen::MatrixXd, 0, Eigen::OuterStride<>>;

// A matrix as it enters a product: the stored one less `center` in each row, and then, if asked
// for, transposed. Nothing is copied; what it refers to must outlive it.
struct Factor {
  MatrixView matrix;
  bool transposed = false;
  const double* center = nullptr;  // as many as the stored matrix has columns; none: zeros

  Eigen::Index rows() const { return transposed ? matrix.cols() : matrix.rows(); }
  Eigen::Index cols() const { return transposed ? matrix.rows() : matrix.cols(); }
};

// Returns a * b; one row with a factor without a center is always multiplied in double precision.
// REQUIRES: a.cols() == b.rows(); finite, in single precision below 1e19.
Eigen::MatrixXd product(const Factor& a, const Factor& b, Precision precision = Precision::kDouble);

// Adds a * b to `out`. REQUIRES: as product(); out is as large as the product, and apart from both.
void add_product(const Factor& a, const Factor& b, MatrixPart out,
                 Precision precision = Precision::kDouble);

// Returns a * a^T, exactly symmetric, for half the cost.
Eigen::MatrixXd gram(const Factor& a, Precision precision = Precision::kDouble);

}  // namespace reveal::stats
