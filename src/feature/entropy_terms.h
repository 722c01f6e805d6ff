// The terms of an entropy: there are but n + 1 of them where p is a share of n samples.
#pragma once

#include <cstddef>
#include <vector>

namespace reveal::feature {

// Returns p log p of p = 0, 1 / n, ... 1, in nats, computed once for each thread and n.
const std::vector<double>& entropy_terms(std::size_t n);

}  // namespace reveal::feature
