#include "select/correlation_matrix.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <vector>

#include "stats/product.h"

namespace reveal::select {
namespace {

// Ticks taken at once: the block of 2,000 channels stays within 16 MB.
constexpr std::size_t kBlock = 1024;

// Sums over the common samples of each pair, of the lower triangle (rows >= columns).
struct PairSums {
  explicit PairSums(Eigen::Index n)
      : count(Eigen::MatrixXd::Zero(n, n)),
        sum(Eigen::MatrixXd::Zero(n, n)),
        squares(Eigen::MatrixXd::Zero(n, n)),
        products(Eigen::MatrixXd::Zero(n, n)) {}

  Eigen::MatrixXd count;     // (i, j): common samples
  Eigen::MatrixXd sum;       // (i, j): of channel i where j has a sample
  Eigen::MatrixXd squares;   // (i, j): likewise
  Eigen::MatrixXd products;  // (i, j): of both
};

// A block of ticks, one column a channel: standardised values, 0 where missing, and where they are.
struct Block {
  Eigen::MatrixXd values;
  Eigen::MatrixXd present;
  bool complete = true;
};

Block standardised_block(std::span<const std::span<const double>> series,
                         std::span<const stats::Moments> moments, std::size_t begin,
                         std::size_t end) {
  const auto channels = static_cast<Eigen::Index>(series.size());
  const auto ticks = static_cast<Eigen::Index>(end - begin);
  Block block{Eigen::MatrixXd::Zero(ticks, channels), Eigen::MatrixXd::Zero(ticks, channels), true};
  for (Eigen::Index channel = 0; channel < channels; ++channel) {
    const auto values = series[static_cast<std::size_t>(channel)];
    const auto& of = moments[static_cast<std::size_t>(channel)];
    const double scale = is_constant(of) ? 0.0 : 1.0 / of.standard_deviation();
    for (Eigen::Index tick = 0; tick < ticks; ++tick) {
      const double value = values[begin + static_cast<std::size_t>(tick)];
      if (!std::isfinite(value)) {
        block.complete = false;
        continue;
      }
      block.present(tick, channel) = 1.0;
      block.values(tick, channel) = of.deviation(value) * scale;
    }
  }
  return block;
}

// Where nothing is missing, a channel's sums are the same for every partner.
void add_complete(const Block& block, PairSums& sums) {
  sums.count.array() += static_cast<double>(block.values.rows());
  sums.sum.colwise() += block.values.colwise().sum().transpose();
  sums.squares.colwise() += block.values.colwise().squaredNorm().transpose();
}

void add_partial(const Block& block, PairSums& sums) {
  sums.count += stats::gram({block.present, true});
  stats::add_product({block.values, true}, {block.present}, sums.sum);
  stats::add_product({block.values.cwiseAbs2(), true}, {block.present}, sums.squares);
}

double pearson(const PairSums& sums, Eigen::Index i, Eigen::Index j) {
  const double count = sums.count(i, j);
  if (count < static_cast<double>(kMinPairs)) return 0.0;
  const double mean_i = sums.sum(i, j) / count;
  const double mean_j = sums.sum(j, i) / count;
  const double variance_i = sums.squares(i, j) / count - mean_i * mean_i;
  const double variance_j = sums.squares(j, i) / count - mean_j * mean_j;
  // Standardised values: what is below this is a channel that stands still over the common samples.
  constexpr double kStill = 1e-12;
  if (variance_i < kStill || variance_j < kStill) return 0.0;
  const double covariance = sums.products(i, j) / count - mean_i * mean_j;
  return std::clamp(covariance / std::sqrt(variance_i * variance_j), -1.0, 1.0);
}

}  // namespace

stats::Moments finite_moments(std::span<const double> series) {
  std::vector<double> finite;
  finite.reserve(series.size());
  std::ranges::copy_if(series, std::back_inserter(finite),
                       [](double value) { return std::isfinite(value); });
  return stats::moments(finite);
}

bool is_constant(const stats::Moments& moments) {
  return moments.count == 0 || !std::isnormal(moments.standard_deviation());
}

Eigen::MatrixXd correlation_matrix(std::span<const std::span<const double>> series) {
  const auto n = static_cast<Eigen::Index>(series.size());
  std::vector<stats::Moments> moments;
  moments.reserve(series.size());
  for (const auto values : series) moments.push_back(finite_moments(values));

  PairSums sums(n);
  const std::size_t ticks = series.empty() ? 0 : series.front().size();
  for (std::size_t begin = 0; begin < ticks; begin += kBlock) {
    const auto block = standardised_block(series, moments, begin, std::min(ticks, begin + kBlock));
    sums.products += stats::gram({block.values, true});
    block.complete ? add_complete(block, sums) : add_partial(block, sums);
  }

  Eigen::MatrixXd out = Eigen::MatrixXd::Identity(n, n);
  for (Eigen::Index j = 0; j < n; ++j) {
    for (Eigen::Index i = j + 1; i < n; ++i) out(i, j) = out(j, i) = pearson(sums, i, j);
  }
  return out;
}

}  // namespace reveal::select
