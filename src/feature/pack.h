// What the features are computed on: packs of up to eight channels with equally many samples.
#pragma once

#include <cstddef>
#include <span>

#include "feature/arena.h"
#include "feature/feature.h"

namespace reveal::feature {

inline constexpr std::size_t kPackLanes = 8;

struct Pack {
  std::size_t samples = 0;
  // Sample t of channel i is x[t * kPackLanes + i], finite. A pack of fewer channels repeats one of
  // them. Aligned to 64 bytes.
  const double* x = nullptr;
};

// Computes features of all channels of a pack: number f of channel i becomes
// out[f * kPackLanes + i], NaN where it is undefined: too few samples, or a result that is not
// finite. `out` is aligned to 64 bytes. Uses the widest vectors that the processor has.
void compute(std::span<const FeatureId> features, const Pack& pack, Arena& arena, double* out);

}  // namespace reveal::feature
