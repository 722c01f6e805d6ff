#include "study/peer_distance.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include "stats/quantile.h"

namespace reveal::study {
namespace {

constexpr double kLow = 0.05;
constexpr double kHigh = 0.95;

PeerDistance distance_of(std::span<const SampleLevel> hosts, std::size_t own,
                         const fleet::Quantity& quantity, const fleet::Surroundings& around) {
  std::vector<double> medians;
  std::vector<double> deviations;
  for (std::size_t i = 0; i < hosts.size(); ++i) {
    if (i == own) continue;
    medians.push_back(hosts[i].median);
    deviations.push_back(hosts[i].mad);
  }
  PeerDistance out{.peers_median = stats::median(medians)};
  const double spread = stats::kDeviationOfMad * std::max(stats::mad(std::move(medians)),
                                                          stats::median(std::move(deviations)));
  const double least = fleet::resolution(quantity, out.peers_median, around);
  out.distance = std::fabs(hosts[own].median - out.peers_median) / std::max(spread, least);
  return out;
}

}  // namespace

SampleLevel level_of(std::vector<double> samples) {
  std::ranges::sort(samples);
  SampleLevel out{.median = stats::median_of_sorted(samples),
                  .low = stats::quantile(samples, kLow),
                  .high = stats::quantile(samples, kHigh)};
  out.mad = stats::mad(std::move(samples));
  return out;
}

std::vector<PeerDistance> peer_distances(std::span<const SampleLevel> hosts,
                                         const fleet::Quantity& quantity,
                                         const fleet::Surroundings& around) {
  std::vector<PeerDistance> out;
  for (std::size_t i = 0; i < hosts.size(); ++i) {
    out.push_back(distance_of(hosts, i, quantity, around));
  }
  return out;
}

}  // namespace reveal::study
