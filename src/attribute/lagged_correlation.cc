#include "attribute/lagged_correlation.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace reveal::attribute {
namespace {

// Of what is left of a series at a lag this share must vary, or r is rounding.
constexpr double kLeastShare = 1e-12;

// A series less its mean, with its sums up to each sample: so a lag costs but one sum, that of
// products.
class Centered {
 public:
  explicit Centered(std::span<const double> series) {
    double mean = 0;
    for (const double value : series) mean += value / static_cast<double>(series.size());
    values_.reserve(series.size());
    sums_.reserve(series.size() + 1);
    squares_.reserve(series.size() + 1);
    for (const double value : series) {
      values_.push_back(value - mean);
      sums_.push_back(sums_.back() + values_.back());
      squares_.push_back(squares_.back() + values_.back() * values_.back());
    }
  }

  double operator[](std::size_t at) const { return values_[at]; }
  double sum(std::size_t begin, std::size_t count) const {
    return sums_[begin + count] - sums_[begin];
  }
  // Returns the squared deviations of these samples from their own mean; 0 if they are rounding.
  double variation(std::size_t begin, std::size_t count) const {
    const double total = sum(begin, count);
    const double out =
        squares_[begin + count] - squares_[begin] - total * total / static_cast<double>(count);
    return out > kLeastShare * squares_.back() ? out : 0;
  }

 private:
  std::vector<double> values_;
  std::vector<double> sums_{0};
  std::vector<double> squares_{0};
};

double at_lag(const Centered& first, const Centered& second, std::size_t size, int lag) {
  const auto shift = static_cast<std::size_t>(std::abs(lag));
  const std::size_t both = size - shift;
  const std::size_t a = lag >= 0 ? 0 : shift;
  const std::size_t b = lag >= 0 ? shift : 0;
  const double varies = first.variation(a, both) * second.variation(b, both);
  if (!(varies > 0)) return 0;
  double products = 0;
  for (std::size_t i = 0; i < both; ++i) products += first[a + i] * second[b + i];
  products -= first.sum(a, both) * second.sum(b, both) / static_cast<double>(both);
  return std::clamp(products / std::sqrt(varies), -1.0, 1.0);
}

bool is_constant(std::span<const double> series) {
  return std::ranges::all_of(series, [&](double value) { return value == series.front(); });
}

}  // namespace

LaggedCorrelation strongest_correlation(std::span<const double> first,
                                        std::span<const double> second, int most_lag) {
  LaggedCorrelation out;
  if (is_constant(first) || is_constant(second)) return out;
  const Centered one(first);
  const Centered other(second);
  out.r = at_lag(one, other, first.size(), 0);
  for (int lag = 1; lag <= most_lag; ++lag) {
    for (const int signed_lag : {lag, -lag}) {
      const double r = at_lag(one, other, first.size(), signed_lag);
      if (std::abs(r) > std::abs(out.r)) out = {r, signed_lag};
    }
  }
  return out;
}

}  // namespace reveal::attribute
