// A row of the table of features: what a feature is, and how it is computed of a pack.
#if defined(REVEAL_FEATURE_ROW_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef REVEAL_FEATURE_ROW_INL_H_
#undef REVEAL_FEATURE_ROW_INL_H_
#else
#define REVEAL_FEATURE_ROW_INL_H_
#endif

#include <array>
#include <cstddef>

#include "feature/families-inl.h"
#include "feature/feature.h"
#include "feature/samples-inl.h"

HWY_BEFORE_NAMESPACE();
namespace reveal::feature::HWY_NAMESPACE {

using enum FeatureUnit;
using enum FeatureShift;
using enum FeatureCost;

struct Row {
  FeatureDescriptor descriptor;
  V (*compute)(Samples& samples) = nullptr;  // nullptr: it is one of a family's
  Family family = Family::kCount;
  std::size_t place = 0;  // in the family's results
};

inline V compute_row(const Row& row, Samples& samples) {
  if (row.compute != nullptr) return row.compute(samples);
  return family_of(samples, row.family)[row.place];
}

// Returns the rows of all tables, one table after the other.
template <std::size_t... sizes>
constexpr auto join_rows(const std::array<Row, sizes>&... tables) {
  std::array<Row, (sizes + ...)> out;
  std::size_t place = 0;
  const auto append = [&](const auto& table) {
    for (const Row& row : table) out[place++] = row;
  };
  (append(tables), ...);
  return out;
}

}  // namespace reveal::feature::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
