#include "feature/ordinal_patterns.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "feature/entropy_terms.h"

namespace reveal::feature {
namespace {

constexpr std::size_t kBitsOfRank = 3;  // ranks are from 0 to 6

// Returns the order in which `count` samples stand: how many before each are no larger, which tells
// it wholly.
std::uint32_t order_of(const double* x, std::size_t count) {
  std::uint32_t out = 0;
  for (std::size_t i = 1; i < count; ++i) {
    std::uint32_t below = 0;
    for (std::size_t j = 0; j < i; ++j) below += x[j] <= x[i] ? 1 : 0;
    out = (out << kBitsOfRank) | below;
  }
  return out;
}

double entropy_of_orders(std::vector<std::uint32_t>& orders) {
  const auto& terms = entropy_terms(orders.size());
  std::sort(orders.begin(), orders.end());
  double sum = 0.0;
  for (std::size_t i = 0; i < orders.size();) {
    const std::size_t begin = i;
    while (i < orders.size() && orders[i] == orders[begin]) ++i;
    sum += terms[i - begin];
  }
  return 0.0 - sum;
}

}  // namespace

void compute_ordinal_patterns(std::span<const double> samples, std::span<double> out) {
  for (std::size_t d = kFirstOrdinalDimension; d <= kLastOrdinalDimension; ++d) {
    if (samples.size() < d) return;
    std::vector<std::uint32_t> orders;
    for (std::size_t t = 0; t + d <= samples.size(); ++t) {
      orders.push_back(order_of(samples.data() + t, d));
    }
    out[d - kFirstOrdinalDimension] = entropy_of_orders(orders);
  }
}

}  // namespace reveal::feature
