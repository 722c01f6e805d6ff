#include "stats/tridiagonal.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <type_traits>
#include <vector>

#include "base/rng.h"
#include "stats/product.h"

// As in product.cc.
#define HWY_DISABLED_TARGETS \
  (HWY_SSSE3 | HWY_AVX3_DL | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "stats/tridiagonal.cc"
// It must come first: it includes this file again.
// clang-format off
#include <hwy/foreach_target.h>
// clang-format on
#include <hwy/aligned_allocator.h>
#include <hwy/highway.h>

#ifndef REVEAL_STATS_TRIDIAGONAL_ONCE
#define REVEAL_STATS_TRIDIAGONAL_ONCE
namespace reveal::stats {

// What one step of the reduction does to the columns that are left. The matrix and the vectors are
// aligned to their rows' vectors and padded with rows of zeros.
struct Sweep {
  double* a;  // column by column
  std::size_t size;
  std::size_t stride;  // rows with the padding
  std::size_t first;   // column and row that the columns that are left begin at
  const double* v;     // by row: a -= v w^T + w v^T, which the step before left to do
  const double* w;
  const double* reflector;  // by row
  double* image;            // by row: a * reflector is added
};

// Rows are padded to a multiple of this: 64 bytes.
inline constexpr std::size_t kRowsAtOnce = 8;

// T less a multiple of the identity, which several eigenvalues at a time are looked for in.
struct Shifted {
  std::size_t size;
  const double* diagonal;
  const double* below;
  double pivot;  // the smallest that is divided by
};

}  // namespace reveal::stats
#endif

HWY_BEFORE_NAMESPACE();
namespace reveal::stats::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

using D = HWY_FULL(double);
using V = hn::Vec<D>;
constexpr D kTag{};
constexpr std::size_t kLanes = HWY_LANES(double);
constexpr std::size_t kColumns = 4;  // that share the loads of the vectors

void sweep_diagonal(const Sweep& s, std::size_t column) {
  double& entry = s.a[column * s.stride + column];
  entry -= 2.0 * s.v[column] * s.w[column];
  s.image[column] += entry * s.reflector[column];
}

// `count` columns from `column` on, a vector of rows at a time, each entry below the diagonal for
// its mirror image too.
template <std::size_t count>
void sweep_columns(const Sweep& s, std::size_t column) {
  V v_here[count], w_here[count], reflector_here[count], sum[count];
  HWY_UNROLL(4)
  for (std::size_t c = 0; c < count; ++c) {
    sweep_diagonal(s, column + c);
    v_here[c] = hn::Set(kTag, s.v[column + c]);
    w_here[c] = hn::Set(kTag, s.w[column + c]);
    reflector_here[c] = hn::Set(kTag, s.reflector[column + c]);
    sum[c] = hn::Zero(kTag);
  }
  const auto sweep_rows = [&](std::size_t row, auto part) HWY_ATTR {
    const V v = hn::Load(kTag, s.v + row);
    const V w = hn::Load(kTag, s.w + row);
    const V reflector = hn::Load(kTag, s.reflector + row);
    V image = hn::Load(kTag, s.image + row);
    HWY_UNROLL(4)
    for (std::size_t c = 0; c < count; ++c) {
      double* at = s.a + (column + c) * s.stride + row;
      const V old = hn::Load(kTag, at);
      V entry = hn::NegMulAdd(v, w_here[c], old);
      entry = hn::NegMulAdd(w, v_here[c], entry);
      if constexpr (part) {
        const auto below = hn::Gt(hn::Iota(kTag, static_cast<double>(row)),
                                  hn::Set(kTag, static_cast<double>(column + c)));
        hn::Store(hn::IfThenElse(below, entry, old), kTag, at);
        entry = hn::IfThenElseZero(below, entry);
      } else {
        hn::Store(entry, kTag, at);
      }
      image = hn::MulAdd(entry, reflector_here[c], image);
      sum[c] = hn::MulAdd(entry, reflector, sum[c]);
    }
    hn::Store(image, kTag, s.image + row);
  };
  std::size_t row = column / kLanes * kLanes;
  for (; row < column + count; row += kLanes) sweep_rows(row, std::true_type());
  for (; row < s.stride; row += kLanes) sweep_rows(row, std::false_type());
  HWY_UNROLL(4)
  for (std::size_t c = 0; c < count; ++c) {
    s.image[column + c] += hn::GetLane(hn::SumOfLanes(kTag, sum[c]));
  }
}

void sweep(const Sweep& s) {
  std::size_t column = s.first;
  for (; column < s.size && column % kColumns != 0; ++column) sweep_columns<1>(s, column);
  for (; column + kColumns <= s.size; column += kColumns) sweep_columns<kColumns>(s, column);
  for (; column < s.size; ++column) sweep_columns<1>(s, column);
}

// How many eigenvalues of T lie below x, by the signs of the pivots of T - x I (Sturm). Several
// vectors at once, since each division waits for the one before.
constexpr std::size_t kAtOnce = 4;

void count_below(const Shifted& t, const V (&x)[kAtOnce], V (&count)[kAtOnce]) {
  const V least = hn::Set(kTag, t.pivot);
  const V one = hn::Set(kTag, 1.0);
  V pivot[kAtOnce];
  HWY_UNROLL(4)
  for (std::size_t g = 0; g < kAtOnce; ++g) {
    pivot[g] = one;
    count[g] = hn::Zero(kTag);
  }
  for (std::size_t i = 0; i < t.size; ++i) {
    const V diagonal = hn::Set(kTag, t.diagonal[i]);
    const V square = hn::Set(kTag, i == 0 ? 0.0 : t.below[i - 1] * t.below[i - 1]);
    HWY_UNROLL(4)
    for (std::size_t g = 0; g < kAtOnce; ++g) {
      const V next = hn::Sub(hn::Sub(diagonal, x[g]), hn::Div(square, pivot[g]));
      pivot[g] = hn::IfThenElse(hn::Lt(hn::Abs(next), least), hn::Neg(least), next);
      count[g] = hn::Add(count[g], hn::IfThenElseZero(hn::Lt(pivot[g], hn::Zero(kTag)), one));
    }
  }
}

// Halves the interval [low, high] around each eigenvalue of rank ranks[i] from below, `steps`
// times.
void bisect(const Shifted& t, const double* ranks, std::size_t count, double low, double high,
            int steps, double* out) {
  constexpr std::size_t kGroup = kAtOnce * kLanes;
  HWY_ALIGN double buffer[kGroup];
  for (std::size_t begin = 0; begin < count; begin += kGroup) {
    const std::size_t here = std::min(kGroup, count - begin);
    for (std::size_t i = 0; i < kGroup; ++i) buffer[i] = ranks[begin + std::min(i, here - 1)];
    V rank[kAtOnce], from[kAtOnce], to[kAtOnce], middle[kAtOnce], below[kAtOnce];
    for (std::size_t g = 0; g < kAtOnce; ++g) {
      rank[g] = hn::Load(kTag, buffer + g * kLanes);
      from[g] = hn::Set(kTag, low);
      to[g] = hn::Set(kTag, high);
    }
    for (int step = 0; step <= steps; ++step) {
      for (std::size_t g = 0; g < kAtOnce; ++g) {
        middle[g] = hn::Mul(hn::Set(kTag, 0.5), hn::Add(from[g], to[g]));
      }
      if (step == steps) break;
      count_below(t, middle, below);
      for (std::size_t g = 0; g < kAtOnce; ++g) {
        const auto above = hn::Le(below[g], rank[g]);
        from[g] = hn::IfThenElse(above, middle[g], from[g]);
        to[g] = hn::IfThenElse(above, to[g], middle[g]);
      }
    }
    for (std::size_t g = 0; g < kAtOnce; ++g) hn::Store(middle[g], kTag, buffer + g * kLanes);
    std::copy_n(buffer, here, out + begin);
  }
}

// T - x I = P L U for a vector of x, as rows of vectors.
struct Factors {
  explicit Factors(std::size_t size) : rows(hwy::AllocateAligned<double>(5 * kLanes * size)) {}
  double* row(std::size_t i) { return rows.get() + 5 * kLanes * i; }

  hwy::AlignedFreeUniquePtr<double[]> rows;  // 1 / pivot, two right of it, multiplier, swapped
};

void factorize(const Shifted& t, V x, Factors& out) {
  const V zero = hn::Zero(kTag);
  const V least = hn::Set(kTag, t.pivot);
  const V one = hn::Set(kTag, 1.0);
  V pivot = hn::Sub(hn::Set(kTag, t.diagonal[0]), x);
  V right = hn::Set(kTag, t.size > 1 ? t.below[0] : 0.0);
  for (std::size_t i = 0; i < t.size; ++i) {
    const bool last = i + 1 == t.size;
    const V below = hn::Set(kTag, last ? 0.0 : t.below[i]);
    const V next = last ? zero : hn::Sub(hn::Set(kTag, t.diagonal[i + 1]), x);
    const V next_right = hn::Set(kTag, i + 2 < t.size ? t.below[i + 1] : 0.0);
    const auto swap = hn::Lt(hn::Abs(pivot), hn::Abs(below));
    V large = hn::IfThenElse(swap, below, pivot);
    const V small = hn::IfThenElse(swap, pivot, below);
    large = hn::IfThenElse(hn::Lt(hn::Abs(large), least), least, large);
    const V inverse = hn::Div(one, large);
    const V multiplier = hn::Mul(small, inverse);
    const V upper = hn::IfThenElse(swap, next, right);
    const V upper_right = hn::IfThenElseZero(swap, next_right);
    double* row = out.row(i);
    hn::Store(inverse, kTag, row);
    hn::Store(upper, kTag, row + kLanes);
    hn::Store(upper_right, kTag, row + 2 * kLanes);
    hn::Store(multiplier, kTag, row + 3 * kLanes);
    hn::Store(hn::IfThenElseZero(swap, one), kTag, row + 4 * kLanes);
    pivot = hn::NegMulAdd(multiplier, upper, hn::IfThenElse(swap, right, next));
    right = hn::NegMulAdd(multiplier, upper_right, hn::IfThenElse(swap, zero, next_right));
  }
}

// x becomes the solution for the right-hand side x, then of length 1.
void solve(std::size_t size, Factors& factors, double* x) {
  V here = hn::Load(kTag, x);
  for (std::size_t i = 0; i + 1 < size; ++i) {
    const double* row = factors.row(i);
    const V next = hn::Load(kTag, x + (i + 1) * kLanes);
    const auto swap = hn::Ne(hn::Load(kTag, row + 4 * kLanes), hn::Zero(kTag));
    const V first = hn::IfThenElse(swap, next, here);
    hn::Store(first, kTag, x + i * kLanes);
    here = hn::NegMulAdd(hn::Load(kTag, row + 3 * kLanes), first, hn::IfThenElse(swap, here, next));
  }
  hn::Store(here, kTag, x + (size - 1) * kLanes);
  V after = hn::Zero(kTag);
  V after_that = hn::Zero(kTag);
  V squares = hn::Zero(kTag);
  for (std::size_t i = size; i-- > 0;) {
    const double* row = factors.row(i);
    V value = hn::NegMulAdd(hn::Load(kTag, row + kLanes), after, hn::Load(kTag, x + i * kLanes));
    value = hn::NegMulAdd(hn::Load(kTag, row + 2 * kLanes), after_that, value);
    value = hn::Mul(value, hn::Load(kTag, row));
    hn::Store(value, kTag, x + i * kLanes);
    squares = hn::MulAdd(value, value, squares);
    after_that = after;
    after = value;
  }
  const V scale = hn::Div(hn::Set(kTag, 1.0), hn::Sqrt(squares));
  for (std::size_t i = 0; i < size; ++i) {
    hn::Store(hn::Mul(scale, hn::Load(kTag, x + i * kLanes)), kTag, x + i * kLanes);
  }
}

// Inverse iteration: two solutions make of a random vector the eigenvector of the value nearest x.
// `vectors` holds the random ones, one after the other.
void iterate(const Shifted& t, const double* values, std::size_t count, double* vectors) {
  Factors factors(t.size);
  const auto x = hwy::AllocateAligned<double>(kLanes * t.size);
  HWY_ALIGN double shifts[kLanes];
  for (std::size_t begin = 0; begin < count; begin += kLanes) {
    const auto column = [&](std::size_t lane) {
      return vectors + t.size * std::min(begin + lane, count - 1);
    };
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      shifts[lane] = values[std::min(begin + lane, count - 1)];
      for (std::size_t i = 0; i < t.size; ++i) x[i * kLanes + lane] = column(lane)[i];
    }
    factorize(t, hn::Load(kTag, shifts), factors);
    solve(t.size, factors, x.get());
    solve(t.size, factors, x.get());
    for (std::size_t lane = 0; lane < std::min(kLanes, count - begin); ++lane) {
      for (std::size_t i = 0; i < t.size; ++i) column(lane)[i] = x[i * kLanes + lane];
    }
  }
}

}  // namespace
}  // namespace reveal::stats::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace reveal::stats {
namespace {

HWY_EXPORT(sweep);
HWY_EXPORT(bisect);
HWY_EXPORT(iterate);

constexpr double kRounding = std::numeric_limits<double>::epsilon();

double norm(const Tridiagonal& t) {
  double out = std::numeric_limits<double>::min() / kRounding;
  for (Eigen::Index i = 0; i < t.diagonal.size(); ++i) {
    const double left = i > 0 ? std::abs(t.below(i - 1)) : 0.0;
    const double right = i < t.below.size() ? std::abs(t.below(i)) : 0.0;
    out = std::max(out, std::abs(t.diagonal(i)) + left + right);
  }
  return out;
}

Shifted shifted(const Tridiagonal& t, double pivot) {
  return {static_cast<std::size_t>(t.diagonal.size()), t.diagonal.data(), t.below.data(), pivot};
}

struct Reflection {
  double tau = 0;
  double image = 0;  // what the vector's first entry becomes, the others 0
};

// x becomes the reflector, its first entry 1.
Reflection reflect(Eigen::Ref<Eigen::VectorXd> x) {
  const double rest = x.size() > 1 ? x.tail(x.size() - 1).norm() : 0.0;
  const double first = x(0);
  x(0) = 1.0;
  if (rest == 0.0) return {0.0, first};
  const double image = -std::copysign(std::hypot(first, rest), first);
  x.tail(x.size() - 1) /= first - image;
  return {(image - first) / image, image};
}

}  // namespace

