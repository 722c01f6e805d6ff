// The entropy of the orders in which d neighbors stand, in nats (Bandt and Pompe 2002); of equal
// ones the earlier counts as the smaller. That of 3 is in entropy-inl.h.
#pragma once

#include <cstddef>
#include <span>

namespace reveal::feature {

inline constexpr std::size_t kFirstOrdinalDimension = 4;
inline constexpr std::size_t kLastOrdinalDimension = 7;

// Places: d from 4 to 7; undefined of fewer than d samples.
inline constexpr std::size_t kOrdinalPatternFeatures =
    kLastOrdinalDimension - kFirstOrdinalDimension + 1;

void compute_ordinal_patterns(std::span<const double> samples, std::span<double> out);

}  // namespace reveal::feature
