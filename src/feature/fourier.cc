#include "feature/fourier.h"

#include <cmath>
#include <map>
#include <numbers>

#include <unsupported/Eigen/FFT>

namespace reveal::feature {

Turns::Turns(std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) {
    const double angle = 2.0 * std::numbers::pi * static_cast<double>(i) / static_cast<double>(n);
    cosine_.push_back(std::cos(angle));
    sine_.push_back(std::sin(angle));
  }
}

const Turns& turns_of(std::size_t n) {
  thread_local std::map<std::size_t, Turns> known;
  return known.try_emplace(n, n).first->second;
}

const std::vector<double>& hann_window(std::size_t n) {
  thread_local std::map<std::size_t, std::vector<double>> known;
  auto& weights = known[n];
  for (std::size_t t = weights.size(); t < n; ++t) {
    weights.push_back(0.5 - 0.5 * turns_of(n).cosine(t));
  }
  return weights;
}

std::vector<std::complex<double>> fourier_transform(
    std::size_t n, const std::function<double(std::size_t)>& sample) {
  std::vector<double> samples;
  samples.reserve(n);
  for (std::size_t t = 0; t < n; ++t) samples.push_back(sample(t));
  thread_local Eigen::FFT<double> fast;
  std::vector<std::complex<double>> out;
  fast.fwd(out, samples);
  out.resize(n / 2 + 1);
  return out;
}

}  // namespace reveal::feature
