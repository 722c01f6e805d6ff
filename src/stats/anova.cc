#include "stats/anova.h"

#include <cmath>

#include "stats/moments.h"
#include "stats/student_t.h"

namespace reveal::stats {
namespace {

// Returns how likely a variance ratio of at least `f` is (Abramowitz and Stegun 26.6.2).
double variance_ratio_beyond(double f, double between, double within) {
  if (std::isinf(f)) return 0;
  return incomplete_beta(within / 2, between / 2, within / (within + between * f));
}

}  // namespace

Anova one_way_anova(std::span<const std::vector<double>> groups) {
  Anova out;
  std::vector<double> all;
  for (const auto& group : groups) all.insert(all.end(), group.begin(), group.end());
  const auto total = moments(all);
  double between = 0;
  double within = 0;
  for (const auto& group : groups) {
    if (group.empty()) continue;
    ++out.groups;
    const auto own = moments(group);
    const double apart = total.deviation(own.mean);
    between += static_cast<double>(group.size()) * apart * apart;
    within += own.m2;
  }
  out.count = all.size();
  if (between + within > 0) out.eta2 = between / (between + within);
  if (out.groups < 2 || out.count == out.groups || std::isnan(out.eta2)) return out;
  const auto freedom_between = static_cast<double>(out.groups - 1);
  const auto freedom_within = static_cast<double>(out.count - out.groups);
  out.f = within > 0 ? between / freedom_between / (within / freedom_within)
                     : std::numeric_limits<double>::infinity();
  out.p = variance_ratio_beyond(out.f, freedom_between, freedom_within);
  return out;
}

}  // namespace reveal::stats
