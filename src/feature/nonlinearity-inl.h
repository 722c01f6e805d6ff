// Features of three samples, each `lag` steps from the next: do they move alike forwards and
// backwards in time?
#include "feature/samples-inl.h"

HWY_BEFORE_NAMESPACE();
namespace reveal::feature::HWY_NAMESPACE {

template <std::size_t lag>
Triples sum_triples(Samples& s) {
  V product = all(0.0);
  V asymmetry = all(0.0);
  for (std::size_t t = 2 * lag; t < s.size(); ++t) {
    const V late = s[t];
    const V middle = s[t - lag];
    const V early = s[t - 2 * lag];
    product = product + late * middle * early;
    asymmetry = asymmetry + (late * late * middle - middle * early * early);
  }
  return {product, asymmetry};
}

template <std::size_t lag>
const Triples& triples_of(Samples& s) {
  static_assert(lag >= 1 && lag <= kTripleLags);
  if (!s.triples) s.triples = {sum_triples<1>(s), sum_triples<2>(s), sum_triples<3>(s)};
  return (*s.triples)[lag - 1];
}

template <std::size_t lag>
V c3(Samples& s) {
  if (2 * lag >= s.size()) return all(0.0);
  return triples_of<lag>(s).product / all(s.size() - 2 * lag);
}

template <std::size_t lag>
V time_reversal_asymmetry_statistic(Samples& s) {
  if (2 * lag >= s.size()) return all(0.0);
  return triples_of<lag>(s).asymmetry / all(s.size() - 2 * lag);
}

}  // namespace reveal::feature::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
