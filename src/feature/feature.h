// The feature registry: every feature is one number from the samples of one window of one channel,
// named as tsfresh names it if tsfresh has it, and then of the same value.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "feature/feature_matrix.h"

namespace reveal::feature {

// Which unit a feature's value has, given the channel's unit u.
enum class FeatureUnit : std::uint8_t {
  kSame,      // u
  kSquared,   // u^2
  kCubed,     // u^3
  kPerTick,   // u per tick
  kPerChunk,  // u per chunk of ticks
  kNone,      // a pure number
  kUnscaled,  // none of these: it does not scale with the samples
};

// What becomes of a feature's value when every sample moves by the same amount d.
enum class FeatureShift : std::uint8_t {
  kFollows,     // moves by d: a level of the samples
  kInvariant,   // stays: spread, shape, movement
  kTimesCount,  // moves by d times the number of samples: a total
  kOther,       // none of these, such as a mean of squares
};

// How the work grows with the n samples of a window.
enum class FeatureCost : std::uint8_t {
  kLinear,      // a pass or a few
  kSorting,     // n log^2 n comparisons, shared by all features of this class
  kSpectral,    // n^2 / 2 products up to 96 samples, n log n beyond; shared likewise
  kRegression,  // n times the square of the number of lags; shared likewise
  kQuadratic,   // n^2 / 2 comparisons, or some times as many
};

struct FeatureDescriptor {
  std::string_view name;    // tsfresh's, e.g. linear_trend__attr_"slope"
  std::string_view phrase;  // for sentences: "maximum" as in "Disk read sectors' maximum"
  FeatureUnit unit = FeatureUnit::kNone;
  FeatureShift shift = FeatureShift::kOther;
  FeatureCost cost = FeatureCost::kLinear;
  std::size_t min_samples = 1;  // fewer valid samples give NaN
  std::string_view help;        // formula, result on constant input
  bool legible = false;     // a level that a sentence can quote: mean, maximum, ... not skewness
  bool looks_back = false;  // it compares with the window before, without which it is undefined
};

// Returns all features; a FeatureId is an index into it.
std::span<const FeatureDescriptor> registry();
inline const FeatureDescriptor& descriptor(FeatureId id) {
  return registry()[id.index()];
}

// Returns the feature of that name, if there is one.
std::optional<FeatureId> find_feature(std::string_view name);

// Returns a feature of one channel's samples, NaN if it is undefined: too few samples, or a
// result that is not finite. For many channels FeatureExtractor is hundreds of times faster.
// `previous` are the samples of the window before, for features that look back. REQUIRES: all
// finite.
double compute(FeatureId feature, std::span<const double> values,
               std::span<const double> previous = {});

}  // namespace reveal::feature
