#include "feature/langevin.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <optional>
#include <vector>

#include "feature/from_first.h"
#include "feature/least_squares.h"
#include "stats/quantile.h"

namespace reveal::feature {
namespace {

struct GroupMeans {
  std::vector<double> level;
  std::vector<double> step;
};

// Returns the upper edges of the groups: a group holds its upper edge, not its lower one, the first
// one both. Nothing if two are equal.
std::optional<std::vector<double>> group_edges(std::span<const double> levels) {
  std::vector<double> sorted(levels.begin(), levels.end());
  std::sort(sorted.begin(), sorted.end());
  double before = sorted.front();
  std::vector<double> out;
  for (std::size_t i = 1; i <= kLangevinGroups; ++i) {
    out.push_back(stats::quantile(sorted, static_cast<double>(i) / kLangevinGroups));
    if (!(before < out.back())) return std::nullopt;
    before = out.back();
  }
  return out;
}

std::optional<GroupMeans> group_means(std::span<const double> x) {
  const auto levels = x.first(x.size() - 1);
  const auto edges = group_edges(levels);
  if (!edges) return std::nullopt;
  struct Group {
    double levels = 0.0;
    double steps = 0.0;
    double count = 0.0;
  };
  std::array<Group, kLangevinGroups> groups{};
  for (std::size_t t = 0; t < levels.size(); ++t) {
    const auto edge = std::lower_bound(edges->begin(), edges->end() - 1, levels[t]);
    Group& group = groups[static_cast<std::size_t>(edge - edges->begin())];
    group.levels += levels[t];
    group.steps += x[t + 1] - x[t];
    group.count += 1.0;
  }
  GroupMeans out;
  for (const Group& group : groups) {
    if (group.count == 0.0) continue;
    out.level.push_back(group.levels / group.count);
    out.step.push_back(group.steps / group.count);
  }
  return out;
}

using Cubic = std::array<double, kLangevinOrder + 1>;  // by power

std::optional<Cubic> fit_cubic(GroupMeans& means) {
  if (means.level.size() <= kLangevinOrder) return std::nullopt;
  std::vector<std::vector<double>> powers{std::vector<double>(means.level.size(), 1.0)};
  for (std::size_t power = 1; power <= kLangevinOrder; ++power) {
    powers.push_back(powers.back());
    for (std::size_t i = 0; i < means.level.size(); ++i) powers.back()[i] *= means.level[i];
  }
  const auto coefficients = least_squares(powers, means.step);
  if (!coefficients) return std::nullopt;
  Cubic out{};
  std::copy(coefficients->begin(), coefficients->end(), out.begin());
  return out;
}

// Returns the cubic of u = (x - first) / unit, times the unit, as one of x.
Cubic moved(const Cubic& cubic, double first, double unit) {
  Cubic of_difference = cubic;
  double power = 1.0 / unit;
  for (double& coefficient : of_difference) {
    coefficient /= power;
    power *= unit;
  }
  // Horner's scheme in x - first.
  Cubic out{};
  for (std::size_t i = cubic.size(); i-- > 0;) {
    for (std::size_t j = cubic.size(); j-- > 1;) out[j] = out[j - 1] - first * out[j];
    out[0] = of_difference[i] - first * out[0];
  }
  return out;
}

// Returns the largest real part of the roots of y^3 + p y + q.
double largest_real_part(double p, double q) {
  const double discriminant = q * q / 4.0 + p * p * p / 27.0;
  if (discriminant >= 0.0) {
    // One real root, and two with minus half of it for a real part.
    const double larger = std::cbrt(-q / 2.0 - std::copysign(std::sqrt(discriminant), q));
    const double real = larger == 0.0 ? 0.0 : larger - p / (3.0 * larger);
    return std::max(real, -real / 2.0);
  }
  const double radius = 2.0 * std::sqrt(-p / 3.0);
  const double cosine = std::clamp(3.0 * q / (p * radius), -1.0, 1.0);
  return radius * std::cos(std::acos(cosine) / 3.0);
}

// Of the roots of a cubic, or of what it is without terms that are 0.
double largest_root(const Cubic& cubic) {
  const auto [d, c, b, a] = cubic;
  if (a != 0.0) {
    const double shift = b / (3.0 * a);
    const double p = c / a - 3.0 * shift * shift;
    const double q = 2.0 * shift * shift * shift - shift * c / a + d / a;
    return largest_real_part(p, q) - shift;
  }
  if (b != 0.0) {
    const double middle = -c / (2.0 * b);
    const double square = middle * middle - d / b;
    return square > 0.0 ? middle + std::sqrt(square) : middle;
  }
  return -d / c;  // not finite if there is none
}

}  // namespace

void compute_langevin(std::span<const double> samples, std::span<double> out) {
  if (samples.size() < kLangevinOrder + 2) return;
  double unit = 0.0;
  const auto x = scaled_from_first(samples, unit);
  auto means = group_means(x);
  if (!means) return;
  const auto cubic = fit_cubic(*means);
  if (!cubic) return;
  const Cubic of_samples = moved(*cubic, samples.front(), unit);
  for (std::size_t i = 0; i < of_samples.size(); ++i) out[kLangevinOrder - i] = of_samples[i];
  out[kLangevinOrder + 1] = samples.front() + unit * largest_root(*cubic);
}

}  // namespace reveal::feature
