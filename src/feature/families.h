// Features that a plain function computes together, one channel at a time: those whose work depends
// on the values, such as counts of patterns and regressions, which vectors of channels do not speed
// up. Only the profile `full` has them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "feature/autoregression.h"
#include "feature/change_quantiles.h"
#include "feature/complexity.h"
#include "feature/langevin.h"
#include "feature/matrix_profile.h"
#include "feature/memory.h"
#include "feature/ordinal_patterns.h"
#include "feature/ricker.h"

namespace reveal::feature {

enum class Family : std::uint8_t {
  kMemory,           // memory.h
  kAutoregression,   // autoregression.h
  kRicker,           // ricker.h
  kComplexity,       // complexity.h
  kOrdinalPatterns,  // ordinal_patterns.h
  kChangeQuantiles,  // change_quantiles.h
  kLangevin,         // langevin.h
  kMatrixProfile,    // matrix_profile.h
  kCount,
};

struct FamilyRow {
  // Writes all features of the family, NaN or infinite if undefined. REQUIRES: at least one sample;
  // all samples and all differences of two are finite; `out` has `size` places.
  void (*compute)(std::span<const double> samples, std::span<double> out);
  std::size_t size;
};

inline constexpr std::size_t kFamilyCount = static_cast<std::size_t>(Family::kCount);

// By Family.
inline constexpr std::array<FamilyRow, kFamilyCount> kFamilies{{
    {compute_memory, kMemoryFeatures},
    {compute_autoregression, kAutoregressionFeatures},
    {compute_ricker, kRickerFeatures},
    {compute_complexity, kComplexityFeatures},
    {compute_ordinal_patterns, kOrdinalPatternFeatures},
    {compute_change_quantiles, kChangeQuantileFeatures},
    {compute_langevin, kLangevinFeatures},
    {compute_matrix_profile, kMatrixProfileFeatures},
}};

}  // namespace reveal::feature
