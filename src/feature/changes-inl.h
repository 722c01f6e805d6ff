// Features of the steps from one sample to the next. A step across a hole in the window counts as
// one step.
#if defined(REVEAL_FEATURE_CHANGES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef REVEAL_FEATURE_CHANGES_INL_H_
#undef REVEAL_FEATURE_CHANGES_INL_H_
#else
#define REVEAL_FEATURE_CHANGES_INL_H_
#endif

#include "feature/samples-inl.h"

HWY_BEFORE_NAMESPACE();
namespace reveal::feature::HWY_NAMESPACE {

inline const Movement& movement_of(Samples& s) {
  if (s.movement) return *s.movement;
  V absolute = all(0.0);
  V squares = all(0.0);
  V before = s.first();
  for (std::size_t t = 1; t < s.size(); ++t) {
    const V now = s[t];
    const V step = now - before;
    absolute = absolute + magnitude(step);
    squares = squares + step * step;
    before = now;
  }
  s.movement = Movement{absolute, squares};
  return *s.movement;
}

inline V absolute_sum_of_changes(Samples& s) {
  return movement_of(s).absolute;
}

inline V mean_abs_change(Samples& s) {
  return absolute_sum_of_changes(s) / all(s.size() - 1);
}

inline V mean_change(Samples& s) {
  return (s.last() - s.first()) / all(s.size() - 1);
}

// The mean of (x[t + 1] - 2 x[t] + x[t - 1]) / 2, of which all but the ends cancels.
inline V mean_second_derivative_central(Samples& s) {
  const std::size_t n = s.size();
  return ((s[n - 1] - s[n - 2]) - (s[1] - s[0])) / all(2 * (n - 2));
}

// The root of the sum of squared steps: how long the line is when stretched.
inline V complexity(Samples& s) {
  return root(movement_of(s).squares);
}

// The same of samples divided by their standard deviation; 0 for a constant.
inline V normalized_complexity(Samples& s) {
  const V deviation = s.moments().deviation;
  return choose(deviation == all(0.0), all(0.0), complexity(s) / deviation);
}

}  // namespace reveal::feature::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
