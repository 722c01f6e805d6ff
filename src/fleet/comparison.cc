#include "fleet/comparison.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace reveal::fleet {
namespace {

constexpr double kOfPassing = 0.25;
// What looks like something known counts more than that two jobs differ.
constexpr double kOfPattern = 4;
// The outlier host differs so much more than the next.
constexpr double kAhead = 2;

double weight(const Difference& difference) {
  const double size = 1 + std::log2(std::min(difference.distance(), 32.0)) / 5;
  return difference.lasting ? size : kOfPassing * size;
}

// The highest core says nothing beyond the mean of all.
bool is_said_twice(const Difference& one, std::span<const Difference> all) {
  return one.quantity.fold == Fold::kHighestCore &&
         std::any_of(all.begin(), all.end(), [&](const Difference& other) {
           return other.host == one.host && other.quantity.fold == Fold::kMeanOfCores &&
                  other.quantity.channel() == one.quantity.channel() &&
                  (other.observed > other.peers) == (one.observed > one.peers);
         });
}

// What comes from another host makes none an outlier.
double pattern_weight(const RecognizedPattern& pattern, std::span<const Difference> differences) {
  if (pattern.pattern->cause == attribute::Cause::kOtherEnd) return 0;
  const bool lasts = std::all_of(
      pattern.channels.begin(), pattern.channels.end(), [&](const std::string& channel) {
        return std::any_of(differences.begin(), differences.end(), [&](const auto& one) {
          return one.lasting && one.quantity.channel() == channel;
        });
      });
  return kOfPattern * (lasts ? 1.0 : kOfPassing);
}

// By subsystem, that with the farthest lasting difference first, and in it the same.
void order(std::vector<Difference>& differences) {
  const auto nearer = [](const Difference& a, const Difference& b) {
    return std::pair(a.lasting, a.distance()) < std::pair(b.lasting, b.distance());
  };
  std::array<const Difference*, model::kSubsystemCount> farthest{};
  for (const auto& one : differences) {
    auto& best = farthest[static_cast<std::size_t>(one.quantity.subsystem)];
    if (best == nullptr || nearer(*best, one)) best = &one;
  }
  std::array<std::pair<bool, double>, model::kSubsystemCount> keys{};
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (farthest[i] != nullptr) keys[i] = {farthest[i]->lasting, farthest[i]->distance()};
  }
  const auto key = [&](const Difference& one) {
    return keys[static_cast<std::size_t>(one.quantity.subsystem)];
  };
  std::stable_sort(differences.begin(), differences.end(), [&](const auto& a, const auto& b) {
    if (a.quantity.subsystem != b.quantity.subsystem) return key(a) > key(b);
    return nearer(b, a);
  });
}

void rank(Comparison& out) {
  out.ranking.resize(out.hosts.size());
  std::iota(out.ranking.begin(), out.ranking.end(), std::size_t{0});
  const auto score = [&](std::size_t host) {
    return std::pair(out.hosts[host].score, out.hosts[host].facts.size());
  };
  std::stable_sort(out.ranking.begin(), out.ranking.end(),
                   [&](auto a, auto b) { return score(a) > score(b); });
  if (out.hosts.size() < 3) return;
  const auto first = out.ranking[0];
  const auto next = out.ranking[1];
  const bool lasts =
      std::any_of(out.hosts[first].differences.begin(), out.hosts[first].differences.end(),
                  [](const auto& one) { return one.lasting; });
  if (lasts && out.hosts[first].score >= kAhead * out.hosts[next].score) out.outlier_host = first;
}

}  // namespace

Comparison compare(const Grid& grid, std::span<const Recorded> recorded,
                   std::span<const HostLevels> hosts) {
  Comparison out;
  out.grid = grid;
  for (const auto& one : recorded) out.hosts.push_back({one, {}, {}, {}, 0});
  const Surroundings around{installed_memory(hosts), static_cast<double>(grid.bucket_ns) * 1e-9 *
                                                         static_cast<double>(kBucketsInWindow)};
  AlikeWatch alike;
  std::vector<Difference> differences;
  const std::size_t least = hosts.size() == 2 ? 2 : 3;
  auto matched = for_each_compared(hosts, least, [&](const ComparedQuantity& compared) {
    alike.take(compared);
    auto judged = judge(compared, grid, around);
    if (!judged.moved) ++out.constant;
    for (auto& one : judged.differences) differences.push_back(std::move(one));
  });
  out.alike = alike.result(differences);
  const auto said = differences;
  out.quantities = matched.compared;
  out.lacking = std::move(matched.lacking);
  auto facts = compare_facts(hosts);
  out.facts_compared = facts.compared;
  out.scattered_facts = std::move(facts.scattered);
  for (auto& fact : facts.differences) out.hosts[fact.host].facts.push_back(std::move(fact));
  for (auto& one : differences) {
    if (is_said_twice(one, said)) continue;
    out.hosts[one.host].score += weight(one);
    out.hosts[one.host].differences.push_back(std::move(one));
  }
  for (auto& host : out.hosts) {
    order(host.differences);
    host.patterns = recognize(host.differences, around.window_s);
    for (const auto& one : host.patterns) host.score += pattern_weight(one, host.differences);
  }
  rank(out);
  return out;
}

}  // namespace reveal::fleet