// Zeros, each column aligned for any vectors.
class AlignedColumns {
 public:
  AlignedColumns(std::size_t rows, std::size_t columns)
      : numbers_(hwy::AllocateAligned<double>(rows * columns)),
        map_(numbers_.get(), static_cast<Eigen::Index>(rows), static_cast<Eigen::Index>(columns)) {
    map_.setZero();
  }
  Eigen::Map<Eigen::MatrixXd>& operator*() { return map_; }
  Eigen::Map<Eigen::MatrixXd>* operator->() { return &map_; }

 private:
  hwy::AlignedFreeUniquePtr<double[]> numbers_;
  Eigen::Map<Eigen::MatrixXd> map_;
};

Tridiagonal tridiagonalize(const Eigen::MatrixXd& symmetric) {
  const Eigen::Index n = symmetric.rows();
  Tridiagonal out{Eigen::VectorXd(n),
                  Eigen::VectorXd::Zero(n - 1),
                  Eigen::VectorXd::Zero(std::max<Eigen::Index>(n - 2, 0)),
                  {}};
  const auto size = static_cast<std::size_t>(n);
  const std::size_t stride = (size + kRowsAtOnce - 1) / kRowsAtOnce * kRowsAtOnce;
  AlignedColumns a(stride, size);
  AlignedColumns vectors(stride, 3);
  a->topRows(n).triangularView<Eigen::Lower>() = symmetric;
  auto v = vectors->col(0).head(n);
  auto w = vectors->col(1).head(n);
  auto image = vectors->col(2).head(n);
  for (Eigen::Index k = 0; k < n; ++k) {
    const Eigen::Index left = n - k - 1;
    auto column = a->col(k).head(n);
    column.tail(left + 1) -= v.tail(left + 1) * w(k) + w.tail(left + 1) * v(k);
    out.diagonal(k) = column(k);
    if (left == 0) break;
    if (left == 1) {
      out.below(k) = column(k + 1);
      continue;
    }
    auto reflector = column.tail(left);
    const Reflection reflection = reflect(reflector);
    out.below(k) = reflection.image;
    out.tau(k) = reflection.tau;
    image.setZero();
    HWY_DYNAMIC_DISPATCH(sweep)
    ({a->data(), size, stride, static_cast<std::size_t>(k + 1), v.data(), w.data(), column.data(),
      image.data()});
    v.tail(left) = reflector;
    w.tail(left) = reflection.tau * image.tail(left);
    w.tail(left) -= 0.5 * reflection.tau * w.tail(left).dot(reflector) * reflector;
  }
  out.reflectors = a->topRows(n);
  return out;
}

