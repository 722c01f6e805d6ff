// What the features are computed on: packs of up to eight channels with equally many samples.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "feature/arena.h"
#include "feature/feature.h"

namespace reveal::feature {

inline constexpr std::size_t kPackLanes = 8;

struct Pack {
  std::size_t samples = 0;
  // Sample t of channel i is x[t * kPackLanes + i], finite. A pack of fewer channels repeats one of
  // them. Aligned to 64 bytes.
  const double* x = nullptr;
  // Samples of the window before in the same order, NaN if there is none; for features that look
  // back, which are undefined without.
  std::size_t previous_samples = 0;
  const double* previous = nullptr;
};

// Computes features of all channels of a pack: number f of channel i becomes out[f * kPackLanes +
// i], NaN if it is undefined: too few samples, or a result that is not finite. `out` is aligned to
// 64 bytes. Uses the widest vectors that the processor has; the results are the same bits with each
// of them, but for what the C library makes of logarithms, angles and error functions, which is the
// same on one machine.
void compute(std::span<const FeatureId> features, const Pack& pack, Arena& arena, double* out);

// Returns the name of the instruction set that it uses, such as AVX2.
std::string_view instruction_set();

}  // namespace reveal::feature
