#include "stats/correlation.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

namespace reveal::stats {
namespace {

template <typename Visit>
std::size_t for_each_pair(std::span<const double> x, std::span<const double> y, Visit visit) {
  std::size_t pairs = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (!std::isfinite(x[i]) || !std::isfinite(y[i])) continue;
    visit(x[i], y[i]);
    ++pairs;
  }
  return pairs;
}

// The mean as a step from an origin near the samples: see stats/moments.h.
struct Center {
  double origin = 0.0;
  double step = 0.0;
  double deviation(double value) const { return (value - origin) - step; }
};

}  // namespace

double correlation(std::span<const double> x, std::span<const double> y) {
  Center cx, cy;
  bool first = true;
  const std::size_t pairs = for_each_pair(x, y, [&](double a, double b) {
    if (first) {
      cx.origin = a;
      cy.origin = b;
      first = false;
    }
    cx.step += a - cx.origin;
    cy.step += b - cy.origin;
  });
  cx.step /= static_cast<double>(pairs);
  cy.step /= static_cast<double>(pairs);

  double xx = 0.0, yy = 0.0, xy = 0.0;
  for_each_pair(x, y, [&](double a, double b) {
    const double dx = cx.deviation(a);
    const double dy = cy.deviation(b);
    xx += dx * dx;
    yy += dy * dy;
    xy += dx * dy;
  });
  if (pairs < 2 || xx == 0.0 || yy == 0.0) return std::numeric_limits<double>::quiet_NaN();
  return std::clamp(xy / (std::sqrt(xx) * std::sqrt(yy)), -1.0, 1.0);
}

}  // namespace reveal::stats
