// The feature registry: every feature is a plain function over the samples of one window of one
// channel, named as tsfresh names it.
#pragma once

#include <span>
#include <string_view>

#include "feature/feature_matrix.h"
#include "model/metric.h"
#include "stats/moments.h"

namespace reveal::feature {

// What features compute from. `values` are the window's valid samples in time order, no NaN;
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

struct FeatureDescriptor {
  std::string_view name;    // tsfresh's, e.g. linear_trend__attr_"slope"
  std::string_view phrase;  // for sentences: "maximum" as in "Disk read sectors' maximum"
  FeatureUnit unit;
  std::size_t min_samples;  // fewer valid samples give NaN
  std::string_view help;    // formula, result on constant input
  double (*compute)(const FeatureInput& input);
  bool legible = false;     // a level that a sentence can quote: mean, maximum, ... not skewness
};

// Returns all features; a FeatureId is an index into it.
std::span<const FeatureDescriptor> registry();
inline const FeatureDescriptor& descriptor(FeatureId id) { return registry()[id.index()]; }

// Returns the features that a channel of that kind gets (paper, section 4.2): the dynamic set for
// counters and gauges, the sum for events, none for static facts.
std::span<const FeatureId> features_for(model::Kind kind);

}  // namespace reveal::feature
