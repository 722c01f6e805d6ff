#include "stats/student_t.h"

#include <cmath>
#include <limits>
#include <map>

namespace reveal::stats {
namespace {

constexpr int kMaxSteps = 10'000;
constexpr double kTiny = 1e-300;  // in place of a zero that would divide

double away_from_zero(double value) {
  return std::abs(value) < kTiny ? kTiny : value;
}

// The continued fraction of I_x(a, b) (Abramowitz and Stegun 26.5.8), by Lentz's method. Converges
// fast for x < (a + 1) / (a + b + 2).
double beta_fraction(double a, double b, double x) {
  double c = 1.0;
  double d = 1.0 / away_from_zero(1.0 - (a + b) * x / (a + 1.0));
  double value = d;
  const auto step = [&](double numerator) {
    d = 1.0 / away_from_zero(1.0 + numerator * d);
    c = away_from_zero(1.0 + numerator / c);
    value *= d * c;
    return std::abs(d * c - 1.0);
  };
  for (int i = 1; i < kMaxSteps; ++i) {
    const double m = i;
    step(m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m)));
    const double change = step(-(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0)));
    if (change < std::numeric_limits<double>::epsilon()) break;
  }
  return value;
}

// I_x(a, b) from x and 1 - x, neither of which has to be computed from the other.
double incomplete_beta(double a, double b, double x, double rest) {
  if (x <= 0.0) return 0.0;
  if (rest <= 0.0) return 1.0;
  const double front = std::exp(a * std::log(x) + b * std::log(rest) + std::lgamma(a + b) -
                                std::lgamma(a) - std::lgamma(b));
  if (x < (a + 1.0) / (a + b + 2.0)) return front * beta_fraction(a, b, x) / a;
  return 1.0 - front * beta_fraction(b, a, rest) / b;
}

constexpr std::size_t kMaxTerms = 80;

CorrelationTail expand_tail(std::size_t freedom) {
  constexpr double kNegligible = 1e-17;
  const double a = 0.5 * static_cast<double>(freedom);
  CorrelationTail out;
  out.scale = 2.0 * std::exp(std::lgamma(a + 0.5) - std::lgamma(a) - std::lgamma(0.5));
  double term = 1.0 / a;
  for (std::size_t k = 0; std::abs(term) * a > kNegligible; ++k) {
    if (k == kMaxTerms) return {};
    out.coefficients.push_back(term);
    const auto next = static_cast<double>(k + 1);
    term *= (a - next) / (a + next);
  }
  return out;
}

}  // namespace

const CorrelationTail& correlation_tail(std::size_t freedom) {
  thread_local std::map<std::size_t, CorrelationTail> known;
  const auto place = known.find(freedom);
  if (place != known.end()) return place->second;
  return known.emplace(freedom, expand_tail(freedom)).first->second;
}

double incomplete_beta(double a, double b, double x) {
  return incomplete_beta(a, b, x, 1.0 - x);
}

double student_t_two_sided(double t, double freedom) {
  if (std::isnan(t)) return t;
  const double square = t * t;
  if (std::isinf(square)) return 0.0;
  return incomplete_beta(0.5 * freedom, 0.5, freedom / (freedom + square),
                         square / (freedom + square));
}

double student_t_beyond(double likelihood, double freedom) {
  double low = 0;
  double high = 1;
  while (student_t_two_sided(high, freedom) > likelihood) high *= 2;
  constexpr double kClose = 1e-12;
  while (high - low > kClose * high) {
    const double middle = 0.5 * (low + high);
    (student_t_two_sided(middle, freedom) > likelihood ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

}  // namespace reveal::stats
