// Features of three samples, each `lag` steps from the next: do they move alike forwards and
// backwards in time?
#include "feature/samples-inl.h"

HWY_BEFORE_NAMESPACE();
namespace reveal::feature::HWY_NAMESPACE {

template <std::size_t lag>
V c3(Samples& s) {
  if (2 * lag >= s.size()) return all(0.0);
  V sum = all(0.0);
  for (std::size_t t = 2 * lag; t < s.size(); ++t) sum = sum + s[t] * s[t - lag] * s[t - 2 * lag];
  return sum / all(s.size() - 2 * lag);
}

template <std::size_t lag>
V time_reversal_asymmetry_statistic(Samples& s) {
  if (2 * lag >= s.size()) return all(0.0);
  V sum = all(0.0);
  for (std::size_t t = 2 * lag; t < s.size(); ++t) {
    const V middle = s[t - lag];
    const V early = s[t - 2 * lag];
    sum = sum + (s[t] * s[t] * middle - middle * early * early);
  }
  return sum / all(s.size() - 2 * lag);
}

}  // namespace reveal::feature::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
