// The feature registry: every feature is a plain function over the samples of one window of one
// channel, named as tsfresh names it.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "feature/feature_matrix.h"
#include "model/metric.h"
#include "stats/moments.h"

namespace reveal::feature {

// What features compute from. `values` are the window's valid samples in time order, all finite;
// `sorted` the same ascending; `moments` theirs, centred.
struct FeatureInput {
  std::span<const double> values;
  std::span<const double> sorted;
  stats::Moments moments;
};

// Which unit a feature's value has, given the channel's unit u.
enum class FeatureUnit {
  kSame,     // u
  kSquared,  // u^2
  kPerTick,  // u per tick
  kNone,     // a pure number
};

// What becomes of a feature's value when every sample moves by the same amount d.
enum class FeatureShift {
  kFollows,     // moves by d: a level of the samples
  kInvariant,   // stays: spread, shape, movement
  kTimesCount,  // moves by d times the number of samples: a total
  kOther,       // none of these, such as a mean of squares
};

// Which channels get the feature (paper, section 4.2).
enum class FeatureSet {
  kDynamic,  // counters and gauges
  kEvents,   // counts of rare things
};

struct FeatureDescriptor {
  std::string_view name;    // tsfresh's, e.g. linear_trend__attr_"slope"
  std::string_view phrase;  // for sentences: "maximum" as in "Disk read sectors' maximum"
  FeatureUnit unit;
  FeatureShift shift;
  FeatureSet set;
  std::size_t min_samples;  // fewer valid samples give NaN
  std::string_view help;    // formula, result on constant input
  // REQUIRES: at least min_samples values. What is not finite counts as undefined.
  double (*compute)(const FeatureInput& input);
  bool legible = false;  // a level that a sentence can quote: mean, maximum, ... not skewness
};

// Returns all features; a FeatureId is an index into it.
std::span<const FeatureDescriptor> registry();
inline const FeatureDescriptor& descriptor(FeatureId id) {
  return registry()[id.index()];
}

// Returns the feature of that name, if there is one.
std::optional<FeatureId> find_feature(std::string_view name);

// Returns the value of a feature, NaN where it is undefined: too few samples, or a result that is
// not finite.
double compute(const FeatureDescriptor& feature, const FeatureInput& input);

// Returns the features that a channel of that kind gets (paper, section 4.2): the dynamic set for
// counters and gauges, the sum for events, none for static facts.
std::span<const FeatureId> features_for(model::Kind kind);

// Returns the features of a metric's channels: those of its kind, none for what the recorder says
// of itself.
std::span<const FeatureId> features_for(const model::MetricDescriptor& metric);

}  // namespace reveal::feature
