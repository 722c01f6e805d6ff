// Which features are computed: of what moves, and of counts of rare things.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "feature/feature.h"
#include "model/metric.h"

namespace reveal::feature {

struct FeatureChoice {
  std::vector<FeatureId> dynamic;  // of counters and gauges, in the registry's order
  std::vector<FeatureId> events;   // of events, likewise

  // Returns the features of a metric's channels (paper, section 4.2): none for static facts and for
  // what the recorder says of itself.
  std::span<const FeatureId> of(const model::MetricDescriptor& metric) const;
};

// A choice with a name.
struct FeatureProfile {
  std::string_view name;
  std::string_view help;
  std::span<const std::string_view> dynamic;  // names; empty: all
  std::span<const std::string_view> events;
};

// Returns all profiles: minimal, default, paper, full.
std::span<const FeatureProfile> feature_profiles();

inline constexpr std::string_view kDefaultProfile = "default";

// Returns the features of a list of names, each of which may be a feature's or a profile's. If a
// list names no profile, events keep their sums. Fails with kUsage on a name that is neither.
base::Result<FeatureChoice> choose_features(std::span<const std::string> names);

// Returns the choice of just these features, as a choice's names give them back. Fails with kUsage
// on a name that is not a feature's.
base::Result<FeatureChoice> exact_features(std::span<const std::string> dynamic,
                                           std::span<const std::string> events);

// Returns the default profile.
const FeatureChoice& default_features();

}  // namespace reveal::feature
