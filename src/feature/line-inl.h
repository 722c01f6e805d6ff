// The least-squares line through a series of numbers against 0, 1, ..., n - 1, as scipy's
// linregress has it:
//
//   slope = Sxy / Sxx    intercept = mean - slope (n - 1) / 2    rvalue = Sxy / sqrt(Sxx Syy)
//   stderr = sqrt((1 - rvalue^2) Syy / Sxx / (n - 2))
//
// with x centered, so that y needs no centering for Sxy; it is taken from its first value to keep
// large offsets out. For a constant slope and rvalue are 0, the latter by linregress' word, "no
// trend". Of samples, holes in a window close up: the axis counts samples.
#if defined(REVEAL_FEATURE_LINE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef REVEAL_FEATURE_LINE_INL_H_
#undef REVEAL_FEATURE_LINE_INL_H_
#else
#define REVEAL_FEATURE_LINE_INL_H_
#endif

#include <cstddef>

#include "feature/student_t-inl.h"

HWY_BEFORE_NAMESPACE();
namespace reveal::feature::HWY_NAMESPACE {

class Line {
 public:
  // Of `count` numbers of which these are known already: the mean less the first, and Syy.
  Line(const Series& y, std::size_t count, V mean_from_first, V syy)
      : count_(static_cast<double>(count)),
        sxx_(count_ * (count_ * count_ - 1.0) / 12.0),
        first_(y[0]),
        mean_from_first_(mean_from_first),
        syy_(syy) {
    const double center = 0.5 * (count_ - 1.0);
    for (std::size_t t = 0; t < count; ++t) {
      sxy_ = sxy_ + all(static_cast<double>(t) - center) * (y[t] - first_);
    }
  }
  static Line through(const Series& y, std::size_t count) {
    V sum = all(0.0);
    for (std::size_t t = 0; t < count; ++t) sum = sum + (y[t] - y[0]);
    const V mean_from_first = sum / all(count);
    V syy = all(0.0);
    for (std::size_t t = 0; t < count; ++t) {
      const V deviation = (y[t] - y[0]) - mean_from_first;
      syy = syy + deviation * deviation;
    }
    return {y, count, mean_from_first, syy};
  }

  V slope() const { return sxy_ / all(sxx_); }
  V intercept() const { return first_ + (mean_from_first_ - slope() * all(0.5 * (count_ - 1.0))); }
  V rvalue() const {
    const V r = sxy_ / root(all(sxx_) * syy_);
    return choose(syy_ == all(0.0), all(0.0), hn::Clamp(r, all(-1.0), all(1.0)));
  }
  V standard_error() const {
    if (count_ < 3.0) return all(0.0);
    const V r = rvalue();
    return root((all(1.0) - r * r) * syy_ / all(sxx_) / all(count_ - 2.0));
  }
  // How likely a line at least as steep is if there is no trend: two-sided, by Student's t.
  V pvalue() const {
    if (count_ < 3.0) return one_if(sxy_ == all(0.0));
    const std::size_t freedom = static_cast<std::size_t>(count_) - 2;
    const auto& tail = stats::correlation_tail(freedom);
    if (tail.coefficients.empty()) return pvalue_of_each();
    const V r = rvalue();
    const V p = correlation_pvalue(r, freedom, tail);
    const Mask exact = magnitude(r) == all(1.0);  // where linregress' guard decides
    return hn::AllFalse(kTag, exact) ? p : choose(exact, pvalue_of_each(), p);
  }

 private:
  V pvalue_of_each() const {
    constexpr double kTiny = 1e-20;  // linregress' guard against division by zero
    const V r = rvalue();
    const V below = (all(1.0) - r) + all(kTiny);
    const V above = (all(1.0) + r) + all(kTiny);
    const V t = r * root(all(count_ - 2.0) / (below * above));
    EachLane lanes(t);
    for (double& lane : lanes.at) lane = stats::student_t_two_sided(lane, count_ - 2.0);
    return lanes.vector();
  }

  double count_;
  double sxx_;
  V first_;
  V mean_from_first_;
  V sxy_ = all(0.0);
  V syy_;
};

}  // namespace reveal::feature::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
