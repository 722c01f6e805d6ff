// The least-squares line through a series of numbers against 0, 1, ..., n - 1, as scipy's
// linregress has it:
//
//   slope = Sxy / Sxx    intercept = mean - slope (n - 1) / 2    rvalue = Sxy / sqrt(Sxx Syy)
//   stderr = sqrt((1 - rvalue^2) Syy / Sxx / (n - 2))
//
// with x centred, so that y needs no centring for Sxy; it is taken from its first value to keep
// large offsets out. For a constant slope and rvalue are 0, the latter by linregress' word, "no
// trend". Of samples, holes in a window close up: the axis counts samples.
#include <cmath>

#include "feature/samples-inl.h"
#include "feature/student_t-inl.h"

HWY_BEFORE_NAMESPACE();
namespace reveal::feature::HWY_NAMESPACE {

class Line {
 public:
  Line(const Series& y, std::size_t count) : count_(static_cast<double>(count)), first_(y[0]) {
    const double centre = 0.5 * (count_ - 1.0);
    V sum = all(0.0);
    for (std::size_t t = 0; t < count; ++t) {
      const V from_first = y[t] - first_;
      sum = sum + from_first;
      sxy_ = sxy_ + all(static_cast<double>(t) - centre) * from_first;
    }
    mean_from_first_ = sum / all(count_);
    for (std::size_t t = 0; t < count; ++t) {
      const V deviation = (y[t] - first_) - mean_from_first_;
      syy_ = syy_ + deviation * deviation;
    }
    sxx_ = count_ * (count_ * count_ - 1.0) / 12.0;
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
  // How likely a line at least as steep is where there is no trend: two-sided, by Student's t.
  V pvalue() const {
    if (count_ < 3.0) return one_if(sxy_ == all(0.0));
    if (count_ - 2.0 > kMostSeriesFreedom) return pvalue_of_each();
    const V p = correlation_pvalue(rvalue(), static_cast<std::size_t>(count_) - 2);
    const Mask exact = magnitude(rvalue()) == all(1.0);  // where linregress' guard decides
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
  double sxx_ = 0.0;
  V first_;
  V mean_from_first_ = all(0.0);
  V sxy_ = all(0.0);
  V syy_ = all(0.0);
};

enum class LinePart { kSlope, kIntercept, kRvalue, kPvalue, kStderr };

template <LinePart part>
V part_of(const Line& line) {
  if constexpr (part == LinePart::kSlope) return line.slope();
  if constexpr (part == LinePart::kIntercept) return line.intercept();
  if constexpr (part == LinePart::kRvalue) return line.rvalue();
  if constexpr (part == LinePart::kPvalue) return line.pvalue();
  if constexpr (part == LinePart::kStderr) return line.standard_error();
}

template <LinePart part>
V linear_trend(Samples& s) {
  return part_of<part>(Line(s.series(), s.size()));
}

enum class Aggregate { kMean, kMax, kMin, kVar };

// Returns one number of a chunk of samples. Levels are relative to the window's first sample, which
// keeps large offsets out.
template <Aggregate aggregate>
V aggregate_of(Samples& s, std::size_t begin, std::size_t end) {
  V low = s[begin];
  V high = s[begin];
  V sum = all(0.0);
  for (std::size_t t = begin; t < end; ++t) {
    low = hn::Min(low, s[t]);
    high = hn::Max(high, s[t]);
    sum = sum + (s[t] - s.first());
  }
  if constexpr (aggregate == Aggregate::kMin) return low - s.first();
  if constexpr (aggregate == Aggregate::kMax) return high - s.first();
  const V mean = sum / all(end - begin);
  if constexpr (aggregate == Aggregate::kMean) return mean;
  V squares = all(0.0);
  for (std::size_t t = begin; t < end; ++t) {
    const V deviation = (s[t] - s.first()) - mean;
    squares = squares + deviation * deviation;
  }
  return squares / all(end - begin);
}

// The same of chunks of samples, the last of which may be shorter.
template <LinePart part, std::size_t chunk, Aggregate aggregate>
V agg_linear_trend(Samples& s) {
  const std::size_t chunks = (s.size() + chunk - 1) / chunk;
  if (chunks < 2) return undefined();
  Series values = s.new_series(chunks);
  for (std::size_t i = 0; i < chunks; ++i) {
    const std::size_t begin = i * chunk;
    values.set(i, aggregate_of<aggregate>(s, begin, std::min(begin + chunk, s.size())));
  }
  const V value = part_of<part>(Line(values, chunks));
  constexpr bool is_level = part == LinePart::kIntercept && aggregate != Aggregate::kVar;
  return is_level ? s.first() + value : value;
}

}  // namespace reveal::feature::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
