// After Goto and van de Geijn (Anatomy of High-Performance Matrix Multiplication, 2008). A stretch
// of the inner dimension at a time, b is rearranged into panels of a few columns and a into panels
// of three vectors of rows, so that the innermost loop reads both one after the other, keeps a tile
// of the result in registers, and finds a's panels in the second-level cache and b's in the first.
#include "stats/product.h"

#include <algorithm>
#include <cstddef>
#include <cstring>

// One x86 set for each width is enough: 128, 256 and 512 bits. Vectors of unknown width cannot be
// kept in arrays, nor can GCC keep those of SVE whose width is known: on Arm that leaves NEON,
// on RISC-V none.
#define HWY_DISABLED_TARGETS \
  (HWY_SSSE3 | HWY_AVX3_DL | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "stats/product.cc"
// It must come first: it includes this file again.
// clang-format off
#include <hwy/foreach_target.h>
// clang-format on
#include <hwy/aligned_allocator.h>
#include <hwy/cache_control.h>
#include <hwy/highway.h>

#ifndef REVEAL_STATS_PRODUCT_ONCE
#define REVEAL_STATS_PRODUCT_ONCE
namespace reveal::stats {

// One operand as a grid of numbers: entry (i, k) is at[i * outer + k * inner], less the center of
// that column of the stored matrix. k runs over the inner dimension.
struct Grid {
  const double* at;
  std::size_t outer;
  std::size_t inner;
  const double* center;
  bool center_by_inner;  // the center belongs to k, not to i

  double operator()(std::size_t i, std::size_t k) const {
    const double value = at[i * outer + k * inner];
    if (center == nullptr) return value;
    return value - center[center_by_inner ? k : i];
  }
};

struct Task {
  Grid a;
  Grid b;
  std::size_t rows;
  std::size_t cols;
  std::size_t length;
  bool lower_only;     // entries above the diagonal may stay unfinished
  double* out;         // what is added to, column by column
  std::size_t stride;  // from column to column
};

// Of the inner dimension at a time: panels of b that fill a third of a first-level cache.
inline constexpr std::size_t kStretchBytes = std::size_t{2} << 10;
// Of a's panels at a time: half of a usual second-level cache.
inline constexpr std::size_t kBlockBytes = std::size_t{512} << 10;

}  // namespace reveal::stats
#endif

HWY_BEFORE_NAMESPACE();
namespace reveal::stats::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

// A tile is three vectors high and as wide as the registers allow: 24 of 32 hold it, or 12 of 16.
constexpr std::size_t kVectors = 3;
constexpr std::size_t kWidth = HWY_ARCH_X86 && HWY_TARGET != HWY_AVX3 ? 4 : 8;

// How many vectors ahead a's panel is fetched: processors do not look ahead past a page by
// themselves.
constexpr std::size_t kAhead = 40;

template <typename T>
constexpr std::size_t kHeight = kVectors* HWY_LANES(T);

struct Stretch {
  std::size_t begin;
  std::size_t count;
};

using Doubles = HWY_FULL(double);
constexpr std::size_t kDoubles = HWY_LANES(double);

HWY_INLINE void store_as(hn::Vec<Doubles> v, double* out) {
  hn::StoreU(v, Doubles(), out);
}
HWY_INLINE void store_as(hn::Vec<Doubles> v, float* out) {
  const hn::Rebind<float, Doubles> d;
  hn::StoreU(hn::DemoteTo(d, v), d, out);
}

// How many k go at once: a cache line of a matrix whose lines run along k.
constexpr std::size_t kFew = 8;

// Each writes the full panel of `width` lines from `first` on for kFew k from `k` on: the one where
// neighboring i are neighbors in memory, the other where neighboring k are.
template <typename T, std::size_t width>
HWY_INLINE void pack_along(const Grid& grid, std::size_t first, std::size_t k, T* out) {
  const Doubles d;
  const double* from = grid.at + k * grid.inner + first;
  for (std::size_t step = 0; step < kFew; ++step, from += grid.inner, out += width) {
    for (std::size_t i = 0; i < width; i += kDoubles) {
      auto v = hn::LoadU(d, from + i);
      if (grid.center != nullptr) {
        v = hn::Sub(v, grid.center_by_inner ? hn::Set(d, grid.center[k + step])
                                            : hn::LoadU(d, grid.center + first + i));
      }
      store_as(v, out + i);
    }
  }
}

HWY_INLINE hn::Vec<Doubles> load_less_center(const Grid& grid, std::size_t i, std::size_t k) {
  const Doubles d;
  const auto v = hn::LoadU(d, grid.at + i * grid.outer + k);
  if (grid.center == nullptr) return v;
  return hn::Sub(v,
                 grid.center_by_inner ? hn::LoadU(d, grid.center + k) : hn::Set(d, grid.center[i]));
}

HWY_INLINE hn::Vec<Doubles> as(hn::Vec<Doubles> v, double) {
  return v;
}
HWY_INLINE hn::Vec<hn::Rebind<float, Doubles>> as(hn::Vec<Doubles> v, float) {
  return hn::DemoteTo(hn::Rebind<float, Doubles>(), v);
}

constexpr std::size_t kLines = 4;

template <typename T, std::size_t width>
HWY_INLINE void pack_across(const Grid& grid, std::size_t first, std::size_t k, T* out) {
  const hn::Rebind<T, Doubles> d;
  HWY_ALIGN T turned[kLines * kDoubles];
  for (std::size_t i = 0; i < width; i += kLines) {
    for (std::size_t step = 0; step < kFew; step += kDoubles) {
      const auto line = [&](std::size_t of) {
        return as(load_less_center(grid, first + i + of, k + step), T{});
      };
      hn::StoreInterleaved4(line(0), line(1), line(2), line(3), d, turned);
      for (std::size_t lane = 0; lane < kDoubles; ++lane) {
        std::memcpy(out + (step + lane) * width + i, turned + lane * kLines, kLines * sizeof(T));
      }
    }
  }
}

// The same for `count` k and lines that may end before the panel does; the rest becomes zeros.
template <typename T, std::size_t width>
void pack_rest(const Grid& grid, std::size_t first, std::size_t size, std::size_t k,
               std::size_t count, T* out) {
  const std::size_t lines = std::min(width, size - first);
  for (std::size_t step = 0; step < count; ++step, out += width) {
    for (std::size_t i = 0; i < lines; ++i) out[i] = static_cast<T>(grid(first + i, k + step));
    std::fill(out + lines, out + width, T{0});
  }
}

// Writes the lines [begin, end) as panels of `width`. A few k of all panels go at a time: so each
// stored column or row is read from one end to the other.
template <typename T, std::size_t width>
void pack(const Grid& grid, std::size_t begin, std::size_t end, Stretch stretch, T* out) {
  for (std::size_t done = 0; done < stretch.count; done += kFew) {
    const std::size_t count = std::min(kFew, stretch.count - done);
    const std::size_t k = stretch.begin + done;
    T* at = out + done * width;
    for (std::size_t first = begin; first < end; first += width, at += width * stretch.count) {
      if (count < kFew || first + width > end || (grid.outer != 1 && width % kLines != 0)) {
        pack_rest<T, width>(grid, first, end, k, count, at);
      } else if (grid.outer == 1) {
        pack_along<T, width>(grid, first, k, at);
      } else {
        pack_across<T, width>(grid, first, k, at);
      }
    }
  }
}

// tile = the panel of a times the panel of b, column by column.
template <typename T>
void multiply_panels(std::size_t length, const T* HWY_RESTRICT a, const T* HWY_RESTRICT b,
                     T* HWY_RESTRICT tile) {
  const HWY_FULL(T) d;
  using V = hn::Vec<decltype(d)>;
  constexpr std::size_t kLanes = HWY_LANES(T);
  V sum[kWidth][kVectors];
  HWY_UNROLL(8)
  for (auto& column : sum) {
    HWY_UNROLL(3)
    for (V& part : column) part = hn::Zero(d);
  }
  for (std::size_t k = 0; k < length; ++k) {
    const V a0 = hn::Load(d, a);
    const V a1 = hn::Load(d, a + kLanes);
    const V a2 = hn::Load(d, a + 2 * kLanes);
    hwy::Prefetch(b + kAhead * kWidth);
    HWY_UNROLL(8)
    for (std::size_t j = 0; j < kWidth; ++j) {
      const V factor = hn::Set(d, b[j]);
      sum[j][0] = hn::MulAdd(a0, factor, sum[j][0]);
      sum[j][1] = hn::MulAdd(a1, factor, sum[j][1]);
      sum[j][2] = hn::MulAdd(a2, factor, sum[j][2]);
    }
    a += kVectors * kLanes;
    b += kWidth;
  }
  HWY_UNROLL(8)
  for (std::size_t j = 0; j < kWidth; ++j) {
    HWY_UNROLL(3)
    for (std::size_t i = 0; i < kVectors; ++i) {
      hn::Store(sum[j][i], d, tile + (j * kVectors + i) * kLanes);
    }
  }
}

HWY_INLINE hn::Vec<Doubles> load_as_double(const double* from) {
  return hn::Load(Doubles(), from);
}
HWY_INLINE hn::Vec<Doubles> load_as_double(const float* from) {
  return hn::PromoteTo(Doubles(), hn::Load(hn::Rebind<float, Doubles>(), from));
}

template <typename T>
void add_tile(const T* tile, std::size_t rows, std::size_t cols, double* out, std::size_t stride) {
  const Doubles d;
  for (std::size_t j = 0; j < cols; ++j, tile += kHeight<T>, out += stride) {
    std::size_t i = 0;
    for (; i + kDoubles <= rows; i += kDoubles) {
      hn::StoreU(hn::Add(hn::LoadU(d, out + i), load_as_double(tile + i)), d, out + i);
    }
    for (; i < rows; ++i) out[i] += static_cast<double>(tile[i]);
  }
}

// The result's entries are far apart in memory: they come while the tile is computed.
HWY_INLINE void prefetch_tile(const Task& task, std::size_t i, std::size_t j, std::size_t rows) {
  constexpr std::size_t kLine = 8;
  const std::size_t end = std::min(j + kWidth, task.cols);
  for (; j < end; ++j) {
    for (std::size_t row = 0; row < rows; row += kLine) {
      hwy::Prefetch(task.out + j * task.stride + i + row);
    }
  }
}

// Adds a's packed rows [first, last) times all packed columns of b.
template <typename T>
void multiply_block(const Task& task, std::size_t first, std::size_t last, std::size_t length,
                    const T* a, const T* b) {
  HWY_ALIGN T tile[kHeight<T> * kWidth];
  for (std::size_t j = 0; j < task.cols; j += kWidth) {
    for (std::size_t i = first; i < last; i += kHeight<T>) {
      if (task.lower_only && i + kHeight<T> <= j) continue;
      prefetch_tile(task, i, j, kHeight<T>);
      multiply_panels(length, a + (i - first) * length, b + j * length, tile);
      add_tile(tile, std::min(kHeight<T>, last - i), std::min(kWidth, task.cols - j),
               task.out + j * task.stride + i, task.stride);
    }
  }
}

std::size_t round_up(std::size_t count, std::size_t step) {
  return (count + step - 1) / step * step;
}

template <typename T>
void multiply_as(const Task& task) {
  constexpr std::size_t kLongestStretch = kStretchBytes / sizeof(T);
  const std::size_t stretches = (task.length + kLongestStretch - 1) / kLongestStretch;
  const std::size_t most = (task.length + stretches - 1) / stretches;
  const std::size_t block = kBlockBytes / (most * sizeof(T) * kHeight<T>)*kHeight<T>;
  const auto a = hwy::AllocateAligned<T>(round_up(std::min(block, task.rows), kHeight<T>) * most);
  const auto b = hwy::AllocateAligned<T>(round_up(task.cols, kWidth) * most);
  for (std::size_t begin = 0; begin < task.length; begin += most) {
    const Stretch stretch{begin, std::min(most, task.length - begin)};
    pack<T, kWidth>(task.b, 0, task.cols, stretch, b.get());
    for (std::size_t row = 0; row < task.rows; row += block) {
      const std::size_t end = std::min(row + block, task.rows);
      pack<T, kHeight<T>>(task.a, row, end, stretch, a.get());
      multiply_block(task, row, end, stretch.count, a.get(), b.get());
    }
  }
}

// Adds the products of one row with `count` columns that run along k.
template <std::size_t count>
void multiply_columns(const double* HWY_RESTRICT row, const double* columns, std::size_t stride,
                      std::size_t length, double* sums, std::size_t sums_stride) {
  const Doubles d;
  hn::Vec<Doubles> sum[count];
  HWY_UNROLL(8)
  for (std::size_t j = 0; j < count; ++j) sum[j] = hn::Zero(d);
  std::size_t k = 0;
  for (; k + kDoubles <= length; k += kDoubles) {
    const auto factor = hn::LoadU(d, row + k);
    HWY_UNROLL(8)
    for (std::size_t j = 0; j < count; ++j) {
      sum[j] = hn::MulAdd(factor, hn::LoadU(d, columns + j * stride + k), sum[j]);
    }
  }
  for (std::size_t j = 0; j < count; ++j) {
    double rest = 0.0;
    for (std::size_t i = k; i < length; ++i) rest += row[i] * columns[j * stride + i];
    sums[j * sums_stride] += hn::GetLane(hn::SumOfLanes(d, sum[j])) + rest;
  }
}

// One row with columns as they are stored: rearranging those would cost more than multiplying.
void multiply_row(const Task& task) {
  const auto row = hwy::AllocateAligned<double>(task.length);
  for (std::size_t k = 0; k < task.length; ++k) row[k] = task.a(0, k);
  constexpr std::size_t kColumns = 8;
  std::size_t j = 0;
  for (; j + kColumns <= task.cols; j += kColumns) {
    multiply_columns<kColumns>(row.get(), task.b.at + j * task.b.outer, task.b.outer, task.length,
                               task.out + j * task.stride, task.stride);
  }
  for (; j < task.cols; ++j) {
    multiply_columns<1>(row.get(), task.b.at + j * task.b.outer, task.b.outer, task.length,
                        task.out + j * task.stride, task.stride);
  }
}

// sums += factors times `count` rows of `length` each that are stored side by side.
template <std::size_t count>
void add_rows(const double* factors, const double* rows, std::size_t stride, std::size_t length,
              double* HWY_RESTRICT sums) {
  const Doubles d;
  hn::Vec<Doubles> factor[count];
  for (std::size_t i = 0; i < count; ++i) factor[i] = hn::Set(d, factors[i]);
  std::size_t j = 0;
  for (; j + kDoubles <= length; j += kDoubles) {
    auto sum = hn::LoadU(d, sums + j);
    HWY_UNROLL(8)
    for (std::size_t i = 0; i < count; ++i) {
      sum = hn::MulAdd(factor[i], hn::LoadU(d, rows + i * stride + j), sum);
    }
    hn::StoreU(sum, d, sums + j);
  }
  for (; j < length; ++j) {
    for (std::size_t i = 0; i < count; ++i) sums[j] += factors[i] * rows[i * stride + j];
  }
}

// One row with rows as they are stored: likewise.
void multiply_row_by_rows(const Task& task) {
  const auto row = hwy::AllocateAligned<double>(task.length);
  for (std::size_t k = 0; k < task.length; ++k) row[k] = task.a(0, k);
  const auto sums = hwy::AllocateAligned<double>(task.cols);
  std::fill(sums.get(), sums.get() + task.cols, 0.0);
  constexpr std::size_t kRows = 8;
  std::size_t k = 0;
  for (; k + kRows <= task.length; k += kRows) {
    add_rows<kRows>(row.get() + k, task.b.at + k * task.b.inner, task.b.inner, task.cols,
                    sums.get());
  }
  for (; k < task.length; ++k) {
    add_rows<1>(row.get() + k, task.b.at + k * task.b.inner, task.b.inner, task.cols, sums.get());
  }
  for (std::size_t j = 0; j < task.cols; ++j) task.out[j * task.stride] += sums[j];
}

void multiply(const Task& task, Precision precision) {
  if (task.rows == 1 && task.b.center == nullptr) {
    return task.b.inner == 1 ? multiply_row(task) : multiply_row_by_rows(task);
  }
  if (precision == Precision::kSingle) {
    multiply_as<float>(task);
  } else {
    multiply_as<double>(task);
  }
}

}  // namespace
}  // namespace reveal::stats::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace reveal::stats {
namespace {

HWY_EXPORT(multiply);

// `lines_are_rows`: i counts the rows of the factor and k its columns, as a left operand's do.
Grid grid(const Factor& factor, bool lines_are_rows) {
  const auto stride = static_cast<std::size_t>(factor.matrix.outerStride());
  const bool by_stored_row = factor.transposed != lines_are_rows;
  return {factor.matrix.data(), by_stored_row ? 1 : stride, by_stored_row ? stride : 1,
          factor.center, by_stored_row};
}

void add(const Factor& a, const Grid& b, bool lower_only, Precision precision, MatrixPart out) {
  if (out.size() == 0 || a.cols() == 0) return;
  HWY_DYNAMIC_DISPATCH(multiply)
  ({grid(a, true), b, static_cast<std::size_t>(out.rows()), static_cast<std::size_t>(out.cols()),
    static_cast<std::size_t>(a.cols()), lower_only, out.data(),
    static_cast<std::size_t>(out.outerStride())},
   precision);
}

// Copies what is below the diagonal to what is above, a cached square at a time.
void mirror(Eigen::MatrixXd& m) {
  constexpr Eigen::Index kSide = 32;
  for (Eigen::Index column = 0; column < m.cols(); column += kSide) {
    const Eigen::Index columns = std::min(kSide, m.cols() - column);
    auto square = m.block(column, column, columns, columns);
    square.triangularView<Eigen::StrictlyUpper>() = square.transpose();
    for (Eigen::Index row = column + columns; row < m.rows(); row += kSide) {
      const Eigen::Index rows = std::min(kSide, m.rows() - row);
      m.transpose().block(row, column, rows, columns) = m.block(row, column, rows, columns);
    }
  }
}

}  // namespace

// NOLINTNEXTLINE(performance-unnecessary-value-param): what `out` refers to is written
void add_product(const Factor& a, const Factor& b, MatrixPart out, Precision precision) {
  add(a, grid(b, false), false, precision, out);
}

Eigen::MatrixXd product(const Factor& a, const Factor& b, Precision precision) {
  Eigen::MatrixXd out = Eigen::MatrixXd::Zero(a.rows(), b.cols());
  add_product(a, b, out, precision);
  return out;
}

Eigen::MatrixXd gram(const Factor& a, Precision precision) {
  Eigen::MatrixXd out = Eigen::MatrixXd::Zero(a.rows(), a.rows());
  add(a, grid(a, true), true, precision, out);
  mirror(out);
  return out;
}

}  // namespace reveal::stats
#endif
