// The continuous wavelet transform with Ricker's wavelet of width a,
//
//   2 / (sqrt(3 a) pi^(1/4)) (1 - (t / a)^2) exp(-(t / a)^2 / 2)
//
// at min(10 a, n) points about 0, the samples continued by zeros, as scipy.signal.cwt has it; and
// the peaks that stand out in it, by the method of Du, Kibbe and Lin (2006) as
// scipy.signal.find_peaks_cwt has it.
#pragma once

#include <array>
#include <cstddef>
#include <span>

namespace reveal::feature {

inline constexpr std::array<std::size_t, 4> kRickerWidths{2, 5, 10, 20};
inline constexpr std::size_t kRickerCoefficients = 15;
inline constexpr std::array<std::size_t, 2> kPeakWidths{1, 5};

// Places: coefficient k of width number w at 4 k + w; then the peaks in widths 1 to 1 and 1 to 5.
inline constexpr std::size_t kRickerFeatures =
    kRickerCoefficients * kRickerWidths.size() + kPeakWidths.size();

void compute_ricker(std::span<const double> samples, std::span<double> out);

}  // namespace reveal::feature
