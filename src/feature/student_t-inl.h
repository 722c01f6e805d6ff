// Student's t test of a correlation, for all lanes at once.
#if defined(REVEAL_FEATURE_STUDENT_T_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef REVEAL_FEATURE_STUDENT_T_INL_H_
#undef REVEAL_FEATURE_STUDENT_T_INL_H_
#else
#define REVEAL_FEATURE_STUDENT_T_INL_H_
#endif

#include <cstddef>

#include "feature/lanes-inl.h"
#include "stats/student_t.h"

HWY_BEFORE_NAMESPACE();
namespace reveal::feature::HWY_NAMESPACE {

inline V power(V base, std::size_t exponent) {
  V out = all(1.0);
  for (; exponent > 0; exponent /= 2) {
    if (exponent % 2 == 1) out = out * base;
    base = base * base;
  }
  return out;
}

// Returns how likely a correlation is of at least this size if there is none, by `freedom` degrees,
// whose tail is given. REQUIRES: it has coefficients.
inline V correlation_pvalue(V r, std::size_t freedom, const stats::CorrelationTail& tail) {
  const V below = all(1.0) - magnitude(r);
  const V above = all(1.0) + magnitude(r);
  const V inverse = all(1.0) / above;
  const V z = below * inverse;
  V sum = all(tail.coefficients.back());
  for (std::size_t k = tail.coefficients.size() - 1; k-- > 0;) {
    sum = sum * z + all(tail.coefficients[k]);
  }
  V front = power(below * above, freedom / 2);
  if (freedom % 2 == 1) front = front * root(below * above);
  return all(tail.scale) * front * inverse * sum;
}

}  // namespace reveal::feature::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
