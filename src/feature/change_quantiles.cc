#include "feature/change_quantiles.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "feature/from_first.h"
#include "stats/quantile.h"

namespace reveal::feature {
namespace {

// Writes what the steps inside of a corridor come to. `steps` is room for them.
void describe_corridor(std::span<const double> x, double low, double high,
                       std::vector<double>& steps, std::span<double> out) {
  std::fill(out.begin(), out.end(), 0.0);
  if (!(low < high)) return;
  steps.clear();
  bool was_inside = false;
  for (std::size_t t = 0; t < x.size(); ++t) {
    const bool inside = low <= x[t] && x[t] <= high;
    if (inside && was_inside) steps.push_back(x[t] - x[t - 1]);
    was_inside = inside;
  }
  if (steps.empty()) return;
  out[0] = mean_of(steps);
  out[1] = variance_about(steps, out[0]);
  for (double& step : steps) step = std::abs(step);
  out[2] = mean_of(steps);
  out[3] = variance_about(steps, out[2]);
}

}  // namespace

void compute_change_quantiles(std::span<const double> samples, std::span<double> out) {
  const auto x = from_first(samples);
  auto sorted = x;
  std::sort(sorted.begin(), sorted.end());
  std::array<double, kCorridorEdges> edges{};
  for (std::size_t i = 0; i < kCorridorEdges; ++i) {
    edges[i] = stats::quantile(sorted, static_cast<double>(i) / (kCorridorEdges - 1.0));
  }
  std::vector<double> steps;
  std::size_t corridor = 0;
  for (std::size_t low = 0; low < kCorridorEdges; ++low) {
    for (std::size_t high = low + 1; high < kCorridorEdges; ++high, ++corridor) {
      describe_corridor(x, edges[low], edges[high], steps,
                        out.subspan(corridor * kCorridorFeatures, kCorridorFeatures));
    }
  }
}

}  // namespace reveal::feature
