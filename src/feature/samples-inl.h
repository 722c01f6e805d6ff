// The samples of a pack and what several features need of them, computed when the first one asks.
#if defined(REVEAL_FEATURE_SAMPLES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef REVEAL_FEATURE_SAMPLES_INL_H_
#undef REVEAL_FEATURE_SAMPLES_INL_H_
#else
#define REVEAL_FEATURE_SAMPLES_INL_H_
#endif

#include <array>
#include <cstddef>
#include <optional>

#include "feature/families.h"
#include "feature/lanes-inl.h"
#include "feature/line-inl.h"
#include "feature/sorting-inl.h"

HWY_BEFORE_NAMESPACE();
namespace reveal::feature::HWY_NAMESPACE {

// The first four moments, safe where telemetry is worst: counters and power readings that sit at
// 1e9 and move by one. Sums of raw powers cancel there; these are sums of powers of deviations, and
// the deviations are taken in two steps: first from the first sample, which is exact between near
// numbers, then from the mean of those differences. So a constant has a variance of exactly zero.
struct Moments {
  V mean;
  V m2;  // sum of squared deviations from the mean
  V m3;  // sum of cubed ones
  V m4;  // sum of fourth powers
  V variance;
  V deviation;  // standard deviation, population formula
  V mean_from_first;
};

// Plain sums (moments-inl.h).
struct Sums {
  V values;
  V squares;
};

// What steps from one sample to the next come to (changes-inl.h).
struct Movement {
  V absolute;
  V squares;
};

// Products of deviations so many steps apart, summed (autocorrelation-inl.h).
inline constexpr std::size_t kMaxProductLags = 5;
using ProductSums = std::array<V, kMaxProductLags + 1>;

// How samples lie about their mean (level_crossing-inl.h).
struct Sides {
  V above;
  V below;
  V longest_above;
  V longest_below;
  V crossings;
};

// How many lie beyond 0.5, 1, ... 3 standard deviations (level_crossing-inl.h).
inline constexpr std::size_t kSigmas = 6;
using BeyondCounts = std::array<V, kSigmas>;

// Samples that are larger than so many to either side (level_crossing-inl.h).
struct Peaks {
  V of_1;
  V of_3;
  V of_5;
};

// Places of the extremes (locations-inl.h).
struct Locations {
  V first_largest;
  V last_largest;
  V first_smallest;
  V last_smallest;
};

// Sums over three samples each 1, 2 and 3 steps apart (nonlinearity-inl.h).
inline constexpr std::size_t kTripleLags = 3;
struct Triples {
  V product;
  V asymmetry;
};

// Lines through the means, maxima, minima and variances of chunks of samples (linear_trend-inl.h).
using ChunkLines = std::array<Line, 4>;

// The augmented Dickey-Fuller test (dickey_fuller-inl.h).
struct DickeyFuller {
  V statistic;
  V used_lag;
};

// The discrete Fourier transform, up to half the sampling frequency (spectrum-inl.h).
struct Spectrum {
  Series real;
  Series imaginary;
  std::size_t size = 0;
};

// Values that come more than once (recurrence-inl.h).
struct Recurrence {
  V distinct;       // values
  V recurring;      // values that come more than once
  V points;         // samples of such values
  V sum_of_values;  // of such values, each taken once
  V sum_of_points;  // of such samples
};

class Samples {
 public:
  Samples(std::size_t count, Series x, Arena& arena) : size_(count), x_(x), arena_(arena) {}
  // Tells what the window before was, with NaN if it has no sample.
  void set_previous(std::size_t count, Series x) {
    previous_size_ = count;
    previous_ = x;
  }

  std::size_t size() const { return size_; }
  V count() const { return all(size_); }
  V operator[](std::size_t step) const { return x_[step]; }
  V first() const { return x_[0]; }
  V last() const { return x_[size_ - 1]; }
  const Series& series() const { return x_; }
  std::size_t previous_size() const { return previous_size_; }
  const Series& previous() const { return previous_; }

  const Moments& moments() {
    if (!moments_) compute_moments();
    return *moments_;
  }
  // Returns the samples less their mean.
  const Series& deviations() {
    if (!moments_) compute_moments();
    return deviations_;
  }
  // Returns the samples in ascending order.
  const Series& sorted() {
    if (sorted_.empty()) {
      sorted_ = new_series(size_);
      for (std::size_t t = 0; t < size_; ++t) sorted_.set(t, x_[t]);
      sort_lanes(sorted_, size_);
    }
    return sorted_;
  }
  V smallest() { return extremes().first; }
  V largest() { return extremes().second; }

  // Returns the least-squares line through the samples.
  const Line& line() {
    if (!line_) line_.emplace(x_, size_, moments().mean_from_first, moments().m2);
    return *line_;
  }

  // Returns room for so many steps, its contents undefined, until the pack is done.
  Series new_series(std::size_t steps) { return Series(arena_.take(steps * kPackLanes)); }

  // Kept here by the files that compute them.
  std::optional<Sums> sums;
  std::optional<Movement> movement;
  std::optional<ProductSums> product_sums;
  std::optional<ProductSums> partial_autocorrelations;
  std::optional<Sides> sides;
  std::optional<BeyondCounts> beyond;
  std::optional<Peaks> peaks;
  std::optional<Locations> locations;
  std::optional<std::array<Triples, kTripleLags>> triples;
  std::optional<ChunkLines> lines_of_5;
  std::optional<ChunkLines> lines_of_10;
  std::optional<ChunkLines> lines_of_50;
  std::optional<DickeyFuller> dickey_fuller;
  std::optional<Recurrence> recurrence;
  std::optional<Spectrum> spectrum;
  std::optional<Spectrum> power_density;      // in `real`
  std::array<Series, kFamilyCount> families;  // results, by Family

 private:
  struct Extremes {
    V first;
    V second;
  };

  const Extremes& extremes() {
    if (!extremes_) {
      Extremes found{x_[0], x_[0]};
      for (std::size_t t = 1; t < size_; ++t) {
        found.first = hn::Min(found.first, x_[t]);
        found.second = hn::Max(found.second, x_[t]);
      }
      extremes_ = found;
    }
    return *extremes_;
  }

  void compute_moments() {
    deviations_ = new_series(size_);
    const V origin = x_[0];
    V sum = all(0.0);
    for (std::size_t t = 0; t < size_; ++t) sum = sum + (x_[t] - origin);
    const V mean_from_origin = sum / count();
    Moments out{origin + mean_from_origin, all(0.0), all(0.0), all(0.0), all(0.0), all(0.0),
                mean_from_origin};
    for (std::size_t t = 0; t < size_; ++t) {
      const V deviation = (x_[t] - origin) - mean_from_origin;
      deviations_.set(t, deviation);
      const V square = deviation * deviation;
      out.m2 = out.m2 + square;
      out.m3 = out.m3 + square * deviation;
      out.m4 = out.m4 + square * square;
    }
    out.variance = out.m2 / count();
    out.deviation = root(out.variance);
    moments_ = out;
  }

  std::size_t size_;
  Series x_;
  Arena& arena_;
  std::size_t previous_size_ = 0;
  Series previous_;
  std::optional<Moments> moments_;
  std::optional<Extremes> extremes_;
  std::optional<Line> line_;
  Series deviations_;
  Series sorted_;
};

}  // namespace reveal::feature::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
