#include "feature/lag_limits.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace reveal::feature {
namespace {

LagLimits find_limits(std::size_t n) {
  const double root = std::pow(static_cast<double>(n) / 100.0, 0.25);
  const auto by_length = static_cast<std::size_t>(std::ceil(12.0 * root));
  LagLimits out;
  out.most = std::min({by_length, n / 2 - 2, kMaxLags});
  out.penalty = std::exp(2.0 / static_cast<double>(n - 1 - out.most));
  return out;
}

}  // namespace

const LagLimits& lag_limits(std::size_t n) {
  thread_local std::map<std::size_t, LagLimits> known;
  const auto place = known.find(n);
  if (place != known.end()) return place->second;
  return known.emplace(n, find_limits(n)).first->second;
}

}  // namespace reveal::feature
