#include "feature/memory.h"

#include <algorithm>
#include <array>
#include <vector>

#include "feature/from_first.h"
#include "stats/quantile.h"

namespace reveal::feature {
namespace {

constexpr double kNoVariance = 1e-10;       // tsfresh's limit of agg_autocorrelation
constexpr double kNegligibleSpread = 1e-8;  // and that of autocorrelation
constexpr std::size_t kAggregates = 3;
constexpr std::size_t kLags = kMemoryLastLag - kMemoryFirstLag + 1;

// Returns the autocovariances with divisor n - k, by lag k.
std::vector<double> autocovariances(std::span<const double> samples) {
  auto deviations = from_first(samples);
  const double mean = mean_of(deviations);
  for (double& value : deviations) value -= mean;
  const std::size_t n = samples.size();
  std::vector<double> out;
  for (std::size_t lag = 0; lag <= std::min(kMemoryMaxLag, n - 1); ++lag) {
    double sum = 0.0;
    for (std::size_t t = lag; t < n; ++t) sum += deviations[t] * deviations[t - lag];
    out.push_back(sum / static_cast<double>(n - lag));
  }
  return out;
}

void aggregate(std::span<const double> covariances, std::span<double> out) {
  std::fill_n(out.begin(), kAggregates, 0.0);
  if (covariances[0] < kNoVariance || covariances.size() < 2) return;
  std::vector<double> correlations;
  for (const double value : covariances.subspan(1)) correlations.push_back(value / covariances[0]);
  out[0] = mean_of(correlations);
  out[1] = stats::median(correlations);
  out[2] = variance_about(correlations, out[0]);
}

// Writes the last coefficients of the autoregressions of orders 6 to 9, as far as there are lags.
void find_partial(std::span<const double> covariances, std::span<double> out) {
  std::array<double, kMemoryLastLag + 1> phi{};
  double error = covariances[0];
  for (std::size_t order = 1; order <= kMemoryLastLag && order < covariances.size(); ++order) {
    double left = covariances[order];
    for (std::size_t j = 1; j < order; ++j) left -= phi[j] * covariances[order - j];
    const auto before = phi;
    phi[order] = left / error;
    for (std::size_t j = 1; j < order; ++j) phi[j] = before[j] - phi[order] * before[order - j];
    error *= 1.0 - phi[order] * phi[order];
    if (order >= kMemoryFirstLag) out[order - kMemoryFirstLag] = phi[order];
  }
}

}  // namespace

void compute_memory(std::span<const double> samples, std::span<double> out) {
  const auto covariances = autocovariances(samples);
  aggregate(covariances, out);
  for (std::size_t lag = kMemoryFirstLag; lag <= kMemoryLastLag; ++lag) {
    if (lag >= covariances.size() || covariances[0] <= kNegligibleSpread) break;
    out[kAggregates + lag - kMemoryFirstLag] = covariances[lag] / covariances[0];
  }
  find_partial(covariances, out.subspan(kAggregates + kLags));
}

}  // namespace reveal::feature
