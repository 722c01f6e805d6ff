#include "fleet/spread.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "stats/quantile.h"

namespace reveal::fleet {
namespace {

// Quantiles of |host - median of peers| over the peers' deviation, of normal numbers; a million
// draws each, see peer_spread_test.
struct Factors {
  std::size_t peers;
  double of_deviation;  // times the sample's standard deviation
  double of_mad;        // times 1.4826 MAD
};
constexpr double kNotUsed = std::numeric_limits<double>::infinity();
constexpr std::array<Factors, 12> kFactors{{{2, 77, kNotUsed},
                                            {3, 27, kNotUsed},
                                            {4, 14.3, 50},
                                            {5, 9.5, 47},
                                            {6, 7.5, 18.8},
                                            {7, 6.5, 18},
                                            {8, 5.7, 11.5},
                                            {9, 5.4, 11.4},
                                            {10, 5.1, 8.9},
                                            {12, 4.7, 7.4},
                                            {15, 4.3, 6.4},
                                            {20, 4.0, 5.3}}};

// Returns the row of the most peers that there are.
const Factors& factors_of(std::size_t peers) {
  const Factors* out = kFactors.data();
  for (const auto& row : kFactors) {
    if (row.peers <= peers) out = &row;
  }
  return *out;
}

double deviation(std::span<const double> values) {
  double mean = 0;
  for (const double value : values) mean += value / static_cast<double>(values.size());
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return std::sqrt(squares / static_cast<double>(values.size() - 1));
}

}  // namespace

PeerSpread peer_spread(std::span<const double> peers) {
  const std::vector<double> values(peers.begin(), peers.end());
  PeerSpread out;
  out.median = stats::median(values);
  if (values.size() < 2) return out;
  const auto& factors = factors_of(values.size());
  out.limit = factors.of_deviation * deviation(values);
  if (factors.of_mad < kNotUsed) {
    out.limit = std::min(out.limit, factors.of_mad * stats::kDeviationOfMad * stats::mad(values));
  }
  return out;
}

}  // namespace reveal::fleet
