// Student's t test of a correlation, for all lanes at once.
#include <cmath>

#include "feature/lanes-inl.h"
#include "stats/student_t.h"

HWY_BEFORE_NAMESPACE();
namespace reveal::feature::HWY_NAMESPACE {

// Up to here both series below are short and the complement keeps enough digits; beyond, every lane
// goes by stats::incomplete_beta.
inline constexpr double kMostSeriesFreedom = 40.0;

// Returns the sum of y^k times the product over j < k of (numerator + j) / (denominator + j). Each
// lane stops when its own sum no longer changes, so what stands beside it makes no difference.
inline V hypergeometric(V y, double numerator, double denominator) {
  constexpr double kNegligible = 1e-14;
  constexpr int kMostTerms = 500;
  V sum = all(1.0);
  V term = all(1.0);
  for (int k = 0; k < kMostTerms; ++k) {
    term = term * y * all((numerator + k) / (denominator + k));
    const Mask counts = term > all(kNegligible) * sum;
    if (hn::AllFalse(kTag, counts)) break;
    term = hn::IfThenElseZero(counts, term);
    sum = sum + term;
  }
  return sum;
}

inline V power(V base, std::size_t exponent) {
  V out = all(1.0);
  for (; exponent > 0; exponent /= 2) {
    if (exponent % 2 == 1) out = out * base;
    base = base * base;
  }
  return out;
}

// Returns how likely a correlation is of at least this size where there is none, by `freedom`
// degrees: I_x(freedom / 2, 1 / 2) with x = 1 - r^2, by its power series about 0 or, where r is
// small, by that of its complement about 1 (Abramowitz and Stegun 26.5.4).
inline V correlation_pvalue(V r, std::size_t freedom) {
  const double a = 0.5 * static_cast<double>(freedom);
  const double beta = std::exp(std::lgamma(a) + std::lgamma(0.5) - std::lgamma(a + 0.5));
  const V y = r * r;
  const V x = (all(1.0) - magnitude(r)) * (all(1.0) + magnitude(r));
  const Mask small = y < all(0.5);
  const V front = power(root(x), freedom) * magnitude(r);
  const V near = all(1.0) - front * all(2.0 / beta) *
                                hypergeometric(hn::IfThenElseZero(small, y), a + 0.5, 1.5);
  const V far = front * all(1.0 / (a * beta)) *
                hypergeometric(hn::IfThenZeroElse(small, x), a + 0.5, a + 1.0);
  return choose(small, near, far);
}

}  // namespace reveal::feature::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
