// What the spectral features need beside vectors of channels: the angles of a transform, and a fast
// transform for long windows.
#pragma once

#include <complex>
#include <cstddef>
#include <functional>
#include <vector>

namespace reveal::feature {

// Cosine and sine of 2 pi i / n.
class Turns {
 public:
  explicit Turns(std::size_t n);
  double cosine(std::size_t i) const { return cosine_[i]; }
  double sine(std::size_t i) const { return sine_[i]; }

 private:
  std::vector<double> cosine_;
  std::vector<double> sine_;
};

// Returns them for n, computed once for each thread and n.
const Turns& turns_of(std::size_t n);

// Returns the weights of Hann's window of n samples, periodic: 0.5 - 0.5 cos(2 pi t / n).
const std::vector<double>& hann_window(std::size_t n);

// Returns the first n / 2 + 1 coefficients of the transform of n samples.
std::vector<std::complex<double>> fourier_transform(
    std::size_t n, const std::function<double(std::size_t)>& sample);

}  // namespace reveal::feature
