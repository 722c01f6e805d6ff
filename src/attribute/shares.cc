#include "attribute/shares.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numeric>
#include <vector>

namespace reveal::attribute {
namespace {

constexpr std::size_t kStrongest = 3;
constexpr double kComparable = 0.25;  // of the strongest channel whose subsystem is not known
constexpr auto kUnknown = static_cast<std::size_t>(model::Subsystem::kUnknown);

using BySubsystem = std::array<std::vector<double>, model::kSubsystemCount>;

double sum(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

double part(std::vector<double>& values) {
  if (values.empty()) return 0.0;
  std::sort(values.begin(), values.end(), std::greater<>());
  const auto strongest = std::span(values).first(std::min(kStrongest, values.size()));
  const double strength = sum(strongest) / static_cast<double>(kStrongest);
  const double breadth = sum(values) / static_cast<double>(values.size());
  return std::sqrt(strength * breadth);
}

double largest(std::span<const double> values) {
  return values.empty() ? 0.0 : *std::max_element(values.begin(), values.end());
}

// Returns the part of the channels whose subsystem is not known, given those of the others.
double part_of_unknown(const BySubsystem& contributions, std::span<const double> known_parts) {
  const double strongest = largest(contributions[kUnknown]);
  std::vector<double> alone{strongest};
  const double own = part(alone);
  double known = 0;
  for (std::size_t i = 0; i < kUnknown; ++i) known = std::max(known, largest(contributions[i]));
  return known < kComparable * strongest ? own : std::min(own, largest(known_parts));
}

}  // namespace

SubsystemShares subsystem_shares(const model::ChannelTable& channels,
                                 std::span<const double> contribution_by_channel) {
  BySubsystem by_subsystem;
  for (std::size_t i = 0; i < contribution_by_channel.size(); ++i) {
    if (std::isnan(contribution_by_channel[i])) continue;
    const auto subsystem = channels.metric(model::ChannelId(i)).subsystem;
    by_subsystem[static_cast<std::size_t>(subsystem)].push_back(contribution_by_channel[i]);
  }
  SubsystemShares shares{};
  for (std::size_t i = 0; i < kUnknown; ++i) shares[i] = part(by_subsystem[i]);
  if (!by_subsystem[kUnknown].empty()) {
    shares[kUnknown] = part_of_unknown(by_subsystem, std::span(shares).first(kUnknown));
  }
  const double total = sum(shares);
  if (total > 0) {
    for (auto& share : shares) share /= total;
  }
  return shares;
}

model::Subsystem most_blamed(const SubsystemShares& shares) {
  const auto* const most = std::max_element(shares.begin(), shares.end());
  return *most > 0 ? static_cast<model::Subsystem>(most - shares.begin())
                   : model::Subsystem::kUnknown;
}

}  // namespace reveal::attribute
