#include "feature/entropy_terms.h"

#include <cmath>
#include <map>

namespace reveal::feature {

const std::vector<double>& entropy_terms(std::size_t n) {
  thread_local std::map<std::size_t, std::vector<double>> known;
  auto& terms = known[n];
  if (!terms.empty()) return terms;
  terms.push_back(0.0);
  for (std::size_t count = 1; count <= n; ++count) {
    const double share = static_cast<double>(count) / static_cast<double>(n);
    terms.push_back(share * std::log(share));
  }
  return terms;
}

}  // namespace reveal::feature
