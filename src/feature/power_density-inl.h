// Features of the power spectral density after Welch (1967), as scipy's welch estimates it:
// segments of at most 256 samples that overlap by half, each less its mean and weighted by Hann's
// window; the squared amplitudes over the sum of squared weights, one-sided, averaged over
// segments.
#if defined(REVEAL_FEATURE_POWER_DENSITY_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef REVEAL_FEATURE_POWER_DENSITY_INL_H_
#undef REVEAL_FEATURE_POWER_DENSITY_INL_H_
#else
#define REVEAL_FEATURE_POWER_DENSITY_INL_H_
#endif

#include <vector>

#include "feature/entropy-inl.h"
#include "feature/spectrum-inl.h"

HWY_BEFORE_NAMESPACE();
namespace reveal::feature::HWY_NAMESPACE {

inline constexpr std::size_t kLongestSegment = 256;

// Adds a segment's density, not yet averaged, to `out`.
inline void add_segment(Samples& s, std::size_t begin, std::size_t length, Series& segment,
                        Spectrum& out) {
  const auto& window = hann_window(length);
  const V origin = s[begin];
  V sum = all(0.0);
  for (std::size_t t = 0; t < length; ++t) sum = sum + (s[begin + t] - origin);
  const V mean = sum / all(length);
  double power = 0.0;
  for (std::size_t t = 0; t < length; ++t) {
    segment.set(t, ((s[begin + t] - origin) - mean) * all(window[t]));
    power += window[t] * window[t];
  }
  const Spectrum spectrum = transform(s, segment, length);
  for (std::size_t k = 0; k < out.size; ++k) {
    const bool twice = k > 0 && 2 * k < length;  // its mirror image counts here
    const V real = spectrum.real[k];
    const V imaginary = spectrum.imaginary[k];
    const V density = (real * real + imaginary * imaginary) * all((twice ? 2.0 : 1.0) / power);
    out.real.set(k, out.real[k] + density);
  }
}

inline const Spectrum& power_density_of(Samples& s) {
  if (s.power_density) return *s.power_density;
  const std::size_t length = std::min(s.size(), kLongestSegment);
  const std::size_t stride = length - length / 2;
  const std::size_t segments = (s.size() - length / 2) / stride;
  Spectrum out{s.new_series(length / 2 + 1), {}, length / 2 + 1};
  for (std::size_t k = 0; k < out.size; ++k) out.real.set(k, all(0.0));
  Series segment = s.new_series(length);
  for (std::size_t i = 0; i < segments; ++i) add_segment(s, i * stride, length, segment, out);
  for (std::size_t k = 0; k < out.size; ++k) out.real.set(k, out.real[k] / all(segments));
  s.power_density = out;
  return *s.power_density;
}

template <std::size_t k>
V spkt_welch_density(Samples& s) {
  const Spectrum& density = power_density_of(s);
  return k < density.size ? density.real[k] : undefined();
}

// How evenly the power is spread: the entropy of a histogram of densities relative to the largest.
template <std::size_t bins>
V fourier_entropy(Samples& s) {
  const Spectrum& density = power_density_of(s);
  V largest = density.real[0];
  for (std::size_t k = 1; k < density.size; ++k) largest = hn::Max(largest, density.real[k]);
  Series relative = s.new_series(density.size);
  for (std::size_t k = 0; k < density.size; ++k) relative.set(k, density.real[k] / largest);
  return choose(largest == all(0.0), undefined(), histogram_entropy<bins>(relative, density.size));
}

}  // namespace reveal::feature::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
