// Features of the discrete Fourier transform X[k] = sum of x[t] exp(-2 pi i k t / n).
//
// All but X[0] are computed of the samples less their first, which leaves them as they are and
// keeps a large offset from drowning them.
#if defined(REVEAL_FEATURE_SPECTRUM_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef REVEAL_FEATURE_SPECTRUM_INL_H_
#undef REVEAL_FEATURE_SPECTRUM_INL_H_
#else
#define REVEAL_FEATURE_SPECTRUM_INL_H_
#endif

#include <cmath>
#include <numbers>

#include "feature/fourier.h"
#include "feature/samples-inl.h"

HWY_BEFORE_NAMESPACE();
namespace reveal::feature::HWY_NAMESPACE {

// Up to here the sums of the definition are the faster way for eight channels at once.
inline constexpr std::size_t kLongestDirect = 96;

inline void transform_directly(const Series& x, std::size_t n, const Turns& turns, Spectrum& out) {
  for (std::size_t k = 0; k < out.size; ++k) {
    V real = all(0.0);
    V imaginary = all(0.0);
    std::size_t angle = 0;
    for (std::size_t t = 0; t < n; ++t) {
      real = real + x[t] * all(turns.cosine(angle));
      imaginary = imaginary - x[t] * all(turns.sine(angle));
      angle += k;
      if (angle >= n) angle -= n;
    }
    out.real.set(k, real);
    out.imaginary.set(k, imaginary);
  }
}

inline void transform_each_lane(const Series& x, std::size_t n, Spectrum& out) {
  for (std::size_t lane = 0; lane < kWidth; ++lane) {
    const auto coefficients = fourier_transform(n, [&](std::size_t t) { return x.lane(t, lane); });
    for (std::size_t k = 0; k < out.size; ++k) {
      out.real.set_lane(k, lane, coefficients[k].real());
      out.imaginary.set_lane(k, lane, coefficients[k].imag());
    }
  }
}

// Returns the transform of the first n steps of `x`.
inline Spectrum transform(Samples& s, const Series& x, std::size_t n) {
  const std::size_t size = n / 2 + 1;
  Spectrum out{s.new_series(size), s.new_series(size), size};
  if (n <= kLongestDirect) {
    transform_directly(x, n, turns_of(n), out);
  } else {
    transform_each_lane(x, n, out);
  }
  // At half the sampling frequency there is no sine; what was computed is rounding.
  if (n % 2 == 0) out.imaginary.set(n / 2, all(0.0));
  return out;
}

inline const Spectrum& spectrum_of(Samples& s) {
  if (s.spectrum) return *s.spectrum;
  Series from_first = s.new_series(s.size());
  for (std::size_t t = 0; t < s.size(); ++t) from_first.set(t, s[t] - s.first());
  s.spectrum = transform(s, from_first, s.size());
  V sum = all(0.0);
  for (std::size_t t = 0; t < s.size(); ++t) sum = sum + s[t];
  s.spectrum->real.set(0, sum);
  s.spectrum->imaginary.set(0, all(0.0));
  return *s.spectrum;
}

inline V amplitude(const Spectrum& spectrum, std::size_t k) {
  const V real = spectrum.real[k];
  const V imaginary = spectrum.imaginary[k];
  return root(real * real + imaginary * imaginary);
}

enum class FourierPart { kReal, kImag, kAbs, kAngle };

template <FourierPart part, std::size_t k>
V fft_coefficient(Samples& s) {
  const Spectrum& spectrum = spectrum_of(s);
  if (k >= spectrum.size) return undefined();
  if constexpr (part == FourierPart::kReal) return spectrum.real[k];
  if constexpr (part == FourierPart::kImag) return spectrum.imaginary[k];
  if constexpr (part == FourierPart::kAbs) return amplitude(spectrum, k);
  EachLane real(spectrum.real[k]);
  const EachLane imaginary(spectrum.imaginary[k]);
  for (std::size_t lane = 0; lane < kWidth; ++lane) {
    real.at[lane] = std::atan2(imaginary.at[lane], real.at[lane]) * 180.0 / std::numbers::pi;
  }
  return real.vector();
}

// Where the amplitudes lie: moments of the coefficient's number, weighted by amplitude.
struct SpectralMoments {
  std::array<V, 5> raw;

  explicit SpectralMoments(const Spectrum& spectrum) {
    raw.fill(all(0.0));
    for (std::size_t k = 0; k < spectrum.size; ++k) {
      V term = amplitude(spectrum, k);
      for (V& moment : raw) {
        moment = moment + term;
        term = term * all(k);
      }
    }
    for (std::size_t i = 1; i < raw.size(); ++i) raw[i] = raw[i] / raw[0];
  }
  V centroid() const { return raw[1]; }
  V variance() const { return raw[2] - raw[1] * raw[1]; }
};

// Below this a spectrum counts as a single line, whose shape is undefined.
inline constexpr double kNarrowSpectrum = 0.5;

inline V fft_centroid(Samples& s) {
  return SpectralMoments(spectrum_of(s)).centroid();
}
inline V fft_variance(Samples& s) {
  return SpectralMoments(spectrum_of(s)).variance();
}
inline V fft_skew(Samples& s) {
  const SpectralMoments m(spectrum_of(s));
  const V variance = m.variance();
  const V center = m.centroid();
  const V value = (m.raw[3] - all(3.0) * center * variance - center * center * center) /
                  (variance * root(variance));
  return choose(variance < all(kNarrowSpectrum), undefined(), value);
}
// As tsfresh computes it, which is not quite the fourth central moment: its last term is
// 3 centroid, not 3 centroid^4.
inline V fft_kurtosis(Samples& s) {
  const SpectralMoments m(spectrum_of(s));
  const V variance = m.variance();
  const V center = m.centroid();
  const V value = (m.raw[4] - all(4.0) * center * m.raw[3] + all(6.0) * m.raw[2] * center * center -
                   all(3.0) * center) /
                  (variance * variance);
  return choose(variance < all(kNarrowSpectrum), undefined(), value);
}

}  // namespace reveal::feature::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
