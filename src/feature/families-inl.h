// The features of families (families.h), for the channels of a pack one after the other.
#if defined(REVEAL_FEATURE_FAMILIES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef REVEAL_FEATURE_FAMILIES_INL_H_
#undef REVEAL_FEATURE_FAMILIES_INL_H_
#else
#define REVEAL_FEATURE_FAMILIES_INL_H_
#endif

#include <cmath>
#include <vector>

#include "feature/families.h"
#include "feature/samples-inl.h"

HWY_BEFORE_NAMESPACE();
namespace reveal::feature::HWY_NAMESPACE {

inline const Series& family_of(Samples& s, Family family) {
  Series& results = s.families[static_cast<std::size_t>(family)];
  if (!results.empty()) return results;
  const FamilyRow& row = kFamilies[static_cast<std::size_t>(family)];
  results = s.new_series(row.size);
  std::vector<double> samples(s.size());
  std::vector<double> features(row.size);
  const EachLane range(s.largest() - s.smallest());
  for (std::size_t lane = 0; lane < kWidth; ++lane) {
    for (std::size_t t = 0; t < s.size(); ++t) samples[t] = s.series().lane(t, lane);
    std::fill(features.begin(), features.end(), std::numeric_limits<double>::quiet_NaN());
    if (std::isfinite(range.at[lane])) row.compute(samples, features);
    for (std::size_t i = 0; i < row.size; ++i) results.set_lane(i, lane, features[i]);
  }
  return results;
}

}  // namespace reveal::feature::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
