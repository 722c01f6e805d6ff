// The table of all features, and their computation on packs of channels. Each function stands in a
// file of its kind, which states its formula, and its row in a file of rows. They are included here
// and nowhere else, since everything reaches a function through its row.
//
// This file is compiled once for each instruction set (Highway); the processor's best is chosen
// when the program runs. No operation is fused and none crosses lanes, so the results are the same.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <vector>

#include "feature/feature.h"
#include "feature/pack.h"
#include "feature/survey.h"

// One x86 set for each width is enough: 128, 256 and 512 bits. Vectors of unknown width cannot be
// kept in memory, nor can GCC keep those of SVE whose width is known: on Arm that leaves NEON,
// on RISC-V none.
#define HWY_DISABLED_TARGETS \
  (HWY_SSSE3 | HWY_AVX3_DL | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "feature/registry.cc"
// It must come first: it includes this file again.
// clang-format off
#include <hwy/foreach_target.h>
// clang-format on

#include "feature/first_rows_spectrum-inl.h"
#include "feature/first_rows_time-inl.h"
#include "feature/first_rows_trends-inl.h"
#include "feature/first_rows_values-inl.h"
#include "feature/row-inl.h"
#include "feature/rows_changes-inl.h"
#include "feature/rows_spectrum-inl.h"
#include "feature/rows_time-inl.h"
#include "feature/rows_values-inl.h"
#include "feature/rows_variety-inl.h"
#include "feature/rows_wavelet-inl.h"
#include "feature/samples-inl.h"
#include "feature/survey-inl.h"

HWY_BEFORE_NAMESPACE();
namespace reveal::feature::HWY_NAMESPACE {
namespace {

// New tables come last, so that the order of columns stays.
constexpr auto kRows =
    join_rows(kFirstValueRows, kFirstTimeRows, kFirstTrendRows, kFirstSpectrumRows, kValueRows,
              kTimeRows, kVarietyRows, kChangeRows, kWaveletRows, kSpectrumRows);

void compute_channels(std::span<const FeatureId> features, Samples& samples, double* out) {
  for (std::size_t i = 0; i < features.size(); ++i) {
    const Row& row = kRows[features[i].index()];
    V value = undefined();
    if (samples.size() >= row.descriptor.min_samples) value = compute_row(row, samples);
    value = choose(hn::IsFinite(value), value, undefined());
    hn::Store(value, kTag, out + i * kPackLanes);
  }
}

void compute_pack(std::span<const FeatureId> features, const Pack& pack, Arena& arena,
                  double* out) {
  for (std::size_t lane = 0; lane < kPackLanes; lane += kWidth) {
    arena.reset();
    // Only read: the series of samples is never set.
    const Series x(const_cast<double*>(pack.x) + lane);
    Samples samples(pack.samples, x, arena);
    if (pack.previous != nullptr) {
      samples.set_previous(pack.previous_samples,
                           Series(const_cast<double*>(pack.previous) + lane));
    }
    compute_channels(features, samples, out + lane);
  }
}

std::string_view name_target() {
  return hwy::TargetName(HWY_TARGET);
}

}  // namespace
}  // namespace reveal::feature::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace reveal::feature {
namespace {

HWY_EXPORT(compute_pack);
HWY_EXPORT(survey_window);
HWY_EXPORT(name_target);

// Of fewer channels than a vector may have lanes, with others beside them.
void survey_few(const window::WindowView& window, Survey& out) {
  std::vector<std::array<double, kPackLanes>> padded(window.tick_count());
  std::vector<const double*> rows;
  for (std::size_t tick = 0; tick < padded.size(); ++tick) {
    std::copy_n(window.row(tick), window.channel_count(), padded[tick].begin());
    rows.push_back(padded[tick].data());
  }
  HWY_DYNAMIC_DISPATCH(survey_window)(rows, kPackLanes, out);
}

// The descriptors are the same for every instruction set.
constexpr auto kRegistry = [] {
  std::array<FeatureDescriptor, HWY_NAMESPACE::kRows.size()> out;
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = HWY_NAMESPACE::kRows[i].descriptor;
  return out;
}();

}  // namespace

std::span<const FeatureDescriptor> registry() {
  return kRegistry;
}

std::optional<FeatureId> find_feature(std::string_view name) {
  for (std::size_t i = 0; i < kRegistry.size(); ++i)
    if (kRegistry[i].name == name) return FeatureId(i);
  return std::nullopt;
}

void compute(std::span<const FeatureId> features, const Pack& pack, Arena& arena, double* out) {
  HWY_DYNAMIC_DISPATCH(compute_pack)(features, pack, arena, out);
}

std::string_view instruction_set() {
  return HWY_DYNAMIC_DISPATCH(name_target)();
}

void survey(const window::WindowView& window, Survey& out) {
  const std::size_t room = std::max(window.channel_count(), kPackLanes);
  for (auto* column : {&out.valid, &out.due, &out.moves}) column->resize(room);
  if (window.channel_count() < kPackLanes) {
    survey_few(window, out);
  } else {
    HWY_DYNAMIC_DISPATCH(survey_window)(window.rows(), window.channel_count(), out);
  }
}

double compute(FeatureId feature, std::span<const double> values,
               std::span<const double> previous) {
  if (values.empty()) return std::numeric_limits<double>::quiet_NaN();
  Arena memory;
  const auto spread = [&memory](std::span<const double> samples) {
    double* x = memory.take(samples.size() * kPackLanes);
    for (std::size_t t = 0; t < samples.size(); ++t) {
      std::fill_n(x + t * kPackLanes, kPackLanes, samples[t]);
    }
    return x;
  };
  const Pack pack{values.size(), spread(values), previous.size(), spread(previous)};
  Arena scratch;
  double* out = memory.take(kPackLanes);
  compute(std::span(&feature, 1), pack, scratch, out);
  return *out;
}

}  // namespace reveal::feature
#endif
