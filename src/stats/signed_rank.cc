#include "stats/signed_rank.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

namespace reveal::stats {
namespace {

struct Ranked {
  double size;
  bool positive;
  std::size_t doubled_rank = 0;  // whole, though equal sizes share a mean
};

std::vector<Ranked> ranked(std::span<const double> differences) {
  std::vector<Ranked> out;
  for (const double one : differences) {
    if (one != 0) out.push_back({std::abs(one), one > 0});
  }
  std::ranges::sort(out, {}, &Ranked::size);
  for (std::size_t begin = 0; begin < out.size();) {
    std::size_t end = begin + 1;
    while (end < out.size() && out[end].size == out[begin].size) ++end;
    for (std::size_t i = begin; i < end; ++i) out[i].doubled_rank = begin + 1 + end;
    begin = end;
  }
  return out;
}

// Of all assignments of signs, the share in which the smaller sum is at most this one, twice.
double exact_p(const std::vector<Ranked>& all, std::size_t doubled_smaller) {
  std::vector<double> ways{1};  // by doubled sum of the ranks of one sign
  for (const auto& one : all) {
    std::vector<double> more(ways.size() + one.doubled_rank, 0);
    for (std::size_t sum = 0; sum < ways.size(); ++sum) {
      more[sum] += ways[sum];
      more[sum + one.doubled_rank] += ways[sum];
    }
    ways = std::move(more);
  }
  double few = 0;
  for (std::size_t sum = 0; sum <= doubled_smaller; ++sum) few += ways[sum];
  return std::min(1.0, 2 * few / std::exp2(static_cast<double>(all.size())));
}

double approximate_p(const std::vector<Ranked>& all, double smaller) {
  const auto n = static_cast<double>(all.size());
  double variance = n * (n + 1) * (2 * n + 1) / 24;
  for (std::size_t begin = 0; begin < all.size();) {
    std::size_t end = begin + 1;
    while (end < all.size() && all[end].size == all[begin].size) ++end;
    const auto equal = static_cast<double>(end - begin);
    variance -= (equal * equal * equal - equal) / 48;
    begin = end;
  }
  const double z = (smaller - n * (n + 1) / 4) / std::sqrt(variance);
  return std::min(1.0, std::erfc(std::abs(z) / std::numbers::sqrt2));
}

}  // namespace

SignedRank signed_rank(std::span<const double> differences) {
  const auto all = ranked(differences);
  SignedRank out;
  out.count = all.size();
  if (all.empty()) return out;
  std::size_t doubled_above = 0;
  std::size_t doubled_below = 0;
  for (const auto& one : all) (one.positive ? doubled_above : doubled_below) += one.doubled_rank;
  out.above = static_cast<double>(doubled_above) / 2;
  out.below = static_cast<double>(doubled_below) / 2;
  out.p = all.size() <= SignedRank::kMostExact
              ? exact_p(all, std::min(doubled_above, doubled_below))
              : approximate_p(all, std::min(out.above, out.below));
  return out;
}

}  // namespace reveal::stats
