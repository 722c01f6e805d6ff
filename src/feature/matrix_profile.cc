#include "feature/matrix_profile.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "feature/from_first.h"
#include "stats/quantile.h"

namespace reveal::feature {
namespace {

constexpr auto kLength = static_cast<double>(kProfileWindow);

struct ProfilePiece {
  double mean = 0.0;
  double length = 0.0;  // the root of the sum of squared deviations; 0 if it is constant
};

std::vector<ProfilePiece> find_stretches(std::span<const double> x) {
  std::vector<ProfilePiece> out;
  for (std::size_t t = 0; t + kProfileWindow <= x.size(); ++t) {
    const auto stretch = x.subspan(t, kProfileWindow);
    const bool constant =
        std::all_of(stretch.begin(), stretch.end(), [&](double v) { return v == stretch[0]; });
    const double mean = mean_of(stretch);
    out.push_back({mean, constant ? 0.0 : std::sqrt(variance_about(stretch, mean) * kLength)});
  }
  return out;
}

// Returns the squared distance.
double squared_distance(std::span<const double> x, const std::vector<ProfilePiece>& stretches,
                        std::size_t i, std::size_t j) {
  const ProfilePiece& a = stretches[i];
  const ProfilePiece& b = stretches[j];
  if (a.length == 0.0 && b.length == 0.0) return 0.0;
  if (a.length == 0.0 || b.length == 0.0) return kLength;
  double product = 0.0;
  for (std::size_t k = 0; k < kProfileWindow; ++k) {
    product += (x[i + k] - a.mean) * (x[j + k] - b.mean);
  }
  const double correlation = std::min(1.0, product / a.length / b.length);
  return 2.0 * kLength * (1.0 - correlation);
}

}  // namespace

void compute_matrix_profile(std::span<const double> samples, std::span<double> out) {
  if (samples.size() < kProfileFewestSamples) return;
  double unit = 0.0;
  const auto x = scaled_from_first(samples, unit);
  const auto stretches = find_stretches(x);
  std::vector<double> nearest(stretches.size(), std::numeric_limits<double>::infinity());
  for (std::size_t i = 0; i < stretches.size(); ++i) {
    for (std::size_t j = i + kProfileExclusion + 1; j < stretches.size(); ++j) {
      const double square = squared_distance(x, stretches, i, j);
      nearest[i] = std::min(nearest[i], square);
      nearest[j] = std::min(nearest[j], square);
    }
  }
  for (double& distance : nearest) distance = std::sqrt(distance);
  std::sort(nearest.begin(), nearest.end());
  out[0] = nearest.front();
  out[1] = nearest.back();
  out[2] = mean_of(nearest);
  out[3] = stats::quantile(nearest, 0.5);
  out[4] = stats::quantile(nearest, 0.25);
  out[5] = stats::quantile(nearest, 0.75);
}

}  // namespace reveal::feature
