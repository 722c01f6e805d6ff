#include "feature/autoregression.h"

#include <vector>

#include "feature/from_first.h"
#include "feature/least_squares.h"

namespace reveal::feature {
namespace {

// Takes the mean out of a column, which is the constant's part, and returns it.
double center(std::vector<double>& column) {
  const double mean = mean_of(column);
  for (double& value : column) value -= mean;
  return mean;
}

}  // namespace

void compute_autoregression(std::span<const double> samples, std::span<double> out) {
  constexpr auto kOrder = static_cast<std::ptrdiff_t>(kAutoregressionOrder);
  if (samples.size() <= 2 * kAutoregressionOrder) return;
  double unit = 0.0;
  const auto x = scaled_from_first(samples, unit);
  std::vector<double> target(x.begin() + kOrder, x.end());
  double constant = center(target);
  std::vector<std::vector<double>> lags;
  std::vector<double> means;
  for (std::ptrdiff_t lag = 1; lag <= kOrder; ++lag) {
    means.push_back(center(lags.emplace_back(x.begin() + kOrder - lag, x.end() - lag)));
  }
  const auto shares = least_squares(lags, target);
  if (!shares) return;
  double kept = 1.0;  // the share of an offset that the constant must make up for
  for (std::size_t i = 0; i < shares->size(); ++i) {
    out[i + 1] = (*shares)[i];
    constant -= (*shares)[i] * means[i];
    kept -= (*shares)[i];
  }
  out[0] = constant * unit + samples.front() * kept;
}

}  // namespace reveal::feature