Eigen::VectorXd eigenvalues(const Tridiagonal& t, Eigen::Index first, Eigen::Index count) {
  Eigen::VectorXd out(count);
  if (count == 0) return out;
  const double bound = norm(t);
  std::vector<double> ranks;
  for (Eigen::Index i = 0; i < count; ++i) {
    ranks.push_back(static_cast<double>(t.diagonal.size() - 1 - first - i));
  }
  constexpr int kSteps = 54;  // from twice the norm down to its rounding
  HWY_DYNAMIC_DISPATCH(bisect)
  (shifted(t, kRounding * kRounding * bound), ranks.data(), ranks.size(), -bound, bound, kSteps,
   out.data());
  return out;
}

Eigen::MatrixXd eigenvectors(const Tridiagonal& t, const Eigen::VectorXd& values) {
  base::Rng rng(1);
  Eigen::MatrixXd out(t.diagonal.size(), values.size());
  for (Eigen::Index i = 0; i < out.size(); ++i) out(i) = rng.uniform() - 0.5;
  if (values.size() == 0) return out;
  HWY_DYNAMIC_DISPATCH(iterate)
  (shifted(t, kRounding * norm(t)), values.data(), static_cast<std::size_t>(values.size()),
   out.data());
  return out;
}

// Several reflections at a time: H_i ... H_j = I - V S V^T with an upper triangular S (Schreiber
// and Van Loan, 1989), so that they are products of matrices.
void apply_reflections(const Tridiagonal& t, Eigen::MatrixXd& vectors) {
  constexpr Eigen::Index kTogether = 64;
  const Eigen::Index n = t.diagonal.size();
  const Eigen::Index count = t.tau.size();
  for (Eigen::Index begin = (count - 1) / kTogether * kTogether; begin >= 0 && count > 0;
       begin -= kTogether) {
    const Eigen::Index here = std::min(kTogether, count - begin);
    const Eigen::Index rows = n - begin - 1;
    const Eigen::MatrixXd v =
        t.reflectors.block(begin + 1, begin, rows, here).triangularView<Eigen::Lower>();
    const Eigen::MatrixXd dots = gram({v, true});
    Eigen::MatrixXd s = Eigen::MatrixXd::Zero(here, here);
    for (Eigen::Index i = 0; i < here; ++i) {
      const double tau = t.tau(begin + i);
      s(i, i) = tau;
      s.col(i).head(i) = -tau * (s.topLeftCorner(i, i) * dots.col(i).head(i));
    }
    const Eigen::MatrixXd images = product({v, true}, {vectors.bottomRows(rows)});
    const Eigen::MatrixXd minus = product({-s}, {images});
    add_product({v}, {minus}, vectors.bottomRows(rows));
  }
}

}  // namespace reveal::stats
#endif
